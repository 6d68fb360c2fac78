import type { ActivityLog } from "../admin/activity.ts";
import type { SessionGate } from "../admin/sessions.ts";
import type { Answer, AnyApiRoute, ApiCall, Change } from "../platform/api-route.ts";
import { networkOf } from "../platform/client-address.ts";
import { isSameOrigin } from "../platform/origin.ts";
import { type Problem, problem } from "../platform/problem.ts";
import type { RateLimits } from "../platform/rate-limit.ts";
import { parseInput, parseJson, readBody, readUpload } from "../platform/request-body.ts";

export type GateParts = {
  publicUrl: string;
  limits: RateLimits;
  sessions: SessionGate;
  activity: ActivityLog;
};

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
  const waitS = await parts.limits.take(row.limit, networkOf(address));
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
  let change: Change | null = null;
  const call: ApiCall = {
    ...input,
    viewer: { ...viewer },
    address,
    visitor: () => {
      if (viewer.visitorId !== null) return viewer.visitorId;
      const made = parts.sessions.newVisitor();
      viewer.visitorId = made.visitorId;
      cookies.push(made.cookie);
      return made.visitorId;
    },
    header: (name) => request.headers.get(name),
    setCookie: (cookie) => cookies.push(cookie),
    log: (given) => {
      change = given;
    },
  };
  if (row.access !== "admin" || row.method === "GET") return { answer: await row.handle(call), cookies };
  const sessionId = viewer.adminSessionId ?? null;
  const entry = await parts.activity.begin({ row, sessionId, params: incoming.pathParams });
  try {
    const answer = await row.handle(call);
    await entry.end("problem" in answer ? "refused" : "done", change);
    return { answer, cookies };
  } catch (error) {
    await entry.end("failed", change);
    throw error;
  }
}

type Input = Pick<ApiCall, "params" | "query" | "body" | "rawBody" | "file">;

async function readInput(row: AnyApiRoute, { request, pathParams }: Incoming): Promise<Input | Problem> {
  const input: Input = { params: undefined, query: undefined, body: undefined, rawBody: "", file: null };
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
  if (row.upload) {
    const upload = await readUpload(request, row.upload);
    if ("problem" in upload) return upload;
    input.file = upload.file;
    const body = row.body ? parseInput(upload.fields, row.body) : { value: upload.fields };
    if ("problem" in body) return body;
    input.body = body.value;
    return input;
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
