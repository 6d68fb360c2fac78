import { createHash } from "node:crypto";
import * as v from "valibot";
import { isAllowed, roleNames } from "../../domain/people/roles.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { waitText } from "../../domain/shared/wait-text.ts";
import { headline } from "../admin/activity.ts";
import { ConfirmationRequired } from "../admin/confirmation-limit.ts";
import type { AnyApiRow, ApiCall, UncheckedInput } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { countGivenByKey, findApiKey } from "../people/api-keys.ts";
import { isConfirmed, mustConfirm } from "../people/confirm.ts";
import { onceByKey } from "../people/idempotent-calls.ts";
import { type Actor, actingAs, actingAsBuyer } from "../platform/http/actor.ts";
import type { ApiResponse, LoggedChange } from "../platform/http/api-response.ts";
import { withInertLinksIn } from "../platform/http/inert-links.ts";
import { type Problem, problem, rateLimited } from "../platform/http/problem.ts";
import { parseInput, parseJson, readBody, readUpload } from "../platform/http/request-body.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { recordOrderId } from "../platform/process/running-work.ts";
import { today } from "../settings/today.ts";
import { withoutMoney } from "./without-money.ts";

/** The caller, over HTTP or from a page being rendered. */
export type Caller = {
  /** Request headers: cookies and those that the row reads. */
  headers: Headers;
  /** The caller's network address, seen through trusted proxies. */
  address: string;
  /** Whether the origin that the browser sent may make this call: any site may read, only the shop's own pages may write. */
  isOriginAllowed: boolean;
  /** Whether the browser reports that another site made the call, including calls that only read. */
  isFromOtherSite: boolean;
  pathParams: Record<string, string>;
  /** An API key (`Authorization: Bearer`), with which cookies and origin are ignored. */
  bearer?: string | undefined;
  /** Undefined for callers that cannot disconnect. */
  signal?(): AbortSignal;
};
export type Outgoing<Body = unknown> = { result: ApiResponse<Body> | Problem; cookies: string[] };
type Input = Pick<ApiCall, "params" | "query" | "body" | "rawBody" | "file">;

const neverAborted = new AbortController().signal;

/**
 * The only way into every API call, so that no new row can omit a check: origin, rate limit, access, role, and only then
 * its input (a caller without access is refused before its body is parsed).
 */
export async function passGate(
  ctx: ShopContext,
  row: AnyApiRow,
  caller: Caller,
  readInput: () => Promise<Input | Problem>,
): Promise<Outgoing> {
  const { headers, address } = caller;
  const bearer = row.access === "provider" ? undefined : caller.bearer;
  const refuse = (refusal: Problem): Outgoing => ({ result: refusal, cookies: [] });
  const isOriginRefused = row.ownPagesOnly ? caller.isFromOtherSite : !caller.isOriginAllowed;
  if (row.access !== "provider" && isOriginRefused && bearer === undefined) {
    return refuse(problem("forbidden", "This call must come from the shop’s own pages."));
  }
  const waitS = await ctx.limits.takeFrom(row.limit, address);
  if (waitS !== null) return refuse(tooMany("tries", waitS));
  const viewer =
    bearer === undefined
      ? await ctx.sessions.viewer(headers.get("cookie"), address)
      : await keyViewer(ctx, row, bearer, address);
  if ("problem" in viewer) return refuse(viewer);
  const keyId = viewer.admin?.isKey ? viewer.admin.sessionId : null;
  if (row.access === "admin") {
    if (!viewer.admin) return refuse(problem("unauthorized", "Please unlock the admin panel first."));
    const { role } = viewer.admin;
    if (!isAllowed(role, row.roles)) {
      const name = roleNames[role].toLowerCase();
      return refuse(problem("forbidden", `The role ${name} may not do this. Please ask the owner.`));
    }
  }
  const isUnconfirmed = row.confirm !== undefined && !isConfirmed(ctx, viewer);
  if (isUnconfirmed && typeof row.confirm === "string") return refuse(mustConfirm(row.confirm));
  const input = await readInput();
  if ("problem" in input) return refuse(input);
  recordCallOrderId(row, input);
  if (isUnconfirmed && typeof row.confirm === "function") {
    const reason = await row.confirm(ctx, input);
    if (reason !== null) return refuse(mustConfirm(reason));
  }
  const cookies: string[] = [];
  let change: LoggedChange | null = row.byBuyer ? { summary: `As a buyer: ${row.summary}` } : null;
  const call: ApiCall = {
    ...input,
    viewer: { ...viewer },
    address,
    visitor: () => {
      if (viewer.visitorId !== null) return viewer.visitorId;
      const visitor = ctx.sessions.newVisitor();
      viewer.visitorId = visitor.visitorId;
      cookies.push(visitor.cookie);
      return visitor.visitorId;
    },
    signal: () => caller.signal?.() ?? neverAborted,
    header: (name) => (keyId === null ? headers.get(name) : keyHeader(headers, name, keyId)),
    setCookie: (cookie) => cookies.push(cookie),
    log: (entry) => {
      change = typeof entry === "string" ? { summary: entry } : entry;
    },
  };
  const actor = row.access === "admin" || row.byBuyer ? await readActor(ctx, viewer, row) : null;
  const writes = row.method !== "GET" && !row.onlyReads;
  const handle = async () => {
    const run = () => row.handle(ctx, call);
    const result = await (actor ? actingAs(actor, run) : run()).catch((error: unknown) => {
      if (error instanceof ConfirmationRequired) return problem("confirmation_required", error.message);
      throw error;
    });
    // A read that follows this response must see the change and not an older cached value.
    if (writes) await ctx.changes.waitUntilCaughtUp();
    const safeResult = row.access === "admin" && !row.handsOutLink ? withInertLinks(result) : result;
    ctx.onResponse?.(row, safeResult);
    if (row.access !== "admin") return safeResult;
    return viewer.admin?.role === "packer" ? withoutMoneyIn(safeResult) : safeResult;
  };
  const isReadLogged = keyId !== null && !writes && shouldLogRead(keyId, row, ctx.now());
  const isLogged = row.downloads || writes || isReadLogged;
  const handleLogged = async () => {
    const entry = await ctx.activity.begin({ row, admin: viewer.admin, params: input.params });
    try {
      const result = await handle();
      const outcome = "problem" in result ? "refused" : "done";
      if (isReadLogged && !row.downloads) change ??= { summary: `Read: ${headline(row.summary)}` };
      await entry.end(outcome, change ?? loggedDownload(row, result));
      return result;
    } catch (error) {
      await entry.end("failed", change);
      throw error;
    }
  };
  const run = isLogged && (actor !== null || keyId !== null) ? handleLogged : handle;
  const idempotencyKey = writes ? headers.get("idempotency-key") : null;
  if (keyId === null || idempotencyKey === null) return { result: await run(), cookies };
  if (idempotencyKey === "" || idempotencyKey.length > 255) {
    const fields = { "Idempotency-Key": "1 to 255 characters" };
    return refuse(problem("validation_failed", "The Idempotency-Key header is invalid.", { fields }));
  }
  const keyedCall = { row, input, personId: keyId, idempotencyKey };
  return { result: await onceByKey(ctx, keyedCall, run), cookies };
}

function tooMany(noun: string, waitS: number): Problem {
  return rateLimited(`Too many ${noun}. Please wait ${waitText(waitS)}.`, waitS);
}

/** The viewer of an API key, or why the key is refused. */
async function keyViewer(
  ctx: ShopContext,
  row: AnyApiRow,
  bearer: string,
  address: string,
): Promise<Viewer | Problem> {
  const admin = await findApiKey(ctx, bearer, address);
  if (!admin) {
    return problem("unauthorized", "This API key is unknown, has expired or was revoked.", {
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  const waitS = await ctx.limits.take("apiKey", admin.sessionId);
  if (waitS !== null) return tooMany("calls with this key", waitS);
  if (row.notForKeys || row.byBuyer) {
    return problem("forbidden", "An API key may not do this: it is for people and buyers.");
  }
  return { visitorId: null, admin };
}

/** A header of a call with an API key: cookies are hidden, and an Idempotency-Key is valid for that API key only. */
function keyHeader(headers: Headers, name: string, keyId: string): string | null {
  const lowerName = name.toLowerCase();
  if (lowerName === "cookie") return null;
  const value = headers.get(name);
  if (lowerName !== "idempotency-key" || value === null || value === "" || value.length > 255) return value;
  return createHash("sha256")
    .update(JSON.stringify([keyId, value]))
    .digest("hex");
}

const readLogIntervalMs = 60 * 60_000;
const loggedReads = new Map<string, number>();

/** Whether to log a reading call of an API key: once an hour on each server, since programs repeat such calls. */
function shouldLogRead(keyId: string, { key }: AnyApiRow, now: Date): boolean {
  const entry = `${keyId} ${key}`;
  const lastLoggedAt = loggedReads.get(entry);
  if (lastLoggedAt !== undefined && now.getTime() - lastLoggedAt < readLogIntervalMs) return false;
  loggedReads.set(entry, now.getTime());
  return true;
}

/** Records the order in the call's path for log lines. Other calls record it once they have found the order (`lockOrder`). */
function recordCallOrderId({ path }: AnyApiRow, { params }: Input): void {
  if (!/\/orders\/:id\b/.test(path) || !params || typeof params !== "object" || !("id" in params)) return;
  if (v.is(uuidSchema, params.id)) recordOrderId(params.id);
}

/** The panel user who makes this call, with the limit of money that they may give away by it. */
async function readActor(
  ctx: ShopContext,
  viewer: Viewer,
  { givesAway, byBuyer }: AnyApiRow,
): Promise<Actor | null> {
  if (!viewer.admin) return null;
  const { sessionId, person } = viewer.admin;
  const personId = person?.id ?? null;
  if (byBuyer) return actingAsBuyer({ sessionId, personId }, "in a browser with the panel open");
  const confirmationLimit = givesAway
    ? {
        limitCents: (await ctx.ownerSettings()).confirmAboveCents,
        isConfirmed: isConfirmed(ctx, viewer),
        countForKey: viewer.admin.isKey ? countGivenByKey(sessionId, await today(ctx)) : null,
      }
    : null;
  return { sessionId, personId, confirmationLimit };
}

/** Disables links with a secret token, which only their recipients may open. */
function withInertLinks(result: ApiResponse | Problem): ApiResponse | Problem {
  if ("problem" in result) return withInertLinksIn(result) as Problem;
  return { ...result, body: withInertLinksIn(result.body) };
}

/** The log entry of a download, with the file's name. The search text is omitted: it may be a person's name. */
function loggedDownload({ downloads }: AnyApiRow, result: ApiResponse | Problem): LoggedChange | null {
  if (!downloads || "problem" in result) return null;
  const name = /filename(?:="([^"]*)"|\*=UTF-8''(.*))$/.exec(result.headers?.["Content-Disposition"] ?? "");
  return { summary: `Downloaded ${name?.[1] ?? decodeURIComponent(name?.[2] ?? "a file")}` };
}

/** Hides amounts in every response to a person who packs parcels. A refusal keeps its message but loses `current`. */
function withoutMoneyIn(result: ApiResponse | Problem): ApiResponse | Problem {
  if (!("problem" in result)) return { ...result, body: withoutMoney(result.body) };
  const { current: _, ...visible } = result;
  return visible;
}

/** Validates the input of an in-process call by the same schemas. */
export async function checkInput(row: AnyApiRow, unchecked: UncheckedInput): Promise<Input | Problem> {
  const input: Input = { params: undefined, query: undefined, body: undefined, rawBody: "", file: null };
  if (row.params) {
    const params = parseInput(unchecked.params ?? {}, row.params);
    // An invalid path is not found; there is no form to correct.
    if ("problem" in params) return problem("not_found", "There is nothing at this address.");
    input.params = params.value;
  }
  if (row.query) {
    const query = parseInput(unchecked.query ?? {}, row.query);
    if ("problem" in query) return query;
    input.query = query.value;
  }
  if (row.body) {
    const body = parseInput(unchecked.body ?? {}, row.body);
    if ("problem" in body) return body;
    input.body = body.value;
  }
  return input;
}

export async function readInput(
  row: AnyApiRow,
  request: Request,
  pathParams: Record<string, string>,
): Promise<Input | Problem> {
  const query = row.query && Object.fromEntries(new URL(request.url).searchParams);
  const input = await checkInput({ ...row, body: undefined }, { params: pathParams, query });
  if ("problem" in input) return input;
  if (row.upload) {
    const upload = await readUpload(request, row.upload);
    if ("problem" in upload) return upload;
    input.file = upload.file;
    const body = row.body ? parseInput(upload.fields, row.body) : { value: upload.fields };
    if ("problem" in body) return body;
    input.body = body.value;
    return input;
  }
  // Rows without a body read it too, so that the limit applies to a body that is sent anyway.
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
