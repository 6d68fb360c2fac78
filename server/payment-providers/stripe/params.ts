import type { Stripe } from "stripe";
import type { CreateIntent, CreateSession } from "../provider.ts";
import { orderMetadata, type ShopId } from "./metadata.ts";

const minute = 60 * 1000;
/** Stripe keeps a page open for at least 30 minutes; one more allows for the call's duration. */
const minOpenMs = 31 * minute;
/** Stripe keeps a page open for at most 24 hours. */
const maxOpenMs = 24 * 60 * minute;

/** Parameters of an order's hosted page. They are always the same for the same order, as the idempotency key requires. */
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
  const remainingCents =
    amount - lines.reduce((sum, { quantity, unitAmount }) => sum + quantity * unitAmount, 0);
  if (remainingCents === 0) return lines;
  // Stripe accepts no negative lines: with a discount, the page shows the total as one line.
  if (remainingCents < 0) return [{ name: `Order #${orderNumber}`, quantity: 1, unitAmount: amount }];
  return [...lines, { name: "Shipping and tax", quantity: 1, unitAmount: remainingCents }];
}

/**
 * When the page closes, computed from the order's times so that a repeated call has the same parameters. The order expires
 * earlier, and the job that ends it closes the page. Empty if the time is later than Stripe allows: Stripe's default then applies.
 */
function pageExpiry({ createdAt = new Date(), expiresAt }: CreateSession): { expires_at?: number } {
  const closesAt = expiresAt.getTime() + minOpenMs;
  const from = Math.min(createdAt.getTime(), Date.now());
  return closesAt > from + maxOpenMs ? {} : { expires_at: Math.floor(closesAt / 1000) };
}

/**
 * Order data that Stripe uses to assess risk, shows to the buyer and submits in disputes. All values come from the order and none
 * from settings, which the owner may change: a repeated call must send exactly the same data.
 */
export function paymentDetails({ orderNumber, email, recipient }: CreateIntent) {
  return {
    description: `Order #${orderNumber}`,
    statement_descriptor_suffix: statementSuffix(orderNumber),
    ...(email !== undefined && isPlainEmail(email) ? { receipt_email: email } : {}),
    ...(recipient === undefined ? {} : { shipping: shippingParams(recipient) }),
  };
}

function shippingParams({ name, address }: NonNullable<CreateIntent["recipient"]>) {
  // Older clients send the address as one line.
  if (typeof address === "string") return { name, address: { line1: address } };
  const { line1, line2, city, state, postalCode, country } = address;
  return {
    name,
    address: {
      line1,
      city,
      country,
      ...(line2 ? { line2 } : {}),
      ...(state ? { state } : {}),
      ...(postalCode ? { postal_code: postalCode } : {}),
    },
  };
}

/**
 * A card statement has 22 characters. The account's prefix takes up to 10, and an asterisk and a space take 2. The suffix must
 * contain a letter.
 */
const maxSuffixLength = 10;

function statementSuffix(orderNumber: number): string {
  const fullSuffix = `ORDER ${orderNumber}`;
  return fullSuffix.length <= maxSuffixLength ? fullSuffix : `NO ${orderNumber}`.slice(0, maxSuffixLength);
}

/** Stripe refuses the whole payment if it considers an e-mail address invalid, and it does so for some valid ones. */
function isPlainEmail(email: string): boolean {
  return (
    email.length <= 254 && /^[\w+-]+(\.[\w+-]+)*@([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z]{2,63}$/i.test(email)
  );
}
