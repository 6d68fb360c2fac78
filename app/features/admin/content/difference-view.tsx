import { difference, type Piece } from "./difference.ts";

const signs: Record<Piece["kind"], { sign: string; words: string; className: string }> = {
  same: { sign: " ", words: "", className: "text-ink-muted" },
  added: { sign: "+", words: "Added: ", className: "bg-success-bg" },
  removed: { sign: "−", words: "Removed: ", className: "bg-danger-bg line-through decoration-danger/60" },
};

/** What changes from one text to another, line by line. */
export function DifferenceView({ before, after }: { before: string; after: string }) {
  const pieces = difference(before, after);
  const changed = pieces.filter(({ kind }) => kind !== "same");
  if (changed.length === 0) return <p className="text-small text-ink-muted">Nothing is different.</p>;
  return (
    <section
      aria-label="What is different"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrolled by keyboard too
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-sm border border-line bg-surface py-2 text-small"
    >
      {pieces.map(({ kind, text }, index) => (
        <p
          key={String(index)}
          className={`grid grid-cols-[1.5rem_1fr] px-2 py-1 wrap-anywhere ${signs[kind].className}`}
        >
          <span aria-hidden="true">{signs[kind].sign}</span>
          <span>
            <span className="sr-only">{signs[kind].words}</span>
            {text}
          </span>
        </p>
      ))}
    </section>
  );
}
