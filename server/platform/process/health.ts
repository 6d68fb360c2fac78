/**
 * The state of the parts this server needs, reported by them and read by /readyz. A part that has reported nothing
 * counts as working.
 */
export type Health = {
  /**
   * Reports the state of `part`: null while it works, otherwise why not, in a few words for the operator; the server is
   * then not ready, unless `canSell` is set.
   */
  report(part: string, reason: string | null, options?: { canSell?: boolean }): void;
  /** Why `part` does not work; null while it does. */
  failureReason(part: string): string | null;
  read(): { canSell: boolean; degraded: Record<string, string> };
};

export function createHealth(): Health {
  const failures = new Map<string, { reason: string; canSell: boolean }>();
  return {
    report(part, reason, { canSell = false } = {}) {
      if (reason === null) failures.delete(part);
      else failures.set(part, { reason, canSell });
    },
    failureReason: (part) => failures.get(part)?.reason ?? null,
    read() {
      const entries = [...failures];
      return {
        canSell: entries.every(([, { canSell }]) => canSell),
        degraded: Object.fromEntries(entries.map(([part, { reason }]) => [part, reason])),
      };
    },
  };
}
