import * as v from "valibot";
import { type PayableChange, payableChangeSchema } from "../../../domain/orders/change-items.ts";
import type { ShopContext } from "../../context.ts";
import { linkToken, nothingToPay, ofPaymentLink } from "../../drafts/pay-api.ts";
import { isPaymentLinkValid } from "../../drafts/queries.ts";
import { dataOf, ok, route } from "../../http/api-row.ts";
import { openChangePayment, refreshChangePayment } from "../../payments/changes/pay.ts";
import { ProviderUnavailable } from "../../payments/provider.ts";
import { problem } from "../../platform/http/problem.ts";
import { findChange, includedIn, sumsOf } from "./change.ts";

/** What somebody does who was sent the payment link of a change of a paid order. */
export const payChangeApi = [
  route("GET /api/pay-change/:id", {
    ...ofPaymentLink,
    summary: "What the payment link of a change of a paid order asks for; `token` comes with the link",
    query: v.object({ token: v.optional(linkToken, ""), done: v.optional(v.string(), "") }),
    response: dataOf(payableChangeSchema),
    answers: { 200: "What is added and taken out, and what is to be paid", 404: "No such link" },
    handle: async (ctx, { params: { id }, query }) => {
      if (!isPaymentLinkValid(ctx, id, query.token)) return problem("not_found", nothingToPay);
      // Whoever comes back from the provider's page need not wait for its news.
      if (query.done !== "") await refreshIfThere(ctx, id);
      const payable = await readPayable(ctx, id);
      return payable ? ok(payable) : problem("not_found", nothingToPay);
    },
  }),
  route("POST /api/pay-change/:id", {
    ...ofPaymentLink,
    summary: "Open the payment of a change of a paid order on the provider’s page",
    body: v.object({ token: linkToken }),
    response: dataOf(v.object({ url: v.string() })),
    answers: {
      200: "Where to pay: the same for everybody who opens the link",
      404: "No such link",
      409: "It was paid already, taken back, or has expired",
      502: "The payment provider is away",
    },
    handle: async (ctx, { params: { id }, body }) => {
      if (!isPaymentLinkValid(ctx, id, body.token) || !(await findChange(ctx.db, id))) {
        return problem("not_found", nothingToPay);
      }
      const opened = await openChangePayment(ctx, id);
      if (opened.ok) return ok({ url: opened.url });
      if (opened.reason === "provider_unavailable") {
        return problem(
          "provider_unavailable",
          "Payments can’t be taken right now. Please try again in a minute.",
        );
      }
      return opened.reason === "provider_refused"
        ? problem("payment_failed", "The payment provider does not take this payment. Please write to us.")
        : problem("invalid_state", "This can no longer be paid with the link. Please ask us for a new one.");
    },
  }),
];

async function refreshIfThere(ctx: ShopContext, id: string): Promise<void> {
  try {
    await refreshChangePayment(ctx, id);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    ctx.log.warn({ err: error }, "the payment of a change could not be looked up yet");
  }
}

async function readPayable(ctx: ShopContext, id: string): Promise<PayableChange | null> {
  const found = await findChange(ctx.db, id);
  if (!found) return null;
  const { change, order, isProcessing } = found;
  const isOver = change.expiresAt !== null && change.expiresAt <= ctx.now();
  const status =
    change.status !== "waiting"
      ? change.status
      : isProcessing
        ? "processing"
        : isOver
          ? "expired"
          : "waiting";
  const names = new Map(order.items.map(({ productId, name }) => [productId, name]));
  return {
    ...{ status, orderNumber: order.number, customerName: order.customerName, currency: order.currency },
    ...sumsOf(change.added, change.removed, names),
    ...{ goods: change.goodsCents, shipping: change.shippingCents, tax: change.taxCents },
    addedTotal: change.goodsCents + change.shippingCents + change.taxCents,
    ...{ removedTotal: change.removedCents, difference: change.differenceCents, note: change.note },
    ...includedIn(order),
    expiresAt: change.expiresAt?.toISOString() ?? null,
  };
}
