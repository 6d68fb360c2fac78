import { eq } from "drizzle-orm";
import * as v from "valibot";
import { type PayableEdit, payableEditSchema } from "../../domain/orders/order-edit.ts";
import { dataEnvelope, ok, route } from "../api-row.ts";
import { thumbnailUrl } from "../catalog/pictures/sizes.ts";
import { openPayment } from "../checkout/payment.ts";
import type { ShopContext } from "../context.ts";
import { checkExchange } from "../order-desk/exchanges/settle.ts";
import { type ExchangeRecord, orderExchanges } from "../order-desk/tables.ts";
import { readLines } from "../orders/follow-up.ts";
import { findOrder } from "../orders/queries.ts";
import { orders } from "../orders/tables.ts";
import { ProviderUnavailable, UnknownPayment } from "../payment-providers/provider.ts";
import {
  isPaymentLinkValid,
  linkToken,
  nothingToPay,
  paymentLinkRow,
  providerProblem,
} from "../payments/payment-link.ts";
import { settleSession } from "../payments/settling/sessions.ts";
import { payments } from "../payments/tables.ts";
import { problem } from "../platform/http/problem.ts";

export const payExchangeApi = [
  route("GET /api/pay-exchange/:id", {
    ...paymentLinkRow,
    summary: "The exchange behind a payment link; the link contains `token`",
    query: v.object({ token: v.optional(linkToken, ""), done: v.optional(v.string(), "") }),
    response: dataEnvelope(payableEditSchema),
    responses: { 200: "Returned and new lines, and the difference to pay", 404: "No such link" },
    handle: async (ctx, { params: { id }, query }) => {
      const exchange = await findExchange(ctx, id, query.token);
      // A buyer returning from the provider's page need not wait for its event.
      if (exchange && query.done !== "") await refreshIfReachable(ctx, exchange);
      const payable = exchange && (await readPayable(ctx, exchange));
      return payable ? ok(payable) : problem("not_found", nothingToPay);
    },
  }),
  route("POST /api/pay-exchange/:id", {
    ...paymentLinkRow,
    summary: "Open the payment of an exchange’s difference on the provider’s page",
    body: v.object({ token: linkToken }),
    response: dataEnvelope(v.object({ url: v.string() })),
    responses: {
      200: "Address of the payment page, the same for everybody who opens the link",
      404: "No such link",
      409: "It was already paid, or the exchange has ended",
      502: "The payment provider is unavailable",
    },
    handle: async (ctx, { params: { id }, body }) => {
      const exchange = await findExchange(ctx, id, body.token);
      if (!exchange) return problem("not_found", nothingToPay);
      const [order] = await ctx.db.select().from(orders).where(eq(orders.id, exchange.newOrderId));
      const isExpired = !order || exchange.differenceCents <= 0 || order.expiresAt <= ctx.now();
      if (isExpired || !(await checkExchange(ctx, id))) return problem("invalid_state", linkEnded);
      const result = await openPayment(ctx, order, "session", null);
      if (result.ok && result.payment.kind === "session" && result.payment.session.url !== null) {
        return ok({ url: result.payment.session.url });
      }
      if (result.ok || result.reason === "order_closed") return problem("invalid_state", linkEnded);
      return providerProblem(result.reason);
    },
  }),
];

const linkEnded = "This can no longer be paid with the link. Please write to us.";

/** The exchange of the link with this token; null if the link is not valid. */
async function findExchange(ctx: ShopContext, id: string, token: string): Promise<ExchangeRecord | null> {
  const [row] = await ctx.db
    .select({ exchange: orderExchanges, email: orders.email })
    .from(orderExchanges)
    .innerJoin(orders, eq(orders.id, orderExchanges.newOrderId))
    .where(eq(orderExchanges.id, id));
  if (!row) return null;
  const { exchange, email } = row;
  return isPaymentLinkValid(ctx, { id: exchange.id, email }, token) ? exchange : null;
}

async function refreshIfReachable(ctx: ShopContext, { newOrderId }: ExchangeRecord): Promise<void> {
  const orderPayments = await ctx.db.select().from(payments).where(eq(payments.orderId, newOrderId));
  for (const { sessionId, status } of orderPayments) {
    if (sessionId === null || (status !== "requires_payment" && status !== "processing")) continue;
    try {
      await settleSession(ctx, sessionId);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable || error instanceof UnknownPayment)) throw error;
      ctx.log.warn({ err: error }, "the payment of an exchange could not be looked up yet");
    }
  }
}

async function readPayable(ctx: ShopContext, exchange: ExchangeRecord): Promise<PayableEdit | null> {
  const order = await findOrder(ctx.db, exchange.newOrderId);
  if (!order?.exchangeOf) return null;
  const [row] = await ctx.db
    .select({ expiresAt: orders.expiresAt, taxCents: orders.taxCents, shippingCents: orders.shippingCents })
    .from(orders)
    .where(eq(orders.id, order.id));
  if (!row) return null;
  const lines = await readLines(ctx.db, order.id);
  const isExpired = row.expiresAt <= ctx.now();
  const state = order.exchangeOf.status;
  const openStatus = order.payment === "processing" ? "processing" : isExpired ? "expired" : "waiting";
  const names = new Map(order.exchangeOf.returned.map(({ productId, name }) => [productId, name]));
  return {
    isExchange: true,
    status: state === "settled" ? "applied" : state === "ended" ? "withdrawn" : openStatus,
    orderNumber: order.number,
    customerName: order.customerName,
    currency: order.currency,
    added: lines.map((line) => ({
      productId: line.productId,
      name: line.name,
      quantity: line.quantity,
      unitPrice: line.unitPriceCents,
      tax: line.taxCents,
      image: line.image && thumbnailUrl(line.image),
      total: line.unitPriceCents * line.quantity - line.bundleSavingCents,
    })),
    removed: exchange.returned.map((line) => ({ ...line, name: names.get(line.productId) ?? "A product" })),
    goods: order.totals.total - row.taxCents - row.shippingCents,
    shipping: row.shippingCents,
    tax: row.taxCents,
    addedTotal: order.totals.total,
    removedTotal: exchange.returnedCents,
    difference: exchange.differenceCents,
    ...(order.totals.taxIncluded && { taxIncluded: order.totals.taxIncluded.name }),
    note: null,
    expiresAt: row.expiresAt.toISOString(),
  };
}
