const signs: Record<Piece["kind"], { sign: string; label: string; className: string }> = {
  same: { sign: " ", label: "", className: "text-ink-muted" },
  added: { sign: "+", label: "Added: ", className: "bg-success-bg" },
  removed: { sign: "−", label: "Removed: ", className: "bg-danger-bg line-through decoration-danger/60" },
};

/** Differences between two texts, line by line. */
export function DifferenceView({ before, after }: { before: string; after: string }) {
  const pieces = difference(before, after);
  const changed = pieces.filter(({ kind }) => kind !== "same");
  if (changed.length === 0) return <p className="text-small text-ink-muted">Nothing is different.</p>;
  return (
    <section
      aria-label="What is different"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
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
            <span className="sr-only">{signs[kind].label}</span>
            {text}
          </span>
        </p>
      ))}
    </section>
  );
}

type Piece = { kind: "same" | "added" | "removed"; text: string };

/** Lines added in `after`, removed from `before`, or in both. */
function difference(before: string, after: string): Piece[] {
  const [a, b] = [before, after].map((text) => text.split("\n").filter((line) => line.trim() !== ""));
  if (!a || !b) return [];
  // lengths[i][j]: length of the longest common subsequence of the lines from a[i] and from b[j] on.
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const lengthAt = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = lengths[i];
    for (let j = b.length - 1; row && j >= 0; j -= 1) {
      row[j] = a[i] === b[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      pieces.push({ kind: "same", text: a[i] ?? "" });
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      pieces.push({ kind: "removed", text: a[i] ?? "" });
      i += 1;
    } else {
      pieces.push({ kind: "added", text: b[j] ?? "" });
      j += 1;
    }
  }
  return pieces;
}
