import type { ApiBody, ApiInputArgs, ApiKeys, ApiProblem, ApiResult } from "../shop-context.ts";

export type { ApiProblem, ApiResult };

export type CallOptions = {
  headers?: Record<string, string>;
  timeoutMs?: number;
  signal?: AbortSignal;
};

/**
 * Calls the shop's own API: `callApi("GET /api/products/:slug", { params: { slug } })`. The key, a method and a path,
 * determines the types of the input and the response. Never throws: errors are results with `ok: false`.
 */
export async function callApi<K extends ApiKeys>(
  key: K,
  ...[input]: ApiInputArgs<K, CallOptions>
): Promise<ApiResult<ApiBody<K>>>;
export async function callApi(key: string, input: CallInput = {}): Promise<ApiResult<unknown>> {
  const [method = "", pattern = ""] = key.split(" ");
  return send(method, callUrl(pattern, input), input);
}

type CallInput = CallOptions & { params?: object; query?: object; body?: unknown };

/** "/api/products/:slug" with its parameters filled in and the query appended. */
function callUrl(
  pattern: string,
  { params = {}, query = {} }: { params?: object; query?: object } = {},
): string {
  const values: Record<string, unknown> = { ...params };
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])),
  );
  return search.size > 0 ? `${path}?${search}` : path;
}

/**
 * The first call that may set this browser's visitor cookie. Two such calls at once would create two visitors, and the
 * browser could not open the orders of the visitor whose cookie is overwritten.
 */
let firstCall: Promise<unknown> | undefined;
/** Longest time (ms) that other calls wait for the first call. */
const firstCallMs = 3_000;

async function send(method: string, path: string, options: CallOptions & { body?: unknown }) {
  if (method === "GET") return request(method, path, options);
  if (firstCall) await firstCall;
  const response = request(method, path, options);
  firstCall ??= Promise.race([response, new Promise((resolve) => setTimeout(resolve, firstCallMs))]);
  return response;
}

async function request(
  method: string,
  path: string,
  { body, headers, timeoutMs = 15_000, signal }: CallOptions & { body?: unknown },
): Promise<ApiResult<unknown>> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(path, {
      method,
      credentials: "same-origin",
      // A call that starts just before the page is left still arrives.
      keepalive: method !== "GET",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      headers: { ...headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return await readBody(response);
  } catch {
    return {
      ok: false,
      problem: {
        ...noResponse,
        ...(timeout.aborted ? { error: "timeout", message: "The shop took too long to answer." } : {}),
      },
    };
  }
}

/** Reads the response to a call that `callApi` did not send, such as an upload with progress. Throws if it is not JSON. */
export async function readApiResult<K extends ApiKeys>(
  _key: K,
  response: Response,
): Promise<ApiResult<ApiBody<K>>>;
export async function readApiResult(_key: string, response: Response): Promise<ApiResult<unknown>> {
  return readBody(response);
}

async function readBody(response: Response): Promise<ApiResult<unknown>> {
  const text = await response.text();
  const json: unknown = text === "" ? null : JSON.parse(text);
  return response.ok ? { ok: true, body: json } : { ok: false, problem: readProblem(response, json) };
}

export const noResponse: ApiProblem = {
  status: 0,
  error: "offline",
  message: "The shop could not be reached. Please check your connection and try again.",
  fields: {},
  available: {},
  retryAfterSeconds: null,
};

function readProblem(response: Response, json: unknown): ApiProblem {
  const body = (json ?? {}) as Partial<ApiProblem>;
  const retryAfter = Number(response.headers.get("Retry-After"));
  return {
    status: response.status,
    error: body.error ?? "internal",
    message: body.message ?? "Something went wrong. Please try again.",
    fields: body.fields ?? {},
    available: body.available ?? {},
    ...(body.refusedDiscounts && { refusedDiscounts: body.refusedDiscounts }),
    current: body.current,
    retryAfterSeconds: retryAfter > 0 ? retryAfter : null,
  };
}
