import { type KeyboardEvent, useEffect, useRef, useState } from "react";

/**
 * A list of lines, each with a text field or button: lines are added, removed and moved, by buttons or by Alt with an arrow key. The
 * focus follows the line. `announcement`: text for a `role="status"` element.
 */
export function useLineList<Line>(lines: readonly Line[], onChange: (lines: Line[]) => void) {
  const inputs = useRef<(HTMLElement | null)[]>([]);
  const [focusAt, setFocusAt] = useState<number | null>(null);
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    if (focusAt === null) return;
    inputs.current[focusAt]?.focus();
    setFocusAt(null);
  }, [focusAt]);

  /** `name`: of the moved line, for the announcement. */
  function move(at: number, to: number, name: string): void {
    const [line] = lines.slice(at, at + 1);
    if (line === undefined || to < 0 || to >= lines.length) return;
    onChange(lines.toSpliced(at, 1).toSpliced(to, 0, line));
    const words = `moved to place ${to + 1} of ${lines.length}`;
    setAnnouncement(name === "" ? `M${words.slice(1)}` : `${name} ${words}`);
    setFocusAt(to);
  }
  return {
    announcement,
    inputRef: (at: number) => (input: HTMLElement | null) => {
      inputs.current[at] = input;
    },
    add(line: Line, at = lines.length): void {
      onChange(lines.toSpliced(at, 0, line));
      setFocusAt(at);
    },
    remove(at: number, name: string): void {
      onChange(lines.toSpliced(at, 1));
      setAnnouncement(`${name} removed`);
      setFocusAt(Math.max(0, Math.min(at, lines.length - 2)));
    },
    moveByKey(event: KeyboardEvent, at: number, name: string): void {
      if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
      event.preventDefault();
      move(at, event.key === "ArrowUp" ? at - 1 : at + 1, name);
    },
    moveTo: move,
    /** For `MoveButtons`. */
    moves: (at: number, name: string) => ({
      onUp: at === 0 ? null : () => move(at, at - 1, name),
      onDown: at === lines.length - 1 ? null : () => move(at, at + 1, name),
    }),
  };
}
