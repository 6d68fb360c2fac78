const barChars = 30;
/** Where nobody watches a bar, a line for so much of the whole. */
const lineShare = 0.25;

/** Shows how far something is: a bar on a terminal, a few lines elsewhere. On stderr, so that stdout has only results. */
export function showProgress(title: string): { update(share: number): void; end(): void } {
  const begunAt = performance.now();
  const seconds = () => `${((performance.now() - begunAt) / 1000).toFixed(1)} s`;
  const isTerminal = process.stderr.isTTY === true;
  let told = 0;
  if (!isTerminal) process.stderr.write(`${title} ...\n`);
  const draw = (share: number) => {
    const full = Math.round(barChars * share);
    const bar = "█".repeat(full) + "░".repeat(barChars - full);
    process.stderr.write(`\r${title} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${seconds()}`);
  };
  return {
    update(share) {
      if (isTerminal) return draw(share);
      if (share < told + lineShare || share >= 1) return;
      told = share;
      process.stderr.write(`${title}: ${Math.floor(share * 100)} %, ${seconds()}\n`);
    },
    end() {
      if (isTerminal) process.stderr.write("\n");
    },
  };
}
