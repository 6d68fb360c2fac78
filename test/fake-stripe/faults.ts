export type Fault = {
  /** Beginning of the path, such as "/v1/payment_intents". */
  path: string;
  method?: "GET" | "POST" | "DELETE";
  /**
   * A status to respond with, `hang` (never respond), `cut` (close the connection before any work), `lose` (do the work,
   * then close the connection), or `fail-after-work` (do the work, then respond with 500, which stays under the key).
   */
  how: number | "hang" | "cut" | "lose" | "fail-after-work";
  /** Number of calls to fail; by default 1. */
  times?: number;
  /** Number of calls that succeed before the fault; by default 0. */
  after?: number;
};

export type Delay = Pick<Fault, "method" | "path" | "times"> & {
  /** Duration of the work, which is completed even if the caller disconnects before. */
  ms: number;
};

type Calls = Pick<Fault, "method" | "path">;

/** Faults requested by a test, applied in the order of the requests. */
export function createFaults() {
  const faults: { fault: Fault; remaining: number; toSkip: number }[] = [];
  const delays: { delay: Delay; remaining: number }[] = [];
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
    async waitWhileHeld(method: string, path: string): Promise<void> {
      await [...holds].find(({ calls }) => matchesCall(calls, method, path))?.released;
    },
    /** Without `times`, delays all calls until `endTrouble`. */
    slow(delay: Delay) {
      delays.push({ delay, remaining: delay.times ?? Number.POSITIVE_INFINITY });
    },
    /** Milliseconds until this call's work is done. */
    takeDelay(method: string, path: string): number {
      const match = delays.find(({ delay, remaining }) => remaining > 0 && matchesCall(delay, method, path));
      if (!match) return 0;
      match.remaining -= 1;
      return match.delay.ms;
    },
    add(fault: Fault) {
      faults.push({ fault, remaining: fault.times ?? 1, toSkip: fault.after ?? 0 });
    },
    /** The fault for this call, if any; counts it as used. */
    take(method: string, path: string): Fault["how"] | null {
      const match = faults.find(({ fault, remaining }) => remaining > 0 && matchesCall(fault, method, path));
      if (!match) return null;
      if (match.toSkip > 0) {
        match.toSkip -= 1;
        return null;
      }
      match.remaining -= 1;
      return match.fault.how;
    },
    clear() {
      faults.length = 0;
      delays.length = 0;
    },
  };
}

function matchesCall(calls: Calls, method: string, path: string): boolean {
  return path.startsWith(calls.path) && (calls.method === undefined || calls.method === method);
}
