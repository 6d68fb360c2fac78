import * as v from "valibot";
import type { NonOwnerRole } from "../domain/people/roles.ts";
import type { ShopContext } from "./context.ts";
import type { Topic } from "./platform/database/change-feed.ts";
import type { ApiResponse, LoggedChange } from "./platform/http/api-response.ts";
import { notFoundProblem, type Problem } from "./platform/http/problem.ts";
import type { LimitName } from "./platform/http/rate-limit.ts";
import type { UploadedFile } from "./platform/http/request-body.ts";
import type { Viewer, VisitorId } from "./platform/http/viewer.ts";

/**
 * Callers that a row admits, and its rate limit, if any. `provider` calls are authenticated by signature and exempt from the
 * origin check.
 */
type Access = { access: "admin"; limit?: LimitName } | { access: "anyone" | "provider"; limit: LimitName };
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type MediaType = `${string}/${string}`;
/** Method and path in Hono's notation: `GET /api/products/:slug`. */
type ApiKey = `${Method} /api/${string}`;

type Schema = v.GenericSchema | undefined;
type Output<S extends Schema> = S extends v.GenericSchema ? v.InferOutput<S> : undefined;
/** Body of a handler's response without `success`; undefined without a schema. */
type BodyOf<S extends Schema> = Output<S>;

/** The definition of a row; see `ApiRow`. */
type RowDefinition<
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Response extends Schema,
> = Access & {
  tag: string;
  summary: string;
  /** For an `admin` row: roles that may call it besides the owner. By default, only the owner may. */
  roles?: readonly NonOwnerRole[];
  /** For a `GET` that costs the owner money: refuses calls from other sites, too. */
  ownPagesOnly?: true;
  /** For an `admin` row: its response is downloaded as a file, which the activity log records although no data changes. */
  downloads?: true;
  /** For an `admin` row other than a `GET`: it only reads, so the activity log does not record it. */
  onlyReads?: true;
  /**
   * For an `admin` row: why the user must confirm their identity, unless they did within the last minutes ("Keys are
   * changed"); null if this input needs no confirmation.
   */
  confirm?:
    | string
    | ((
        ctx: ShopContext,
        call: Pick<ApiCall<Output<Params>, Output<Query>, Output<Body>>, "params" | "query" | "body">,
      ) => Promise<string | null>);
  /**
   * For an `admin` row: it may give away money, which is counted and must be confirmed above the owner's limit
   * (`enforceConfirmationLimit`).
   */
  givesAway?: true;
  /**
   * For an `anyone` row: a buyer acts on an order, pays, or uses a link. In a browser with an admin session, the call is
   * logged as an action of that person.
   */
  byBuyer?: true;
  /**
   * For an `admin` row: its response contains a link with a token, to be passed on. In other responses the gate disables such
   * links.
   */
  handsOutLink?: true;
  /** For an `admin` row about the caller's own account or session, which an API key does not have. */
  notForKeys?: true;
  params?: Params;
  query?: Query;
  /** JSON body. Without a schema the body is not parsed; `provider` routes get it raw. */
  body?: Body;
  /** `multipart/form-data` instead of JSON: one file of at most `maxBytes` in the named field; the other fields are the body. */
  upload?: { field: string; maxBytes: number };
  /** Header -> its purpose, for the description. */
  headers?: Record<string, string>;
  /** Whether the shop serves the row and describes it in the API's documentation; by default, it does. */
  isServed?(ctx: ShopContext): boolean;
  /**
   * The body of every success, without `success: true`; mostly `dataEnvelope(schema)`. A row without it responds with 204 or a
   * file. The tests' shop checks responses against the schema; production does not.
   */
  response?: Response;
  /** Media types of the file that the call returns instead of JSON, without their parameters. */
  file?: readonly [MediaType, ...MediaType[]];
  /**
   * The response depends on the path alone and is the same for all callers: its bytes are cached until one of these
   * topics changes. Only for `GET`, `anyone` and no limit, without a query.
   */
  cache?: readonly Topic[];
  /** Status -> its meaning, for the description; without the problems that all calls have in common. */
  responses: Record<number, string>;
  handle(
    ctx: ShopContext,
    call: ApiCall<Output<Params>, Output<Query>, Output<Body>>,
  ): Promise<ApiResponse<BodyOf<Response>> | Problem>;
};

/**
 * One row of the API: input, access, limit, response and handler. The HTTP server, the API's description (openapi.ts), pages
 * and the browser's `callApi` all use the rows, so that no call is served without its checks, and description and types
 * always match it.
 */
type ApiRow<
  Key extends ApiKey,
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Response extends Schema,
> = RowDefinition<Params, Query, Body, Response> & {
  key: Key;
  method: Method;
  path: string;
  limit: LimitName;
};

export type ApiCall<Params = unknown, Query = unknown, Body = unknown> = {
  params: Params;
  query: Query;
  body: Body;
  rawBody: string;
  /** Null unless the row has `upload`. */
  file: UploadedFile | null;
  viewer: Viewer;
  /**
   * The caller's visitor id; created, with its cookie, for a new visitor. It may not be in the database yet: call
   * `rememberVisitor` before storing something about a visitor.
   */
  visitor(): VisitorId;
  /** The caller's network address, seen through trusted proxies. */
  address: string;
  /** Aborted when the caller disconnects before the response. */
  signal(): AbortSignal;
  header(name: string): string | null;
  setCookie(cookie: string): void;
  /** Describes the change for the activity log, or gives its summary alone; a later call replaces an earlier one. */
  log(change: LoggedChange | string): void;
};

/** The input of an in-process call, not yet validated. */
export type UncheckedInput = { params?: unknown; query?: unknown; body?: unknown };

// biome-ignore lint/suspicious/noExplicitAny: a list of rows of different shapes; each row was checked by `route`
export type AnyApiRow = ApiRow<any, any, any, any, any>;

/** Defines one row; its types are inferred, and apply to every call by its key. */
export function route<
  const Key extends ApiKey,
  Params extends Schema = undefined,
  Query extends Schema = undefined,
  Body extends Schema = undefined,
  Response extends Schema = undefined,
>(
  key: Key,
  definition: RowDefinition<Params, Query, Body, Response>,
): ApiRow<Key, Params, Query, Body, Response> {
  const [method, path] = key.split(" ") as [Method, string];
  return { limit: "none", ...definition, key, method, path };
}

/** The schema of a body with its response in `data`, as nearly all have. */
export function dataEnvelope<const S extends v.GenericSchema>(schema: S) {
  return v.object({ data: schema });
}

/** `{"success": true, "data": ...}` */
export function ok<T>(data: T): ApiResponse<{ data: T }> {
  return { status: 200, body: { data } };
}

/** `ok`, or 404 if there is no `data`. */
export function okOrNotFound<T>(
  noun: string,
  data: T | null | undefined,
): ApiResponse<{ data: T }> | Problem {
  return data ? ok(data) : notFoundProblem(noun);
}

export function created<T>(data: T): ApiResponse<{ data: T }> {
  return { status: 201, body: { data } };
}

/** 202: the work is done in the background. */
export function accepted<T>(data: T): ApiResponse<{ data: T }> {
  return { status: 202, body: { data } };
}

/** For rows whose fields must be at the top level of the body by the API's contract: repeats them in `data`. */
export function okFlat<T extends object>(data: T): ApiResponse<T & { data: T }> {
  return { status: 200, body: { ...data, data } };
}

/** The schema of a response by `okFlat`. */
export function flatDataEnvelope<const E extends v.ObjectEntries>(entries: E) {
  return v.object({ ...entries, data: v.object(entries) });
}
