import { data } from "react-router";
import { isDatabaseUnavailable } from "../platform/database/database.ts";
import type { Shop } from "./shop.ts";

/**
 * Wraps the shop for pages: an unavailable database throws a 503, which error pages distinguish from a missing page and
 * from a fault.
 */
export function shopForPages(shop: Shop): Shop {
  const unavailable = (error: unknown) => {
    throw isDatabaseUnavailable(error) ? data(null, { status: 503 }) : error;
  };
  return new Proxy(shop, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => {
        const answer: unknown = Reflect.apply(member, target, given);
        return isThenable(answer) ? Promise.resolve(answer).catch(unavailable) : answer;
      };
    },
  });
}

/** A shop whose calls all throw a 503, for callers whom the database cannot identify. */
export function unavailableShop(shop: Shop): Shop {
  return new Proxy(shop, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? () => Promise.reject(data(null, { status: 503 })) : member;
    },
  });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value;
}
