import type { SessionGate } from "./admin/sessions.ts";
import type { Answer, AnyApiRoute, ApiCall } from "./platform/api-route.ts";
import { limitKey } from "./platform/client-address.ts";
import { isSameOrigin } from "./platform/origin.ts";
import { type Problem, problem } from "./platform/problem.ts";
import type { RateLimits } from "./platform/rate-limit.ts";
import { parseInput, parseJson, readBody } from "./platform/request-body.ts";

export type GateParts = { publicUrl: string; limits: RateLimits; sessions: SessionGate };

/** What came in over HTTP for one row of the API. */
export type Incoming = { request: Request; pathParams: Record<string, string>; address: string };
export type Outgoing = { answer: Answer | Problem; cookies: string[] };

/**
 * The one way into every call of the API, so that a new row cannot forget a check: origin, rate limit, rights, and only
 * then its input (a caller without the right is told so before its body is looked at).
 */
export async function passGate(parts: GateParts, row: AnyApiRoute, incoming: Incoming): Promise<Outgoing> {
  const { request, address } = incoming;
  const refuse = (refusal: Problem): Outgoing => ({ answer: refusal, cookies: [] });
  if (row.access !== "provider" && !isSameOrigin(request, parts.publicUrl)) {
    return refuse(problem("forbidden", "This call must come from the shop’s own pages."));
  }
  const waitS = await parts.limits.take(row.limit, limitKey(address));
  if (waitS !== null) {
    const message = `Too many tries. Please wait ${waitS} seconds.`;
    return refuse(problem("rate_limited", message, { headers: { "Retry-After": String(waitS) } }));
  }
  const viewer = await parts.sessions.viewer(request.headers.get("cookie"));
  if (row.access === "admin" && !viewer.isAdmin) {
    return refuse(problem("unauthorized", "Please unlock the admin panel first."));
  }
  const input = await readInput(row, incoming);
  if ("problem" in input) return refuse(input);
  const cookies: string[] = [];
  const call: ApiCall = {
    ...input,
    viewer: { ...viewer },
    address,
    visitor: async () => {
      if (viewer.visitorId !== null) return viewer.visitorId;
      const made = await parts.sessions.createVisitor();
      viewer.visitorId = made.visitorId;
      cookies.push(made.cookie);
      return made.visitorId;
    },
    header: (name) => request.headers.get(name),
    setCookie: (cookie) => cookies.push(cookie),
  };
  return { answer: await row.handle(call), cookies };
}

type Input = Pick<ApiCall, "params" | "query" | "body" | "rawBody">;

async function readInput(row: AnyApiRoute, { request, pathParams }: Incoming): Promise<Input | Problem> {
  const input: Input = { params: undefined, query: undefined, body: undefined, rawBody: "" };
  if (row.params) {
    const params = parseInput(pathParams, row.params);
    // An address that cannot exist is not found; there is no form to correct.
    if ("problem" in params) return problem("not_found", "There is nothing at this address.");
    input.params = params.value;
  }
  if (row.query) {
    const query = parseInput(Object.fromEntries(new URL(request.url).searchParams), row.query);
    if ("problem" in query) return query;
    input.query = query.value;
  }
  // Also where no body is asked for: one that is sent all the same has the same limit.
  const text = await readBody(request);
  if (typeof text !== "string") return text;
  input.rawBody = text;
  if (row.body) {
    const body = parseJson(text, request.headers.get("content-type"), row.body);
    if ("problem" in body) return body;
    input.body = body.value;
  }
  return input;
}
