import type { Stripe } from "stripe";
import type { CreateSession } from "../provider.ts";
import { isPlainEmail, paymentDetails } from "./details.ts";
import { orderMetadata, type ShopId } from "./metadata.ts";

const minute = 60 * 1000;
/** Stripe keeps a page open for 30 minutes at least and 24 hours at most. */
const openMinMs = 31 * minute;
const openMaxMs = 24 * 60 * minute;

/** The hosted page of an order. The same order gives the same parameters, as its idempotency key requires. */
export function sessionParams(input: CreateSession, shopId: ShopId): Stripe.Checkout.SessionCreateParams {
  const metadata = orderMetadata(input, shopId);
  return {
    mode: "payment",
    line_items: pageLines(input).map(({ name, quantity, unitAmount }) => ({
      quantity,
      price_data: { currency: input.currency.toLowerCase(), unit_amount: unitAmount, product_data: { name } },
    })),
    // The order has one currency; the page must not offer another.
    adaptive_pricing: { enabled: false },
    ...(isPlainEmail(input.email) ? { customer_email: input.email } : {}),
    client_reference_id: input.orderId,
    metadata,
    payment_intent_data: { metadata, ...paymentDetails(input) },
    success_url: input.successUrl,
    cancel_url: input.cancelUrl,
    ...pageExpiry(input),
  };
}

/** Lines that add up to the order's total, including shipping, tax and discounts. */
function pageLines({ lines, amount, orderNumber }: CreateSession): CreateSession["lines"] {
  const rest = amount - lines.reduce((sum, { quantity, unitAmount }) => sum + quantity * unitAmount, 0);
  if (rest === 0) return lines;
  // Stripe accepts no negative lines: with a discount, the page shows the total as one line.
  if (rest < 0) return [{ name: `Order #${orderNumber}`, quantity: 1, unitAmount: amount }];
  return [...lines, { name: "Shipping and tax", quantity: 1, unitAmount: rest }];
}

/**
 * Counted from the order's own times, not from now, so that a repeated call asks for the same. The order is not kept that
 * long: the job that ends it closes its page. Beyond Stripe's longest time, its own end holds.
 */
function pageExpiry({ createdAt = new Date(), expiresAt }: CreateSession): { expires_at?: number } {
  const closesAt = expiresAt.getTime() + openMinMs;
  const from = Math.min(createdAt.getTime(), Date.now());
  return closesAt > from + openMaxMs ? {} : { expires_at: Math.floor(closesAt / 1000) };
}
