import * as v from "valibot";
import type { FoundAddress } from "./address-parts.ts";

export type Suggestion = { id: string; text: string };

/** A query is what a shopper has typed of a street; `country` is a code. */
export type Query = { text: string; country: string };

/** `session`: one address being typed, from the first letter to the pick; Google bills by it. */
export type Asked = { session: string; signal: AbortSignal };

/**
 * Suggests addresses. Throws `LookupUnavailable` where the service gives no usable answer, whatever the reason; neither
 * the key nor anything of an address is in its message.
 */
export type AddressLookup = {
  /** What the service wants to be written below its suggestions; null: nothing. */
  attribution: string | null;
  suggest(query: Query, asked: Asked): Promise<Suggestion[]>;
  /** Null: the service does not know this id (any more). */
  address(id: string, asked: Asked): Promise<FoundAddress | null>;
};

export class LookupUnavailable extends Error {
  override name = "LookupUnavailable";
}

export type AskService = <const S extends v.GenericSchema>(
  path: string,
  init: RequestInit,
  answer: S,
) => Promise<v.InferOutput<S> | null>;

export const suggestionsMax = 5;

/** Asks a service and parses its answer, which must come within `timeoutMs`. Null: 404. */
export function serviceAt(base: string, timeoutMs: number): AskService {
  return async (path, init, answer) => {
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
    let status = 0;
    try {
      const response = await fetch(base.replace(/\/$/, "") + path, { ...init, signal, redirect: "error" });
      status = response.status;
      if (response.ok) return v.parse(answer, await response.json());
    } catch {
      // What was thrown may quote the address that was asked for, or the key in it.
      if (init.signal?.aborted) throw new LookupUnavailable("the caller is gone");
      if (limit.aborted) throw new LookupUnavailable(`no answer within ${timeoutMs} ms`);
      throw new LookupUnavailable(status === 0 ? "it could not be reached" : "its answer cannot be read");
    }
    if (status === 404) return null;
    throw new LookupUnavailable(`it answered with status ${status}`);
  };
}
