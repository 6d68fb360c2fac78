import { and, eq } from "drizzle-orm";
import * as v from "valibot";
import { orderSchema } from "../../../domain/orders/order.ts";
import {
  exchangePreviewSchema,
  exchangeRequestSchema,
  exchangeSchema,
  replacementReasons,
  replacementRequestSchema,
} from "../../../domain/orders/replacement.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { uuidSchema } from "../../../domain/shared/uuid.ts";
import { dataEnvelope, flatDataEnvelope, ok, okFlat, route } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import { findOrder } from "../../orders/queries.ts";
import { paymentLink } from "../../payments/payment-link.ts";
import { uuidParams } from "../../platform/http/params.ts";
import { invalidFields, notFoundProblem, problem } from "../../platform/http/problem.ts";
import { withLockedOrder } from "../actions.ts";
import { panelOrderRow } from "../admin/action-response.ts";
import { orderExchanges } from "../tables.ts";
import { withThumbnails } from "../viewer-orders.ts";
import type { FollowUpRefusal } from "./allowance.ts";
import { beginExchange, priceExchange } from "./exchange.ts";
import { enqueueExchange } from "./mail.ts";
import { sendReplacement } from "./replacement.ts";
import { releaseNewOrder } from "./settle.ts";

const keySchema = v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(255)));
const headers = { "Idempotency-Key": "1 to 255 characters; the same key is the same request" };
const exchangeParams = v.object({ ...uuidParams.entries, exchangeId: uuidSchema });
const refusals = {
  404: "There is no such order",
  409: "`out_of_stock` with `available`, or `invalid_state`: not possible in the order's state",
  422: "More units than were bought and not refunded, less those replaced or exchanged",
};
const waitingResponses = {
  404: "There is no such exchange of the order",
  409: "It is not waiting for a payment",
};

export const exchangesApi = [
  route("POST /api/admin/orders/:id/replacement", {
    ...panelOrderRow,
    summary: "Send units of an order again at no charge, as an order of its own",
    params: uuidParams,
    body: replacementRequestSchema,
    givesAway: true,
    headers,
    response: flatDataEnvelope(orderSchema.entries),
    responses: { 201: "The new order, the same for a repeated key", ...refusals },
    handle: async (ctx, { params: { id: orderId }, body, header, log }) => {
      const key = v.safeParse(keySchema, header("idempotency-key"));
      if (!key.success) return invalidFields({ "Idempotency-Key": "1 to 255 characters" });
      const result = await sendReplacement(ctx, { orderId, ...body, idempotencyKey: key.output });
      if (result === null) return notFoundProblem("order");
      if (!result.ok) return followUpProblem(result);
      const written = await findOrder(ctx.db, result.orderId);
      if (!written?.replaces) return notFoundProblem("order");
      const replacement = withThumbnails(written);
      const reason = replacementReasons[body.reason].toLowerCase();
      log(
        `Replacement #${result.number} for order #${written.replaces.number} ${result.isNew ? "sent" : "requested again, but not sent twice"}: ${reason}`,
      );
      return { status: 201, body: { ...replacement, data: replacement } };
    },
  }),
  route("POST /api/admin/orders/:id/exchange/preview", {
    ...panelOrderRow,
    summary: "Price of an exchange; nothing is saved",
    onlyReads: true,
    params: uuidParams,
    body: exchangeRequestSchema,
    response: dataEnvelope(exchangePreviewSchema),
    responses: {
      200: "The credit for the returned units, the price of the new ones, the difference, and where the parcel goes",
      ...refusals,
    },
    handle: async (ctx, { params: { id }, body }) => {
      const priced = await withLockedOrder(ctx, id, (tx, target) =>
        priceExchange(ctx, tx, { ...target, ...body }),
      );
      if (!priced) return notFoundProblem("order");
      if (!priced.ok) return followUpProblem(priced);
      const { returned, difference, amounts, sendTo } = priced;
      return ok({ returned: returned.amount, items: amounts.totalCents, difference, sendTo });
    },
  }),
  route("POST /api/admin/orders/:id/exchange", {
    ...panelOrderRow,
    summary:
      "Exchange units of an order: a return is expected, and a new order waits for it or for the difference",
    params: uuidParams,
    body: exchangeRequestSchema,
    givesAway: true,
    headers,
    response: flatDataEnvelope(exchangeSchema.entries),
    responses: { 201: "The exchange, the same for a repeated key", ...refusals },
    handle: async (ctx, { params: { id: orderId }, body, header, log }) => {
      const key = v.safeParse(keySchema, header("idempotency-key"));
      if (!key.success) return invalidFields({ "Idempotency-Key": "1 to 255 characters" });
      const result = await beginExchange(ctx, { orderId, ...body, idempotencyKey: key.output });
      if (result === null) return notFoundProblem("order");
      if (!result.ok) return followUpProblem(result);
      const { exchange, number, isNew } = result;
      const { difference } = exchange;
      const money =
        difference === 0
          ? ""
          : `, difference ${difference < 0 ? "-" : ""}${formatCents(Math.abs(difference))}`;
      log(
        `Exchange for order #${number} ${isNew ? "begun" : "requested again, but not begun twice"}${money}`,
      );
      return { status: 201, body: { ...exchange, data: exchange } };
    },
  }),
  route("POST /api/admin/orders/:id/exchange/:exchangeId/let-go", {
    ...panelOrderRow,
    summary: "Let the new order of an exchange ship before its return has been received",
    params: exchangeParams,
    response: dataEnvelope(exchangeSchema),
    responses: {
      200: "The exchange",
      404: waitingResponses[404],
      409: "It has ended, or its difference is not paid",
    },
    handle: async (ctx, { params: { id: orderId, exchangeId }, log }) => {
      const result = await releaseNewOrder(ctx, { orderId, exchangeId });
      const details = result && (await exchangeDetails(ctx, exchangeId));
      if (!details) return exchangeNotFound();
      if (!result.ok) return problem("invalid_state", result.reason);
      log(`Exchange order #${details.number} released to ship before its return was received`);
      return ok(details.exchange);
    },
  }),
  route("POST /api/admin/orders/:id/exchange/:exchangeId/send", {
    ...panelOrderRow,
    summary: "E-mail the payment link of an exchange again, at most once a minute",
    params: exchangeParams,
    response: dataEnvelope(exchangeSchema),
    responses: { 200: "The exchange", ...waitingResponses },
    handle: async (ctx, { params: { id: orderId, exchangeId }, log }) => {
      const details = await exchangeDetailsOf(ctx, { orderId, exchangeId });
      if (!details) return exchangeNotFound();
      const { exchange, number, isWaiting } = details;
      if (!isWaiting) return problem("invalid_state", `${waitingResponses[409]}.`);
      const occasion = String(Math.floor(ctx.now().getTime() / 60_000));
      await enqueueExchange(ctx.db, { newOrderId: exchange.orderId, exchangeId, note: null, occasion });
      log(`Payment link of exchange order #${number} sent again`);
      return ok(exchange);
    },
  }),
  route("POST /api/admin/orders/:id/exchange/:exchangeId/link", {
    ...panelOrderRow,
    summary: "Return the payment link of a waiting exchange, to be passed on to the buyer",
    handsOutLink: true,
    params: exchangeParams,
    response: flatDataEnvelope({ url: v.string() }),
    responses: { 200: "`{url}`; anybody who has it can pay", ...waitingResponses },
    handle: async (ctx, { params: { id: orderId, exchangeId }, log }) => {
      const details = await exchangeDetailsOf(ctx, { orderId, exchangeId });
      if (!details) return exchangeNotFound();
      if (!details.isWaiting) return problem("invalid_state", `${waitingResponses[409]}.`);
      log(`Payment link of exchange order #${details.number} handed out`);
      return okFlat({ url: paymentLink(ctx, { ...details.row, email: details.email }) });
    },
  }),
];

async function exchangeDetails(ctx: ShopContext, exchangeId: string) {
  const [row] = await ctx.db.select().from(orderExchanges).where(eq(orderExchanges.id, exchangeId));
  const order = row && (await findOrder(ctx.db, row.newOrderId));
  if (!row || !order?.exchangeOf) return null;
  const { id, orderId, difference, status, number } = order.exchangeOf;
  return { row, number, email: order.email, exchange: { id, orderId, difference, status } };
}

/** Details of an exchange of the order; null if the exchange belongs to another order. */
async function exchangeDetailsOf(
  ctx: ShopContext,
  { orderId, exchangeId }: { orderId: string; exchangeId: string },
) {
  const isExchange = and(eq(orderExchanges.id, exchangeId), eq(orderExchanges.orderId, orderId));
  const exists = (await ctx.db.$count(orderExchanges, isExchange)) > 0;
  const details = exists ? await exchangeDetails(ctx, exchangeId) : null;
  return details && { ...details, isWaiting: details.exchange.status === "waits_for_payment" };
}

function exchangeNotFound() {
  return problem("not_found", `${waitingResponses[404]}.`);
}

function followUpProblem(result: FollowUpRefusal) {
  switch (result.code) {
    case "state":
      return problem("invalid_state", result.reason);
    case "input":
      return invalidFields(result.fields);
    case "stock":
      return problem("out_of_stock", "There isn’t enough in stock for this.", {
        available: result.available,
      });
  }
}
