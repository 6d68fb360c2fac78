import type * as v from "valibot";

/**
 * A successful response. `body` is sent as JSON with `success: true`; undefined sends none. `stream` is sent while it
 * is produced, with its own type.
 */
export type ApiResponse<Body = unknown> = {
  status: 200 | 201 | 202 | 204;
  body?: Body;
  stream?: ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
};

/**
 * A change made by an admin's call, for the activity log. `before` and `after` have only the changed fields, never a
 * secret.
 */
export type LoggedChange = {
  /** `product:1`, `order:<id>`; by default the object in the call's path (`/orders/:id`), if there is one. */
  subject?: string;
  /** Description for people: "Price of Pure Batana Oil: $29.95 → $31.95". */
  summary: string;
  before?: unknown;
  after?: unknown;
};

/** The part of an API row (server/api-row.ts) that describes its response. */
export type ResponseDescription = {
  key: string;
  access: "anyone" | "admin" | "provider";
  response?: v.GenericSchema | undefined;
  file?: readonly string[];
  handsOutLink?: true;
};

/** A failed call, as pages and the browser see it. `status` is 0 without a response (offline, timed out, not JSON). */
export type ApiProblem = {
  status: number;
  /** The API's error code; `offline` or `timeout` if there was no response. */
  error: string;
  message: string;
  /** With `validation_failed`: path -> message. */
  fields: Record<string, string>;
  /** With `out_of_stock`: units left by product id. */
  available: Record<string, number>;
  /** With `price_changed`: names of automatic discounts that this buyer cannot have. */
  refusedDiscounts?: string[];
  /** With `invalid_state`: the current state, if another person changed it in the meantime. */
  current?: unknown;
  /** With `rate_limited`: seconds to wait. */
  retryAfterSeconds: number | null;
};

export type ApiResult<Body> = { ok: true; body: Body } | { ok: false; problem: ApiProblem };
