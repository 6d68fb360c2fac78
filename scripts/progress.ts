const barChars = 30;
/** Without a terminal, one line is printed for each such share. */
const lineShare = 0.25;

/** Prints progress on stderr: a bar on a terminal, a few lines otherwise. */
export function showProgress(title: string): { update(share: number): void; end(): void } {
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  const isTerminal = process.stderr.isTTY === true;
  let printedShare = 0;
  if (!isTerminal) process.stderr.write(`${title} ...\n`);
  const draw = (share: number) => {
    const full = Math.round(barChars * share);
    const bar = "█".repeat(full) + "░".repeat(barChars - full);
    process.stderr.write(`\r${title} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${seconds()}`);
  };
  return {
    update(share) {
      if (isTerminal) return draw(share);
      if (share < printedShare + lineShare || share >= 1) return;
      printedShare = share;
      process.stderr.write(`${title}: ${Math.floor(share * 100)} %, ${seconds()}\n`);
    },
    end() {
      if (isTerminal) process.stderr.write("\n");
    },
  };
}
