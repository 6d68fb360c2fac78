import type * as v from "valibot";
import type { ApiRows } from "./features.ts";
import type { ApiResult } from "./platform/http/api-response.ts";

type Row = { params?: unknown; query?: unknown; body?: unknown; response?: unknown };
type Schema<R extends Row, Name extends keyof Row> = Exclude<R[Name], undefined>;
type InputOf<S> = S extends v.GenericSchema ? v.InferInput<S> : never;

/** Path parameters; numbers are converted. */
type Params<S> = [S] extends [never]
  ? { params?: never }
  : { params: { [Name in keyof InputOf<S>]: string | number } };

/** Query parameters as text, for the row to check; null and undefined are left out. */
type Query<S> = [S] extends [never]
  ? { query?: never }
  : { query?: { [Name in keyof InputOf<S>]?: string | number | boolean | null | undefined } };

type Body<S> = [S] extends [never]
  ? { body?: never }
  : Record<never, never> extends InputOf<S>
    ? { body?: InputOf<S> }
    : { body: InputOf<S> };

/** Fields of a form, for the row to check: their names are known, their values are not. */
type FormBody<S> = [S] extends [never]
  ? { body?: never }
  : { body?: { [Name in keyof InputOf<S>]?: unknown } };

type Input<R extends Row> = Params<Schema<R, "params">> & Query<Schema<R, "query">> & Body<Schema<R, "body">>;

/** Every call by its key. Computed row by row: a union of all inputs would be too much for the compiler. */
type Calls = {
  [R in ApiRows as R["key"]]: {
    input: Input<R>;
    form: Params<Schema<R, "params">> & Query<Schema<R, "query">> & FormBody<Schema<R, "body">>;
    isInputOptional: Record<never, never> extends Input<R> ? true : false;
    response: [Schema<R, "response">] extends [never]
      ? undefined
      : Schema<R, "response"> extends v.GenericSchema
        ? v.InferOutput<Schema<R, "response">>
        : never;
  };
};

/** The key of every call of the API, as `GET /api/products/:slug`. */
export type ApiKeys = keyof Calls;

/** The input of a call: its row's `params`, `query` and `body`, before validation. */
type ApiInput<K extends ApiKeys> = Calls[K]["input"];

/** The same for values from a form or a query string, which are not checked yet. */
export type ApiFormInput<K extends ApiKeys> = Calls[K]["form"];

/** The body of a success, without `success: true`. */
export type ApiBody<K extends ApiKeys> = Calls[K]["response"];

/** The arguments after the key; optional if no field is required. */
export type ApiInputArgs<K extends ApiKeys, Options = unknown> = Calls[K]["isInputOptional"] extends true
  ? [input?: ApiInput<K> & Options]
  : [input: ApiInput<K> & Options];

/** Calls the API within the server as the visitor of the page, with the same access checks as over HTTP. */
export type PageApi = {
  call<K extends ApiKeys>(key: K, input?: ApiFormInput<K>): Promise<ApiResult<ApiBody<K>>>;
};
