const signs: Record<ComparedLine["kind"], { sign: string; label: string; className: string }> = {
  same: { sign: " ", label: "", className: "text-ink-muted" },
  added: { sign: "+", label: "Added: ", className: "bg-success-bg" },
  removed: { sign: "−", label: "Removed: ", className: "bg-danger-bg line-through decoration-danger/60" },
};

/** Differences between two texts, line by line. */
export function DifferenceView({ before, after }: { before: string; after: string }) {
  const lines = comparedLines(before, after);
  const isEqual = lines.every(({ kind }) => kind === "same");
  if (isEqual) return <p className="text-small text-ink-muted">Nothing is different.</p>;
  return (
    <section
      aria-label="Differences"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-sm border border-line bg-surface py-2 text-small"
    >
      {lines.map(({ kind, text }, index) => (
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

type ComparedLine = { kind: "same" | "added" | "removed"; text: string };

/** Lines added in `after`, removed from `before`, or in both. */
function comparedLines(before: string, after: string): ComparedLine[] {
  const [oldLines, newLines] = [before, after].map((text) =>
    text.split("\n").filter((line) => line.trim() !== ""),
  );
  if (!oldLines || !newLines) return [];
  // lengths[i][j]: length of the longest common subsequence of oldLines.slice(i) and newLines.slice(j).
  const lengths = Array.from({ length: oldLines.length + 1 }, () =>
    new Array<number>(newLines.length + 1).fill(0),
  );
  const lengthAt = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = oldLines.length - 1; i >= 0; i -= 1) {
    const row = lengths[i];
    for (let j = newLines.length - 1; row && j >= 0; j -= 1) {
      row[j] =
        oldLines[i] === newLines[j]
          ? lengthAt(i + 1, j + 1) + 1
          : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const lines: ComparedLine[] = [];
  let [i, j] = [0, 0];
  while (i < oldLines.length || j < newLines.length) {
    if (i < oldLines.length && j < newLines.length && oldLines[i] === newLines[j]) {
      lines.push({ kind: "same", text: oldLines[i] ?? "" });
      i += 1;
      j += 1;
    } else if (j >= newLines.length || (i < oldLines.length && lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      lines.push({ kind: "removed", text: oldLines[i] ?? "" });
      i += 1;
    } else {
      lines.push({ kind: "added", text: newLines[j] ?? "" });
      j += 1;
    }
  }
  return lines;
}
