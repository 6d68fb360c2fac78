import { StripeProblem } from "./problem.ts";

export type ApiResponse = { status: number; body: object };

/**
 * Stripe's rules: a repeat receives the first response to its key, even an error of Stripe and even if the object has changed
 * since; other parameters under the same key are refused. A repeat during the first call is refused immediately (409).
 */
export function createIdempotency() {
  const calls = new Map<string, { fingerprint: string; response: ApiResponse }>();
  const runningKeys = new Set<string>();

  return {
    /** Marks the call as running until `end`. Throws StripeProblem if another call with its key is running. */
    begin(key: string): void {
      if (runningKeys.has(key)) {
        throw new StripeProblem(
          409,
          "idempotency_error",
          "idempotency_key_in_use",
          "There is currently another in-progress request using this Idempotent Key.",
          true,
        );
      }
      runningKeys.add(key);
    },
    end(key: string): void {
      runningKeys.delete(key);
    },
    /** The stored response; null for a new key. Throws StripeProblem. */
    storedResponse(key: string, fingerprint: string): ApiResponse | null {
      const call = calls.get(key);
      if (!call) return null;
      if (call.fingerprint === fingerprint) return call.response;
      throw new StripeProblem(
        400,
        "idempotency_error",
        null,
        "Keys for idempotent requests can only be used with the same parameters they were first used with.",
        true,
      );
    },
    /** Deletes all stored responses, as after a day. */
    forget(): void {
      calls.clear();
    },
    store(key: string, fingerprint: string, response: ApiResponse): void {
      calls.set(key, { fingerprint, response: structuredClone(response) });
    },
  };
}
