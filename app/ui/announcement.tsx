import { useEffect, useRef, useState } from "react";

/**
 * Announces changes of a text to screen readers. The first text is not announced, because it is part of the page.
 * `text` is null until it has been loaded.
 */
export function Announcement({ text }: { text: string | null }) {
  const firstText = useRef<string | null>(null);
  const [announcedText, setAnnouncedText] = useState("");
  useEffect(() => {
    if (text === null) return;
    if (firstText.current === null) firstText.current = text;
    else if (firstText.current !== text || announcedText) setAnnouncedText(text);
  }, [text, announcedText]);
  return (
    <span role="status" className="sr-only">
      {announcedText}
    </span>
  );
}
