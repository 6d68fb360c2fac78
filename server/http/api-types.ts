import type * as v from "valibot";
import type { ApiRows } from "../features.ts";

/** The key of every call of the API, as `GET /api/products/:slug`. */
export type ApiKeys = ApiRows["key"];
type RowsByKey = { [Row in ApiRows as Row["key"]]: Row };

type Body<S> = [S] extends [undefined]
  ? { body?: never }
  : S extends v.GenericSchema
    ? Record<never, never> extends v.InferInput<S>
      ? { body?: v.InferInput<S> }
      : { body: v.InferInput<S> }
    : never;

/** Text of an address, for the row to check; what is null or missing is left out. */
type Query<S> = [S] extends [undefined]
  ? { query?: never }
  : S extends v.GenericSchema
    ? { query?: { [Name in keyof v.InferInput<S>]?: string | number | boolean | null | undefined } }
    : never;

/** Of an address: numbers are written out. */
type Params<S> = [S] extends [undefined]
  ? { params?: never }
  : S extends v.GenericSchema
    ? { params: { [Name in keyof v.InferInput<S>]: string | number } }
    : never;

/** By key, so that the compiler works out one row at a time, and never all of them against each other. */
type Inputs = {
  [K in ApiKeys]: Params<Defined<RowsByKey[K]["params"]>> &
    Query<Defined<RowsByKey[K]["query"]>> &
    Body<Defined<RowsByKey[K]["body"]>>;
};
type Bodies = {
  [K in ApiKeys]: Defined<RowsByKey[K]["response"]> extends v.GenericSchema
    ? v.InferOutput<Defined<RowsByKey[K]["response"]>>
    : undefined;
};

/** What a call takes: its row's `params`, `query` and `body`, before they are checked. */
export type ApiInput<K extends ApiKeys> = Inputs[K];

type Defined<T> = [Exclude<T, undefined>] extends [never] ? undefined : Exclude<T, undefined>;

/** What a successful call answers beside `success: true`. */
export type ApiBody<K extends ApiKeys> = Bodies[K];

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

export type ApiAnswer<Body> = { ok: true; body: Body } | { ok: false; problem: ApiProblem };
/** The second argument of a call: left out where nothing is needed. */
export type ApiInputArgs<K extends ApiKeys, Options = unknown> =
  Record<never, never> extends ApiInput<K> ? [input?: ApiInput<K> & Options] : [input: ApiInput<K> & Options];
