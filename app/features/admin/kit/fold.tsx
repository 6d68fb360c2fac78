import ChevronDown from "lucide-react/icons/chevron-down";
import type { ReactNode } from "react";
import { Icon } from "../../../ui/icon.tsx";

/**
 * A row that expands to show its fields; `state` sums up their content in a few words. Stack several in a Card with
 * `divide-y`.
 */
export function Fold({
  title,
  state,
  level: Heading = "h2",
  isOpen = false,
  hasError = false,
  children,
}: {
  title: ReactNode;
  state?: ReactNode;
  level?: "h2" | "h3";
  /** Whether the section is initially open. */
  isOpen?: boolean;
  /** Whether a field inside has an error, which is shown in place of `state`. */
  hasError?: boolean;
  children: ReactNode;
}) {
  return (
    <details open={isOpen} className="group/fold">
      <summary className="relative flex min-h-14 cursor-pointer list-none flex-wrap content-center items-center justify-between gap-x-3 gap-y-0.5 py-2 pr-11 pl-4 -outline-offset-2! hover:bg-cream-soft sm:pr-12 sm:pl-5 [&::-webkit-details-marker]:hidden">
        <Heading className="font-sans text-ui font-semibold tracking-normal wrap-anywhere">{title}</Heading>
        {(hasError || state) && (
          // Moves below the title where both do not fit in one line.
          <span className={`text-small tabular-nums ${hasError ? "text-danger" : "text-ink-muted"}`}>
            {hasError ? "Please check" : state}
          </span>
        )}
        <Icon
          glyph={ChevronDown}
          size="small"
          className="absolute top-1/2 right-4 -translate-y-1/2 transition-transform duration-(--dur-2) group-open/fold:rotate-180 sm:right-5"
        />
      </summary>
      <div className="px-4 pt-1 pb-5 sm:px-5">{children}</div>
    </details>
  );
}
