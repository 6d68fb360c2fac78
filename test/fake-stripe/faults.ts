export type Fault = {
  /** Beginning of the path, "/v1/payment_intents" say. */
  path: string;
  method?: "GET" | "POST";
  /**
   * A status to answer with, `hang` (never answer), `cut` (close the connection before any work), `lose` (do the work,
   * then close the connection), or `stumble` (do the work, then answer 500, which stays under the key).
   */
  how: number | "hang" | "cut" | "lose" | "stumble";
  /** How many calls are hit; 1 without it. */
  times?: number;
};

/** Trouble ordered in advance, met in the order it was ordered. */
export function createFaults() {
  const ordered: { fault: Fault; left: number }[] = [];
  return {
    order(fault: Fault) {
      ordered.push({ fault, left: fault.times ?? 1 });
    },
    /** The trouble this call meets, if any. */
    meet(method: string, path: string): Fault["how"] | null {
      const met = ordered.find(
        ({ fault, left }) =>
          left > 0 && path.startsWith(fault.path) && (fault.method === undefined || fault.method === method),
      );
      if (!met) return null;
      met.left -= 1;
      return met.fault.how;
    },
    clear() {
      ordered.length = 0;
    },
  };
}
