import { eq } from "drizzle-orm";
import * as v from "valibot";
import {
  type CheckoutRequest,
  type CheckoutStarted,
  checkoutRequestSchema,
  checkoutStartedSchema,
} from "../../domain/checkout/checkout.ts";
import { shownTotals } from "../../domain/checkout/included-tax.ts";
import type { Totals } from "../../domain/checkout/totals.ts";
import { walletCountries, walletSetupSchema } from "../../domain/checkout/wallet.ts";
import { type ApiCall, dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { codeRefusal, countUnknownCode } from "../discounts/code-attempts.ts";
import type { PlacedOrder } from "../orders/commands.ts";
import { findOrderByPayment } from "../orders/queries.ts";
import { orders } from "../orders/tables.ts";
import type { Intent } from "../payment-providers/provider.ts";
import { abandonIfUnknown } from "../payments/cancellation/abandon.ts";
import { paymentState } from "../payments/settling/settlement.ts";
import { networkPrefix } from "../platform/http/client-address.ts";
import {
  invalidFields,
  notFoundProblem,
  type Problem,
  problem,
  rateLimited,
} from "../platform/http/problem.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { startCheckout } from "./commands.ts";
import type { CheckoutInput, CheckoutResult } from "./input.ts";

const idempotencyKeySchema = v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(255)));

const shared = {
  tag: "Checkout and orders",
  access: "anyone",
  limit: "checkout",
  body: checkoutRequestSchema,
  headers: { "Idempotency-Key": "1 to 255 characters; the same key and body return the same order" },
} as const;
const refusals = {
  402: "The payment provider does not take a payment like this; nothing was ordered",
  409: "`price_changed` with the current `total` and, if a quote’s `amount` has automatic discounts that this buyer cannot have, their names (`refusedDiscounts`), `out_of_stock` with what is `available`, or `invalid_state`, also while new orders are paused",
  502: "The payment provider is unavailable; nothing was ordered",
};

/** Calls that turn a cart into an order, which is paid on the checkout page or on a page of the provider. */
export const checkoutApi = [
  route("POST /api/stripe/create-payment-intent", {
    ...shared,
    summary: "Order a cart and open its payment",
    response: checkoutStartedSchema,
    responses: { 201: "The order, and the data with which the page takes its payment", ...refusals },
    handle: async (ctx, call) => {
      const result = await runCheckout(ctx, call, "intent");
      if ("problem" in result) return result;
      if (!result.ok || result.payment.kind !== "intent") return checkoutProblem(result);
      const { order, totals, payment } = result;
      return { status: 201, body: startedCheckout(ctx, { order, totals, intent: payment.intent }) };
    },
  }),
  route("GET /api/checkout/payments/:id", {
    tag: shared.tag,
    summary: "The payment of an unpaid order, opened again after a reload",
    access: "anyone",
    limit: "write",
    params: v.object({ id: v.pipe(v.string(), v.maxLength(255)) }),
    response: dataEnvelope(checkoutStartedSchema),
    responses: {
      200: "The answer of `create-payment-intent`; `payment`: whether it has been paid since",
      404: "Not a payment of this visitor, or its order expired or was cancelled unpaid",
    },
    handle: async (ctx, { params: { id }, viewer }) => {
      const openPayment = await findOpenPayment(ctx, viewer.visitorId, id);
      return openPayment ? ok(startedCheckout(ctx, openPayment)) : notFoundProblem("payment");
    },
  }),
  route("POST /api/stripe/create-checkout-session", {
    ...shared,
    summary: "Order a cart and open a hosted payment page",
    response: dataEnvelope(v.object({ id: v.string(), url: v.nullable(v.string()), orderId: v.string() })),
    responses: { 200: "The page's id and address, and the order's id", ...refusals },
    handle: async (ctx, call) => {
      const result = await runCheckout(ctx, call, "session");
      if ("problem" in result) return result;
      if (!result.ok || result.payment.kind !== "session") return checkoutProblem(result);
      const { session } = result.payment;
      return ok({ id: session.id, url: session.url, orderId: result.order.id });
    },
  }),
];

function startedCheckout(
  { provider }: ShopContext,
  { order, totals, intent }: { order: PlacedOrder; totals: Totals; intent: Intent },
): CheckoutStarted {
  return {
    clientSecret: intent.clientSecret,
    paymentIntentId: intent.intentId,
    status: intent.providerStatus,
    payment: paymentState(intent.status),
    orderId: order.id,
    orderNumber: order.number,
    totals,
    publishableKey: provider.publishableKey,
    provider: provider.name,
  };
}

async function runCheckout(
  ctx: ShopContext,
  call: ApiCall<unknown, unknown, CheckoutRequest>,
  kind: CheckoutInput["kind"],
): Promise<CheckoutResult | Problem> {
  if (ctx.config.payments === "stripe" && ctx.config.stripe === null) {
    const message = "Card payments are not available right now. Nothing was ordered; please try again later.";
    return problem("provider_unavailable", message);
  }
  const key = v.safeParse(idempotencyKeySchema, call.header("idempotency-key"));
  if (!key.success) {
    return problem("validation_failed", "The Idempotency-Key header is invalid.", {
      fields: { "Idempotency-Key": "1 to 255 characters" },
    });
  }
  const refusal = call.body.discountCode ? await codeRefusal(ctx, call.address) : null;
  if (refusal) return refusal;
  const result = await startCheckout(ctx, {
    isKnownVisitor: call.viewer.visitorId !== null,
    visitorId: call.visitor(),
    buyerNetwork: networkPrefix(call.address),
    idempotencyKey: key.output,
    kind,
    request: call.body,
  });
  if (!result.ok && result.reason === "invalid" && result.isCodeUnknown) {
    await countUnknownCode(ctx, call.address);
  }
  return result;
}

function checkoutProblem(result: CheckoutResult): Problem {
  if (result.ok) return problem("invalid_state", "This order is being paid another way.");
  switch (result.reason) {
    case "price_changed":
      return problem("price_changed", "The price has changed. Please check the new total.", {
        total: result.total,
        ...(result.refusedDiscounts && { refusedDiscounts: result.refusedDiscounts }),
      });
    case "paused":
      return problem("invalid_state", result.text);
    case "too_many_declines":
      return rateLimited(
        "Too many payments were declined. Please try again later, or ask your bank.",
        result.waitSeconds,
      );
    case "out_of_stock":
      return problem("out_of_stock", "There isn’t enough in stock for this order.", {
        available: result.available,
      });
    case "invalid":
      return invalidFields(result.fields);
    case "key_reused":
      return problem("invalid_state", "This Idempotency-Key was used for another request.");
    case "order_closed":
      return problem("invalid_state", "This order can no longer be paid. Please start again from your cart.");
    case "provider_refused":
      return problem(
        "payment_failed",
        "The payment provider does not accept this payment. Nothing was charged.",
      );
    case "provider_unavailable":
      return problem(
        "provider_unavailable",
        "The payment provider cannot be reached. Nothing was charged; please try again.",
      );
  }
}

/**
 * The visitor's order with the provider's current state of its payment, by intent id. Null if the order is another visitor's, or
 * if it ended unpaid, because its payment must not be continued.
 */
async function findOpenPayment(
  ctx: ShopContext,
  visitorId: VisitorId | null,
  intentId: string,
): Promise<{ order: PlacedOrder; totals: Totals; intent: Intent } | null> {
  const payment = visitorId && (await findOrderByPayment(ctx.db, visitorId, intentId));
  if (!payment || payment.intentId !== intentId) return null;
  const lookup = await abandonIfUnknown(ctx, payment, null, () => ctx.provider.retrieveIntent(intentId));
  if ("abandoned" in lookup) return null;
  const intent = lookup.result;
  // Read after the provider's response, because the order may have ended in the meantime.
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, payment.orderId));
  if (!order) return null;
  const isOpen = order.status === "pending" && intent.status !== "canceled";
  return isOpen || paymentState(intent.status) !== "unpaid"
    ? { order, totals: shownTotals(order), intent }
    : null;
}

/** The call for the data with which pages offer wallets. */
export const walletsApi = [
  route("GET /api/wallets", {
    tag: "Checkout and orders",
    summary: "Data for offering Apple Pay and other wallets",
    access: "anyone",
    limit: "none",
    cache: ["settings", "connections"],
    response: dataEnvelope(walletSetupSchema),
    responses: { 200: "The provider, its publishable key, and the countries to ship to" },
    handle: async (ctx) => {
      const { brandName, shipping } = await ctx.settings();
      const { name: provider, publishableKey } = ctx.provider;
      return ok({ provider, publishableKey, businessName: brandName, countries: walletCountries(shipping) });
    },
  }),
];
