import { type ReactNode, useEffect } from "react";
import { giveFocusBack } from "../../../ui/focus.ts";

/** What can be done with the chosen rows; in sight while the list is scrolled. `words`: "2 orders chosen". */
export function ChosenBar({ words, children }: { words: string; children: ReactNode }) {
  // It goes once nothing is chosen: whoever had the focus in it goes on at the page's heading.
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
