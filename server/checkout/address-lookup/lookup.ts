import * as v from "valibot";
import type { FoundAddress } from "./address-parts.ts";

type Suggestion = { id: string; text: string };

/** `text`: the part of the street that has been entered so far; `country`: a country code. */
type Query = { text: string; country: string };

/** `session` groups the calls for one address, from the first letter to the selection; Google bills per session. */
type LookupCall = { session: string; signal: AbortSignal };

/**
 * Suggests addresses. Throws `LookupUnavailable` if the service gives no usable response; its message contains neither the key
 * nor parts of an address.
 */
export type AddressLookup = {
  /** The text that the service requires below its suggestions; null if there is none. */
  attribution: string | null;
  suggest(query: Query, call: LookupCall): Promise<Suggestion[]>;
  /** Null if the id is unknown or has expired. */
  address(id: string, call: LookupCall): Promise<FoundAddress | null>;
};

export class LookupUnavailable extends Error {
  override name = "LookupUnavailable";
}

export type CallService = <const S extends v.GenericSchema>(
  path: string,
  init: RequestInit,
  schema: S,
) => Promise<v.InferOutput<S> | null>;

export const maxSuggestions = 5;

/** A function that calls a service with a timeout and validates its response; it returns null for a 404. */
export function serviceCaller(base: string, timeoutMs: number): CallService {
  return async (path, init, schema) => {
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
    let status = 0;
    try {
      const response = await fetch(base.replace(/\/$/, "") + path, { ...init, signal, redirect: "error" });
      status = response.status;
      if (response.ok) return v.parse(schema, await response.json());
    } catch {
      // The original error may contain the requested address or the key.
      if (init.signal?.aborted) throw new LookupUnavailable("the caller is gone");
      if (limit.aborted) throw new LookupUnavailable(`no answer within ${timeoutMs} ms`);
      throw new LookupUnavailable(status === 0 ? "it could not be reached" : "its answer cannot be read");
    }
    if (status === 404) return null;
    throw new LookupUnavailable(`it answered with status ${status}`);
  };
}
