import { and, desc, eq, isNotNull } from "drizzle-orm";
import * as v from "valibot";
import {
  changeDays,
  type OwnChange,
  ownChangeSchema,
  type PayableChange,
  payableChangeSchema,
} from "../../../domain/orders/change-items.ts";
import { uuidSchema } from "../../../domain/shared/uuid.ts";
import type { ShopContext } from "../../context.ts";
import { dataOf, ok, route } from "../../http/api-row.ts";
import { ProviderUnavailable } from "../../payment-providers/provider.ts";
import { openChangePayment, refreshChangePayment } from "../../payments/changes/pay.ts";
import {
  isPaymentLinkValid,
  linkToken,
  nothingToPay,
  ofPaymentLink,
  providerProblem,
} from "../../payments/payment-link.ts";
import { type Problem, problem } from "../../platform/http/problem.ts";
import { orderEdits } from "../tables.ts";
import { orderOfBuyer } from "../viewer-orders.ts";
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
      return refusal(opened.reason, "This can no longer be paid with the link. Please ask us for a new one.");
    },
  }),
];

/** Of the order's e-mailed link, for a browser that does not own the order. */
const orderToken = v.optional(v.nullable(v.pipe(v.string("Must be text"), v.maxLength(200))), null);

const noChange = "There is no such change of this order.";

/**
 * What the buyer of an order sees of a change of it that is to be paid, and does about it: on the order's page, which the panel can
 * open as well, so that the change's own link is in no answer.
 */
export const ownChangeApi = [
  route("GET /api/orders/:id/change", {
    tag: "Checkout and orders",
    access: "anyone",
    limit: "none",
    summary: "The change of the visitor's paid order that waits to be paid, or ended in the last days",
    params: v.object({ id: v.string() }),
    query: v.object({ token: orderToken }),
    response: dataOf(v.nullable(ownChangeSchema)),
    answers: {
      200: "What is added and taken out, and what is to be paid; null: nothing was to be paid lately",
      404: "Not an order of this visitor, nor of the link's bearer",
    },
    handle: async (ctx, { params, query, viewer }) => {
      const order = await orderOfBuyer(ctx, viewer, params.id, query.token);
      return order ? ok(await latestToPay(ctx, order.id)) : problem("not_found", "There is no such order.");
    },
  }),
  route("POST /api/orders/:id/change/:changeId/pay", {
    ...ofPaymentLink,
    summary: "Open the payment of a change of the visitor's paid order on the provider’s page",
    params: v.object({ id: v.string(), changeId: v.string() }),
    body: v.object({ token: orderToken }),
    response: dataOf(v.object({ url: v.string() })),
    answers: {
      200: "Where to pay: the same however often it is asked",
      404: "Not an order of this visitor, nor of the link's bearer, or no change of it",
      409: "It was paid already, is being paid, was taken back, or has expired",
      502: "The payment provider is away",
    },
    handle: async (ctx, { params: { id, changeId }, body, viewer }) => {
      const order = await orderOfBuyer(ctx, viewer, id, body.token);
      const isId = v.is(uuidSchema, changeId);
      const found = order && isId ? await findChange(ctx.db, changeId) : null;
      if (!order || found?.order.id !== order.id) return problem("not_found", noChange);
      const opened = await openChangePayment(ctx, changeId);
      if (opened.ok) return ok({ url: opened.url });
      const now = await readPayable(ctx, changeId);
      return refusal(opened.reason, closedWords[now?.status ?? "withdrawn"]);
    },
  }),
];

/** Why nothing can be paid, by what the change has come to. */
const closedWords: Record<PayableChange["status"], string> = {
  waiting: "This can’t be paid right now. Your order stays as it was. Please write to us.",
  processing: "Your payment is being processed already. You don’t need to pay again.",
  applied: "This is paid already. It ships with the rest.",
  withdrawn: "This can no longer be paid. Your order stays as it was.",
  expired: "The time to pay this is over. Your order stays as it was.",
};

function refusal(
  reason: Extract<Awaited<ReturnType<typeof openChangePayment>>, { ok: false }>["reason"],
  closed: string,
): Problem {
  switch (reason) {
    case "provider_unavailable":
    case "provider_refused":
      return providerProblem(reason);
    case "closed":
      return problem("invalid_state", closed);
  }
}

const dayMs = 24 * 60 * 60 * 1000;

/** The latest change of an order that its buyer was to pay; null where it ended so long ago that it is no news. */
async function latestToPay(ctx: ShopContext, orderId: string): Promise<OwnChange | null> {
  const [latest] = await ctx.db
    .select({ id: orderEdits.id, endedAt: orderEdits.endedAt })
    .from(orderEdits)
    .where(and(eq(orderEdits.orderId, orderId), isNotNull(orderEdits.expiresAt)))
    .orderBy(desc(orderEdits.createdAt), desc(orderEdits.id))
    .limit(1);
  if (!latest) return null;
  const newsUntil = latest.endedAt && latest.endedAt.getTime() + changeDays * dayMs;
  if (newsUntil !== null && newsUntil < ctx.now().getTime()) return null;
  const payable = await readPayable(ctx, latest.id);
  return payable && { id: latest.id, ...payable };
}

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
    addedTotal: change.addedCents,
    ...{ removedTotal: change.removedCents, difference: change.differenceCents, note: change.note },
    ...includedIn(order),
    expiresAt: change.expiresAt?.toISOString() ?? null,
  };
}
