import { type KeyboardEvent, useEffect, useRef, useState } from "react";

/**
 * A list of lines, each with a text field or button: lines are added, removed and moved, by buttons or by Alt with an arrow
 * key. The focus follows the line. `announcement`: text for a `role="status"` element.
 */
export function useLineList<Line>(lines: readonly Line[], onChange: (lines: Line[]) => void) {
  const inputs = useRef<(HTMLElement | null)[]>([]);
  const [focusIndex, setFocusIndex] = useState<number | null>(null);
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    if (focusIndex === null) return;
    inputs.current[focusIndex]?.focus();
    setFocusIndex(null);
  }, [focusIndex]);

  /** `name`: the moved line's name, for the announcement. */
  function move(index: number, to: number, name: string): void {
    const [line] = lines.slice(index, index + 1);
    if (line === undefined || to < 0 || to >= lines.length) return;
    onChange(lines.toSpliced(index, 1).toSpliced(to, 0, line));
    const moveText = `moved to place ${to + 1} of ${lines.length}`;
    setAnnouncement(name === "" ? `M${moveText.slice(1)}` : `${name} ${moveText}`);
    setFocusIndex(to);
  }
  return {
    announcement,
    inputRef: (index: number) => (input: HTMLElement | null) => {
      inputs.current[index] = input;
    },
    add(line: Line, index = lines.length): void {
      onChange(lines.toSpliced(index, 0, line));
      setFocusIndex(index);
    },
    remove(index: number, name: string): void {
      onChange(lines.toSpliced(index, 1));
      setAnnouncement(`${name} removed`);
      // `lines.length - 2` is the last index after the removal.
      setFocusIndex(Math.max(0, Math.min(index, lines.length - 2)));
    },
    moveByKey(event: KeyboardEvent, index: number, name: string): void {
      if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
      event.preventDefault();
      move(index, event.key === "ArrowUp" ? index - 1 : index + 1, name);
    },
    moveTo: move,
    /** Props of `MoveButtons`. */
    moveButtonProps: (index: number, name: string) => ({
      onUp: index === 0 ? null : () => move(index, index - 1, name),
      onDown: index === lines.length - 1 ? null : () => move(index, index + 1, name),
    }),
  };
}
