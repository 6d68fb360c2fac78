import { createHash } from "node:crypto";
import type { ShopContext } from "../context.ts";
import type { OrderRow } from "../orders/lifecycle.ts";
import { findOrdersByKey, findPendingRepeat } from "../orders/queries.ts";
import type { CheckoutInput } from "./input.ts";

/** The order of an earlier identical request, by Idempotency-Key or, without one, by the request's hash. */
export async function findRepeat(
  { db }: Pick<ShopContext, "db">,
  input: CheckoutInput,
): Promise<OrderRow | null> {
  const key = ownKey(input);
  // Without a cookie the visitor is new and has no earlier request.
  if (key === null && !input.isKnownVisitor) return null;
  if (key === null) return findPendingRepeat(db, input.visitorId, hashRequest(input));
  const candidates = await findOrdersByKey(db, [key, keyOf(null, input)], input.visitorId);
  // Ignores orders of other visitors under an equal key, unless the caller may have lost the cookie of the first answer.
  const match = candidates.find(({ isOwn }) => isOwn || !input.isKnownVisitor);
  return match?.order ?? null;
}

/**
 * A key belongs to the visitors with access to its order. Callers without a cookie share one key space: a client that lost
 * the first answer has no cookie either, and must still get the same order; every answer sets a cookie that works from then
 * on. Null without a key.
 */
export function ownKey(input: CheckoutInput): Buffer | null {
  return input.idempotencyKey === null ? null : keyOf(input.isKnownVisitor ? input.visitorId : null, input);
}

/** Hash of the whole request, including amounts. */
export function hashRequest({ kind, request }: CheckoutInput): Buffer {
  return hash(["request", kind, request]);
}

function keyOf(visitorId: string | null, { idempotencyKey }: CheckoutInput): Buffer {
  return hash(["key", visitorId, idempotencyKey]);
}

function hash(value: unknown): Buffer {
  return createHash("sha256").update(JSON.stringify(value)).digest();
}
