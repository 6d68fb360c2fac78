import * as v from "valibot";
import { paymentProviders } from "../../domain/payments/providers.ts";
import { dataEnvelope, flatDataEnvelope, ok, okFlat, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { findOrderByPayment } from "../orders/queries.ts";
import { InvalidSignature } from "../payment-providers/provider.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { abandonIfUnknown } from "./cancellation/abandon.ts";
import { receiveEvent } from "./events/handle.ts";
import { paymentState } from "./settling/settlement.ts";
import type { payments } from "./tables.ts";

const shared = { tag: "Checkout and orders", access: "anyone" } as const;
const params = v.object({ id: v.pipe(v.string(), v.maxLength(255)) });
const paymentSchema = v.object({
  id: v.string(),
  /** The provider's name of the status. */
  status: v.string(),
  payment: v.picklist(["unpaid", "processing", "paid"]),
  amount: v.number(),
  currency: v.string(),
  orderId: v.string(),
});

/** Payment calls for the provider and the buyer. The API contract fixes the paths for every provider. */
export const paymentsApi = [
  route("POST /api/stripe/webhook", {
    ...shared,
    summary: "Receive signed events of the payment provider",
    access: "provider",
    limit: "none",
    headers: { "Stripe-Signature": "`t=<seconds>,v1=<HMAC-SHA-256>`, at most 5 minutes old" },
    response: dataEnvelope(v.object({ received: v.boolean() })),
    responses: { 200: "Recorded", 400: "The signature is missing, wrong or older than 5 minutes" },
    handle: async (ctx, { rawBody, header }) => {
      try {
        await receiveEvent(ctx, ctx.provider.parseEvent(rawBody, header));
        return ok({ received: true });
      } catch (error) {
        if (!(error instanceof InvalidSignature)) throw error;
        ctx.log.warn({ reason: error.message }, "a webhook call was rejected");
        return problem("invalid_signature", "The signature does not match this request.");
      }
    },
  }),
  route("GET /api/stripe/test", {
    ...shared,
    summary: "The connected payment provider, and whether it answers",
    limit: "none",
    response: v.object({
      provider: v.picklist(paymentProviders),
      mode: v.picklist(["live", "test", "sandbox"]),
      reachable: v.boolean(),
    }),
    responses: { 200: "`{success, provider, mode, reachable}`" },
    handle: async ({ provider, isProviderReachable }) => ({
      status: 200,
      body: { provider: provider.name, mode: provider.mode, reachable: await isProviderReachable() },
    }),
  }),
  route("GET /api/stripe/payment-intent/:id", {
    ...shared,
    summary: "A payment of the visitor's own order",
    limit: "write",
    params,
    response: dataEnvelope(paymentSchema),
    responses: {
      200: "Its status and amount; `payment` is `unpaid`, `processing` or `paid`",
      404: "Not a payment of this visitor",
    },
    handle: async (ctx, { params: { id }, viewer }) => {
      const ownPayment = await findOwnPayment(ctx, viewer, id);
      if (ownPayment?.intentId !== id) return notFoundProblem("payment");
      const result = await abandonIfUnknown(ctx, ownPayment, null, () => ctx.provider.retrieveIntent(id));
      if ("abandoned" in result)
        return ok(fromStoredPayment(ownPayment, id, { paid: "succeeded", ended: "canceled" }));
      const { providerStatus: status, amount, currency } = result.result;
      const payment = paymentState(result.result.status);
      return ok({ id, status, payment, amount, currency, orderId: ownPayment.orderId });
    },
  }),
  route("GET /api/stripe/checkout-session/:id", {
    ...shared,
    summary: "A hosted payment page of the visitor's own order",
    limit: "write",
    params,
    response: dataEnvelope(paymentSchema),
    responses: {
      200: "Its status and amount; `payment` is `unpaid`, `processing` or `paid`",
      404: "Not a page of this visitor",
    },
    handle: async (ctx, { params: { id }, viewer }) => {
      const ownPayment = await findOwnPayment(ctx, viewer, id);
      if (ownPayment?.sessionId !== id) return notFoundProblem("payment");
      const result = await abandonIfUnknown(ctx, ownPayment, null, async () => {
        const session = await ctx.provider.retrieveSession(id);
        // The payment of a completed page may take days, or may have failed since.
        const { intentId } = session;
        const intent =
          session.status === "complete" && intentId !== null
            ? await ctx.provider.retrieveIntent(intentId)
            : null;
        return { ...session, payment: intent === null ? "unpaid" : paymentState(intent.status) };
      });
      if ("abandoned" in result)
        return ok(fromStoredPayment(ownPayment, id, { paid: "complete", ended: "expired" }));
      const { status, payment, amount, currency } = result.result;
      return ok({ id, status, payment, amount, currency, orderId: ownPayment.orderId });
    },
  }),
];

type Payment = typeof payments.$inferSelect;

/** Finds the payment of a visitor's order by intent or session id. */
async function findOwnPayment(
  { db }: ShopContext,
  { visitorId }: Viewer,
  id: string,
): Promise<Payment | null> {
  return visitorId === null ? null : findOrderByPayment(db, visitorId, id);
}

/** The response about a payment that the current keys cannot read, from the shop's database. */
function fromStoredPayment(
  { status, amountCents, currency, orderId }: Payment,
  id: string,
  statuses: { paid: string; ended: string },
): v.InferOutput<typeof paymentSchema> {
  const isPaid = status === "succeeded";
  return {
    id,
    status: isPaid ? statuses.paid : statuses.ended,
    payment: isPaid ? "paid" : "unpaid",
    amount: amountCents,
    currency: currency.toLowerCase(),
    orderId,
  };
}

/** API calls of the sandbox's card form, in place of a real provider's API. */
export const sandboxApi = [
  route("POST /api/sandbox/payment-intents/:id/confirm", {
    tag: "Checkout and orders",
    summary: "Pay with a test card (sandbox only)",
    access: "anyone",
    limit: "write",
    isServed: ({ sandbox, connections }) => sandbox !== null || connections.mayBeSandbox,
    params: v.object({ id: v.pipe(v.string(), v.maxLength(255)) }),
    body: v.object({
      clientSecret: v.pipe(v.string("Must be text"), v.maxLength(255)),
      card: v.object({
        number: v.pipe(v.string("Must be text"), v.maxLength(30)),
        expMonth: v.pipe(v.number("Must be a number"), v.integer(), v.minValue(1), v.maxValue(12)),
        expYear: v.pipe(v.number("Must be a number"), v.integer(), v.minValue(0), v.maxValue(9999)),
        cvc: v.pipe(v.string("Must be text"), v.maxLength(10)),
      }),
      authentication: v.optional(v.picklist(["pass", "fail"])),
    }),
    response: flatDataEnvelope({ status: v.picklist(["succeeded", "requires_action"]) }),
    responses: { 200: "`{status}`: `succeeded` or `requires_action`", 402: "Declined, with the reason" },
    handle: async ({ sandbox }, { params, body: { authentication, ...payment } }) => {
      if (!sandbox) return notFoundProblem("payment");
      const result = await sandbox.confirm({
        ...payment,
        intentId: params.id,
        ...(authentication ? { authentication } : {}),
      });
      if (result.ok) return okFlat({ status: result.status });
      switch (result.reason) {
        case "declined":
          return problem("payment_failed", result.message);
        case "closed":
          return problem("invalid_state", result.message);
        case "not_found":
          return notFoundProblem("payment");
      }
    },
  }),
];
