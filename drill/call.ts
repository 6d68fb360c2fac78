/** A request and its outcome as the caller saw it; `at` is in terms of `performance.now()`. */
export type Call = {
  at: number;
  ms: number;
  path: string;
  /** Null: no answer, or the connection broke. */
  status: number | null;
  /** The answer's body, or the error. */
  body: string;
  retryAfter: string | null;
};

/** Never throws: errors become part of the result. */
export async function call(
  url: string,
  path: string,
  request: RequestInit & { limitMs: number },
): Promise<Call> {
  const { limitMs, ...rest } = request;
  const at = performance.now();
  try {
    const answer = await fetch(url + path, { ...rest, signal: AbortSignal.timeout(limitMs) });
    const body = await answer.text();
    const retryAfter = answer.headers.get("retry-after");
    return { at, ms: performance.now() - at, path, status: answer.status, body, retryAfter };
  } catch (error) {
    const body = error instanceof Error ? String(error.cause ?? error) : String(error);
    return { at, ms: performance.now() - at, path, status: null, body, retryAfter: null };
  }
}

/** Without an answer, or answered 5xx. */
export function isBroken({ status }: Call): boolean {
  return status === null || status >= 500;
}
