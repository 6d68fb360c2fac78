import { createHash } from "node:crypto";
import type { ShopContext } from "../context.ts";
import type { OrderRow } from "../orders/lifecycle.ts";
import { findOrdersByKey, findPendingRepeat } from "../orders/queries.ts";
import type { CheckoutInput } from "./input.ts";

/** The order that this request already came to, if it is a repeat: by its Idempotency-Key, or without one by itself. */
export async function findRepeat(
  { db }: Pick<ShopContext, "db">,
  input: CheckoutInput,
): Promise<OrderRow | null> {
  const key = ownKey(input);
  // Who came without a cookie is a visitor made just now, with nothing to repeat.
  if (key === null && !input.isKnownVisitor) return null;
  if (key === null) return findPendingRepeat(db, input.visitorId, hashRequest(input));
  const found = await findOrdersByKey(db, [key, keyOf(null, input)], input.visitorId);
  // Somebody else's key only looks alike; a caller without a cookie may have lost the one that came with the answer.
  const meant = found.find(({ isOwn }) => isOwn || !input.isKnownVisitor);
  return meant?.order ?? null;
}

/**
 * A key belongs to whoever made the order with it, or was let into that by its answer. Callers without a cookie share one
 * space of keys: a client that lost the first answer has no cookie to repeat its call with, and still must get the same
 * order; each of its answers brings a cookie that does as well from then on. Null without a key.
 */
export function ownKey(input: CheckoutInput): Buffer | null {
  return input.idempotencyKey === null ? null : keyOf(input.isKnownVisitor ? input.visitorId : null, input);
}

/** What makes two requests the same: all of it, amounts included. */
export function hashRequest({ kind, request }: CheckoutInput): Buffer {
  return hash(["request", kind, request]);
}

function keyOf(visitorId: string | null, { idempotencyKey }: CheckoutInput): Buffer {
  return hash(["key", visitorId, idempotencyKey]);
}

function hash(value: unknown): Buffer {
  return createHash("sha256").update(JSON.stringify(value)).digest();
}
