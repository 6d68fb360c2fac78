/**
 * What this server needs in order to work, as those parts tell that know: made once, and read by /readyz. A part that
 * has told nothing yet counts as working.
 */
export type Health = {
  /**
   * Tells how `part` is doing: null while it works, else why not, in a few words for whoever runs the shop. Without it
   * the server is not ready, unless `sells` says that it can sell all the same.
   */
  report(part: string, reason: string | null, options?: { sells?: boolean }): void;
  /** Why `part` does not work; null while it does. */
  reasonOf(part: string): string | null;
  read(): { canSell: boolean; degraded: Record<string, string> };
};

export function createHealth(): Health {
  const troubles = new Map<string, { reason: string; sells: boolean }>();
  return {
    report(part, reason, { sells = false } = {}) {
      if (reason === null) troubles.delete(part);
      else troubles.set(part, { reason, sells });
    },
    reasonOf: (part) => troubles.get(part)?.reason ?? null,
    read() {
      const all = [...troubles];
      return {
        canSell: all.every(([, { sells }]) => sells),
        degraded: Object.fromEntries(all.map(([part, { reason }]) => [part, reason])),
      };
    },
  };
}
