import { useEffect, useRef, useState } from "react";

/**
 * Tells people who listen to the page what has changed on it. The first text that is known is not told: it stands
 * there. Null: nothing is known yet.
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
