import { useEffect, useRef, useState } from "react";

/**
 * Announces changes of a text to screen readers. The first text is not announced, because it is part of the page. Null:
 * not loaded yet.
 */
export function Announcement({ text }: { text: string | null }) {
  const first = useRef<string | null>(null);
  const [changed, setChanged] = useState("");
  useEffect(() => {
    if (text === null) return;
    if (first.current === null) first.current = text;
    else if (first.current !== text || changed) setChanged(text);
  }, [text, changed]);
  return (
    <span role="status" className="sr-only">
      {changed}
    </span>
  );
}
