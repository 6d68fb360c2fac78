export type Fault = {
  /** Beginning of the path, such as "/v1/payment_intents". */
  path: string;
  method?: "GET" | "POST" | "DELETE";
  /**
   * A status to answer with, `hang` (never answer), `cut` (close the connection before any work), `lose` (do the work,
   * then close the connection), or `fail-after-work` (do the work, then answer 500, which stays under the key).
   */
  how: number | "hang" | "cut" | "lose" | "fail-after-work";
  /** Number of calls to fail; by default 1. */
  times?: number;
  /** Number of calls that succeed before. */
  after?: number;
};

export type Delay = Pick<Fault, "method" | "path" | "times"> & {
  /** Duration of the work, which is completed even if the caller disconnects before. */
  ms: number;
};

type Calls = Pick<Fault, "method" | "path">;

/** Faults requested by a test, applied in the order of the requests. */
export function createFaults() {
  const ordered: { fault: Fault; left: number; spared: number }[] = [];
  const delays: { delay: Delay; left: number }[] = [];
  const holds = new Set<{ calls: Calls; released: Promise<void> }>();
  return {
    /** Holds these calls until the returned function is called. */
    hold(calls: Calls): () => void {
      const { promise: released, resolve } = Promise.withResolvers<void>();
      const entry = { calls, released };
      holds.add(entry);
      return () => {
        holds.delete(entry);
        resolve();
      };
    },
    /** Waits while this call is held. */
    async heldBack(method: string, path: string): Promise<void> {
      await [...holds].find(({ calls }) => matchesCall(calls, method, path))?.released;
    },
    /** Without `times`, delays all calls until `endTrouble`. */
    slow(delay: Delay) {
      delays.push({ delay, left: delay.times ?? Number.POSITIVE_INFINITY });
    },
    /** Milliseconds until this call's work is done. */
    delayOf(method: string, path: string): number {
      const match = delays.find(({ delay, left }) => left > 0 && matchesCall(delay, method, path));
      if (!match) return 0;
      match.left -= 1;
      return match.delay.ms;
    },
    order(fault: Fault) {
      ordered.push({ fault, left: fault.times ?? 1, spared: fault.after ?? 0 });
    },
    /** The fault for this call, if any. */
    take(method: string, path: string): Fault["how"] | null {
      const match = ordered.find(({ fault, left }) => left > 0 && matchesCall(fault, method, path));
      if (!match) return null;
      if (match.spared > 0) {
        match.spared -= 1;
        return null;
      }
      match.left -= 1;
      return match.fault.how;
    },
    clear() {
      ordered.length = 0;
      delays.length = 0;
    },
  };
}

function matchesCall(trouble: Calls, method: string, path: string): boolean {
  return path.startsWith(trouble.path) && (trouble.method === undefined || trouble.method === method);
}
