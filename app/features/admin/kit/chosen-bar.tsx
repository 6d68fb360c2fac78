import { type ReactNode, useEffect } from "react";
import { giveFocusBack } from "../../../ui/focus.ts";

/** Bulk actions for the selected rows; sticky while the list scrolls. `words`: "2 orders chosen". */
export function ChosenBar({ words, children }: { words: string; children: ReactNode }) {
  // The bar unmounts once nothing is selected; focus inside it then moves to the page's heading.
  useEffect(() => () => void setTimeout(() => giveFocusBack(null)), []);
  return (
    <div className="sticky top-2 z-(--z-sticky) mb-4 flex flex-wrap items-center gap-x-2 gap-y-2 rounded-md border border-line bg-surface px-4 py-2.5 shadow-pop max-sm:*:grow max-sm:[&>:not([role])]:px-2.5">
      <span role="status" className="mr-auto text-ui font-medium max-sm:w-full">
        {words}
      </span>
      {children}
    </div>
  );
}
