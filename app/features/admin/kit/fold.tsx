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
  children,
}: {
  title: ReactNode;
  state?: ReactNode;
  level?: "h2" | "h3";
  /** Whether the section is initially open. */
  isOpen?: boolean;
  children: ReactNode;
}) {
  return (
    <details open={isOpen} className="group/fold">
      <summary className="flex min-h-14 cursor-pointer list-none flex-wrap items-center gap-3 px-4 py-2 -outline-offset-2! hover:bg-cream-soft sm:px-5 [&::-webkit-details-marker]:hidden">
        <Heading className="font-sans text-ui font-semibold tracking-normal wrap-anywhere">{title}</Heading>
        {state && (
          // Moves below the title where both would be squeezed, as with very large letters.
          <span className="grow basis-28 text-right text-small text-ink-muted tabular-nums">{state}</span>
        )}
        <Icon
          glyph={ChevronDown}
          size="small"
          className="ml-auto transition-transform duration-(--dur-2) group-open/fold:rotate-180"
        />
      </summary>
      <div className="px-4 pt-1 pb-5 sm:px-5">{children}</div>
    </details>
  );
}
