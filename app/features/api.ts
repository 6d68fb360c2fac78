/** A call that was refused or did not arrive. `status` 0: no answer at all (offline, timed out, not JSON). */
export type ApiProblem = {
  status: number;
  /** The API's error code; `offline` or `timeout` where there was no answer. */
  error: string;
  message: string;
  /** With `validation_failed`: path -> sentence. */
  fields: Record<string, string>;
  /** With `out_of_stock`: units left by product id. */
  available: Record<string, number>;
  /** With `invalid_state`: what is there now, where somebody else has changed it meanwhile. */
  current?: unknown;
  /** With `rate_limited`: seconds to wait. */
  retryAfterSeconds: number | null;
};

export type ApiAnswer<T> = { ok: true; body: T } | { ok: false; problem: ApiProblem };

/** Calls the shop's own API. Never throws: a refusal is an answer. */
export async function callApi<T>(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  {
    body,
    headers,
    timeoutMs = 15_000,
    signal,
  }: { body?: unknown; headers?: Record<string, string>; timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<ApiAnswer<T>> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(path, {
      method,
      credentials: "same-origin",
      // A call begun just before the page is left still arrives.
      keepalive: method !== "GET",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      headers: { ...headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return await readAnswer(response);
  } catch {
    return {
      ok: false,
      problem: {
        ...noAnswer,
        ...(timeout.aborted ? { error: "timeout", message: "The shop took too long to answer." } : {}),
      },
    };
  }
}

/** An answer of the API; an action has it from `apiContext`. Throws where it is no JSON. */
export async function readAnswer<T>(response: Response): Promise<ApiAnswer<T>> {
  const text = await response.text();
  const json: unknown = text === "" ? null : JSON.parse(text);
  return response.ok ? { ok: true, body: json as T } : { ok: false, problem: readProblem(response, json) };
}

export const noAnswer: ApiProblem = {
  status: 0,
  error: "offline",
  message: "The shop could not be reached. Please check your connection and try again.",
  fields: {},
  available: {},
  retryAfterSeconds: null,
};

function readProblem(response: Response, json: unknown): ApiProblem {
  const body = (typeof json === "object" && json !== null ? json : {}) as Partial<ApiProblem>;
  const retryAfter = Number(response.headers.get("Retry-After"));
  return {
    status: response.status,
    error: body.error ?? "internal",
    message: body.message ?? "Something went wrong. Please try again.",
    fields: body.fields ?? {},
    available: body.available ?? {},
    current: body.current,
    retryAfterSeconds: retryAfter > 0 ? retryAfter : null,
  };
}
