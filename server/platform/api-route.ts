import type * as v from "valibot";
import type { Problem } from "./problem.ts";
import type { Viewer, VisitorId } from "./viewer.ts";

/** Who may call. `provider` calls prove themselves by signature and are spared the origin check. */
export type Access = "anyone" | "admin" | "provider";
export type LimitName =
  | "checkout"
  | "contact"
  | "discount"
  | "lookup"
  | "reminder"
  | "review"
  | "write"
  | "none";

type Schema = v.GenericSchema | undefined;
type Output<S extends Schema> = S extends v.GenericSchema ? v.InferOutput<S> : undefined;

/**
 * One row of the API: what it takes, who may call it, how often, and what it does. http.ts serves the rows and
 * openapi.ts describes them, so that a call cannot be served without its checks, nor described otherwise than checked.
 */
export type ApiRoute<Params extends Schema, Query extends Schema, Body extends Schema> = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Hono's notation: `/api/products/:slug`. */
  path: string;
  tag: string;
  summary: string;
  access: Access;
  limit: LimitName;
  params?: Params;
  query?: Query;
  /** JSON body. Without it what is sent is not parsed; `provider` routes get it raw. */
  body?: Body;
  /** `multipart/form-data` instead of JSON: one file of at most `bytesMax` in the field named so; other fields are the body. */
  upload?: { field: string; bytesMax: number };
  /** Header -> what it is for, for the description. */
  headers?: Record<string, string>;
  /** Status -> what it means, for the description; refusals by code beside the ones every call shares. */
  answers: Record<number, string>;
  handle(call: ApiCall<Output<Params>, Output<Query>, Output<Body>>): Promise<Answer | Problem>;
};

export type ApiCall<Params = unknown, Query = unknown, Body = unknown> = {
  params: Params;
  query: Query;
  body: Body;
  rawBody: string;
  /** Where the row has `upload`. */
  file: UploadedFile | null;
  viewer: Viewer;
  /**
   * The caller's visitor id, made (with its cookie) if it has none yet. There may be no row of it: who writes something
   * down about a visitor calls `rememberVisitor` first.
   */
  visitor(): VisitorId;
  /** The caller's network address, seen through trusted proxies. */
  address: string;
  header(name: string): string | null;
  setCookie(cookie: string): void;
  /** What an admin's call changes, for the activity log; the last one given counts. */
  log(change: Change): void;
};

export type UploadedFile = { name: string; bytes: Buffer };

/** For the activity log. `before` and `after` hold what changed alone, and never a secret. */
export type Change = {
  /** `product:1`, `order:<id>`; missing: nothing that has an id. */
  subject?: string;
  /** A sentence for people: "Price of Pure Batana Oil: $29.95 → $31.95". */
  summary: string;
  before?: unknown;
  after?: unknown;
};

/** A successful answer. `body` is sent as JSON, undefined sends none; `stream` is sent as it comes, with its own type. */
export type Answer = {
  status: 200 | 201 | 202 | 204;
  body?: unknown;
  stream?: ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
};

// biome-ignore lint/suspicious/noExplicitAny: a list of rows of different shapes; each row was checked by `route`
export type AnyApiRoute = ApiRoute<any, any, any>;

/** Checks one row's types and forgets them, so that rows of different shapes fit into one list. */
export function route<
  Params extends Schema = undefined,
  Query extends Schema = undefined,
  Body extends Schema = undefined,
>(row: ApiRoute<Params, Query, Body>): AnyApiRoute {
  return row;
}

/** `{"success": true, "data": ...}` */
export function ok(data: unknown): Answer {
  return { status: 200, body: { success: true, data } };
}

/** For rows whose shape the contract gives as the whole body: its fields stand there, and in `data` as everywhere. */
export function okWhole(data: object): Answer {
  return { status: 200, body: { success: true, ...data, data } };
}
