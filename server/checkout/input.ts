import { createHash } from "node:crypto";
import type { CheckoutRequest } from "../../domain/checkout/checkout.ts";
import type { Totals } from "../../domain/checkout/totals.ts";
import type { DiscountLookup } from "../../domain/discounts/discount-terms.ts";
import type { AgreedPrices } from "../cart/quote.ts";
import type { PlacedOrder } from "../orders/commands.ts";
import type { OpenedPayment } from "../payments/opening/opening.ts";
import type { VisitorId } from "../platform/http/viewer.ts";

export type CheckoutInput = {
  visitorId: VisitorId;
  /** Whether the request had a visitor cookie; if not, the visitor is new. */
  isKnownVisitor: boolean;
  /** The caller's network (`networkPrefix`). */
  buyerNetwork: string;
  idempotencyKey: string | null;
  kind: "intent" | "session";
  request: CheckoutRequest;
  /** The discount of a draft order, which replaces a code. If `id` is null, its use is not counted. */
  discount?: DiscountLookup & { id: null | number; personalCode?: string | null };
  /** Prices of a draft order, which replace the shop's. */
  agreed?: AgreedPrices;
};

export type CheckoutResult =
  | { ok: true; order: PlacedOrder; totals: Totals; payment: OpenedPayment }
  | { ok: false; reason: "price_changed"; total: number; refusedDiscounts?: string[] }
  | { ok: false; reason: "paused"; text: string }
  | { ok: false; reason: "too_many_declines"; waitSeconds: number }
  | { ok: false; reason: "out_of_stock"; available: Record<string, number> }
  | { ok: false; reason: "invalid"; fields: Record<string, string>; isCodeUnknown?: boolean }
  | { ok: false; reason: "key_reused" | "order_closed" | "provider_unavailable" | "provider_refused" };

export type CheckoutRefusal = Extract<CheckoutResult, { ok: false }>;

/**
 * Hash of visitor and Idempotency-Key; null without a key. Callers without a cookie share one key space, because a client that did
 * not get the first response has no cookie and must still get the same order. Every response sets a cookie for later calls.
 */
export function ownKey(input: CheckoutInput): Buffer | null {
  return input.idempotencyKey === null
    ? null
    : hashCallKey(input.isKnownVisitor ? input.visitorId : null, input);
}

/** Hash of the whole request, including amounts, but without the buyer's source, which another tab may not know. */
export function hashRequest({ kind, request: { source: _, ...request } }: CheckoutInput): Buffer {
  return hash(["request", kind, request]);
}

/** Hash of the Idempotency-Key for callers without a cookie. */
export function sharedKey(input: CheckoutInput): Buffer {
  return hashCallKey(null, input);
}

function hashCallKey(visitorId: string | null, { idempotencyKey }: CheckoutInput): Buffer {
  return hash(["key", visitorId, idempotencyKey]);
}

function hash(value: unknown): Buffer {
  return createHash("sha256").update(JSON.stringify(value)).digest();
}
