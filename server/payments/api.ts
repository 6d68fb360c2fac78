import * as v from "valibot";
import type { ShopContext } from "../context.ts";
import { type Answer, type AnyApiRow, ok, okWhole, route } from "../http/api-row.ts";
import { findOrderByPayment } from "../orders/queries.ts";
import { type Problem, problem } from "../platform/problem.ts";
import type { VisitorId } from "../platform/viewer.ts";
import { orAbandon } from "./cancellation/abandon.ts";
import { recordEvent } from "./events/handle.ts";
import { InvalidSignature } from "./provider.ts";
import type { SandboxProvider } from "./sandbox/provider.ts";
import { stateOfPayment } from "./settling/settlement.ts";
import type { payments } from "./tables.ts";

const idParams = v.object({ id: v.pipe(v.string(), v.maxLength(255)) });
const tag = "Checkout and orders";

const confirmSchema = v.object({
  clientSecret: v.pipe(v.string("Must be text"), v.maxLength(255)),
  card: v.object({
    number: v.pipe(v.string("Must be text"), v.maxLength(30)),
    expMonth: v.pipe(v.number("Must be a number"), v.integer(), v.minValue(1), v.maxValue(12)),
    expYear: v.pipe(v.number("Must be a number"), v.integer(), v.minValue(0), v.maxValue(9999)),
    cvc: v.pipe(v.string("Must be text"), v.maxLength(10)),
  }),
  authentication: v.optional(v.picklist(["pass", "fail"])),
});

export function paymentsApi(ctx: ShopContext): AnyApiRow[] {
  const ask = providerPing(ctx);
  const ofVisitor = async (viewer: { visitorId: VisitorId | null }, id: string) =>
    viewer.visitorId === null ? null : findOrderByPayment(ctx.db, viewer.visitorId, id);
  return [
    route("POST /api/stripe/webhook", {
      tag,
      summary: "Events of the payment provider, signed",
      access: "provider",
      limit: "none",
      headers: { "Stripe-Signature": "`t=<seconds>,v1=<HMAC-SHA-256>`, at most 5 minutes old" },
      answers: { 200: "Recorded", 400: "The signature is missing, wrong or older than 5 minutes" },
      handle: async (_ctx, { rawBody, header }) => {
        try {
          await recordEvent(ctx, ctx.provider.parseEvent(rawBody, header("stripe-signature") ?? ""));
          return { status: 200, body: { success: true, data: { received: true } } };
        } catch (error) {
          if (!(error instanceof InvalidSignature)) throw error;
          ctx.log.warn({ reason: error.message }, "a webhook call was rejected");
          return problem("invalid_signature", "The signature does not match this request.");
        }
      },
    }),
    route("GET /api/stripe/test", {
      tag,
      summary: "Which payment provider is connected, and whether it answers",
      access: "anyone",
      limit: "none",
      answers: { 200: "`{success, provider, mode, reachable}`" },
      handle: async () => ({
        status: 200,
        body: {
          success: true,
          provider: ctx.provider.name,
          mode: ctx.provider.mode,
          reachable: await ask(),
        },
      }),
    }),
    route("GET /api/stripe/payment-intent/:id", {
      tag,
      summary: "A payment of the visitor's own order",
      access: "anyone",
      limit: "write",
      params: idParams,
      answers: {
        200: "Its status and amount; `payment` is `unpaid`, `processing` or `paid`",
        404: "Not a payment of this visitor",
      },
      handle: async (_ctx, { params, viewer }) => {
        const own = await ofVisitor(viewer, params.id);
        if (!own || !params.id.startsWith("pi_")) return noPayment();
        const { orderId } = own;
        const seen = await orAbandon(ctx, own, null, () => ctx.provider.retrieveIntent(params.id));
        if ("abandoned" in seen) return ok(asRecorded(own, params.id, intentWords));
        const { providerStatus: status, amount, currency } = seen.answer;
        const payment = stateOfPayment(seen.answer.status);
        return ok({ id: params.id, status, payment, amount, currency, orderId });
      },
    }),
    route("GET /api/stripe/checkout-session/:id", {
      tag,
      summary: "A hosted payment page of the visitor's own order",
      access: "anyone",
      limit: "write",
      params: idParams,
      answers: {
        200: "Its status and amount; `payment` is `unpaid`, `processing` or `paid`",
        404: "Not a page of this visitor",
      },
      handle: async (_ctx, { params, viewer }) => {
        const own = await ofVisitor(viewer, params.id);
        if (!own || !params.id.startsWith("cs_")) return noPayment();
        const { orderId } = own;
        const seen = await orAbandon(ctx, own, null, async () => {
          const session = await ctx.provider.retrieveSession(params.id);
          // A page that was sent off has been paid, or its payment takes days, or has failed since.
          const { intentId } = session;
          const intent =
            session.status === "complete" && intentId !== null
              ? await ctx.provider.retrieveIntent(intentId)
              : null;
          return { ...session, payment: intent === null ? "unpaid" : stateOfPayment(intent.status) };
        });
        if ("abandoned" in seen) return ok(asRecorded(own, params.id, sessionWords));
        const { status, payment, amount, currency } = seen.answer;
        return ok({ id: params.id, status, payment, amount, currency, orderId });
      },
    }),
    ...(ctx.sandbox ? [confirmRoute(ctx.sandbox)] : []),
  ];
}

function confirmRoute(sandbox: SandboxProvider): AnyApiRow {
  return route("POST /api/sandbox/payment-intents/:id/confirm", {
    tag,
    summary: "Pay with a test card (sandbox only)",
    access: "anyone",
    limit: "write",
    params: idParams,
    body: confirmSchema,
    answers: { 200: "`{status}`: `succeeded` or `requires_action`", 402: "Declined, with the reason" },
    handle: async (_ctx, { params, body }): Promise<Answer | Problem> => {
      const { authentication, ...payment } = body;
      const result = await sandbox.confirm({
        ...payment,
        intentId: params.id,
        ...(authentication ? { authentication } : {}),
      });
      if (result.ok) return okWhole({ status: result.status });
      switch (result.reason) {
        case "declined":
          return problem("payment_failed", result.message);
        case "closed":
          return problem("invalid_state", result.message);
        case "not_found":
          return noPayment();
      }
    },
  });
}

const intentWords = { paid: "succeeded", ended: "canceled" };
const sessionWords = { paid: "complete", ended: "expired" };

/** A payment that the present keys cannot see, by what the shop has written down of it: paid, or over. */
function asRecorded(
  { status, amountCents, currency, orderId }: typeof payments.$inferSelect,
  id: string,
  words: { paid: string; ended: string },
) {
  const isPaid = status === "succeeded";
  return {
    id,
    status: isPaid ? words.paid : words.ended,
    payment: isPaid ? "paid" : "unpaid",
    amount: amountCents,
    currency: currency.toLowerCase(),
    orderId,
  };
}

function noPayment(): Problem {
  return problem("not_found", "There is no such payment.");
}

/** The provider is asked at most once in 30 s, however often the shop is. */
function providerPing({ provider, now }: ShopContext): () => Promise<boolean> {
  let asked: { at: number; answer: Promise<boolean> } | null = null;
  return () => {
    if (asked === null || now().getTime() - asked.at > 30_000)
      asked = { at: now().getTime(), answer: provider.ping() };
    return asked.answer;
  };
}
