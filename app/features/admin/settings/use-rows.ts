import { useState } from "react";
import { flushSync } from "react-dom";

/**
 * The rows of a list in a form: where the focus goes and what a screen reader hears when one is added or taken away. A row's
 * element has the id `<path>.<index>` and can have the focus; the button that adds one is `<path>.add`.
 */
export function useRows(path: string) {
  const [news, setNews] = useState("");
  return {
    addId: `${path}.add`,
    /** For a `role="status"`. */
    news,
    /** `field`: of the new row, the one that is filled in first. */
    add(index: number, field: string, change: () => void): void {
      flushSync(() => {
        change();
        setNews("");
      });
      focus(`${path}.${index}.${field}`);
    },
    /** `count`: rows there were. The row that follows has the focus, or the one before, or what adds one. */
    remove(row: { index: number; count: number; name: string }, change: () => void): void {
      flushSync(() => {
        change();
        setNews(`${row.name} removed. It is gone once you save.`);
      });
      focus(row.count === 1 ? `${path}.add` : `${path}.${Math.min(row.index, row.count - 2)}`);
    },
  };
}

function focus(id: string): void {
  document.getElementById(id)?.focus();
}
