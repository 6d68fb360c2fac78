import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { uuidSchema } from "../../../domain/shared/uuid.ts";
import { orderUrl, readMailOrder, toBuyer } from "../../orders/mail.ts";
import { orders } from "../../orders/tables.ts";
import type { Mail } from "../../outbox/compose.ts";
import { enqueueMessages } from "../../outbox/enqueue.ts";
import { paymentLink } from "../../payments/payment-link.ts";
import type { Db } from "../../platform/database/database.ts";
import { orderExchanges, orderReturns } from "../tables.ts";

/** Notifies the buyer of a replacement. Call it, like `enqueueExchange`, in the transaction that writes the new order. */
export async function enqueueReplacement(
  tx: Db,
  { orderId, note }: { orderId: string; note: string | null },
): Promise<void> {
  await enqueueMessages(tx, [
    { kind: "replacement_sent", dedupeKey: `replacement_sent:${orderId}`, orderId, data: noteData(note) },
  ]);
}

/** E-mails the buyer which units to return for which new ones, with the link to pay a difference, if any; once per `occasion`. */
export async function enqueueExchange(
  tx: Db,
  {
    newOrderId,
    exchangeId,
    note,
    occasion,
  }: { newOrderId: string; exchangeId: string; note: string | null; occasion: string },
): Promise<void> {
  await enqueueMessages(tx, [
    {
      kind: "exchange_begun",
      dedupeKey: `exchange_begun:${exchangeId}:${occasion}`,
      orderId: newOrderId,
      data: { exchangeId, ...noteData(note) },
    },
  ]);
}

const noteData = (note: string | null): Record<string, string> => (note === null ? {} : { note });

const replacementData = v.object({ note: v.optional(v.string()) });
const exchangeData = v.object({ exchangeId: uuidSchema, note: v.optional(v.string()) });

export const exchangeMail = {
  replacement_sent: toBuyer((_, order, message) => {
    const { note = null } = v.parse(replacementData, message.data ?? {});
    return order.replaces === null || order.cancelledAt !== null
      ? "unneeded"
      : { kind: "replacement_sent", of: order.replaces.number, reason: order.replaces.reason, note };
  }),
  async exchange_begun(context, message) {
    const order = await readMailOrder(context.db, message);
    const { exchangeId, note = null } = v.parse(exchangeData, message.data);
    const exchange = order.exchangeOf;
    if (order.erasedAt !== null) return "erased";
    if (exchange === null || exchange.status === "ended") return "unneeded";
    const [row] = await context.db
      .select({
        createdAt: orderExchanges.createdAt,
        expiresAt: orders.expiresAt,
        sendTo: sql<
          string | null
        >`case when ${orderExchanges.receivedAt} is null then ${orderReturns.answer} end`,
      })
      .from(orderExchanges)
      .innerJoin(orders, eq(orders.id, orderExchanges.newOrderId))
      .innerJoin(orderReturns, eq(orderReturns.id, orderExchanges.returnId))
      .where(eq(orderExchanges.id, exchangeId));
    if (!row) return "unneeded";
    const payUrl =
      exchange.status === "waits_for_payment"
        ? paymentLink(context, { id: exchangeId, createdAt: row.createdAt, email: order.email })
        : null;
    return {
      email: {
        kind: "exchange_begun",
        order,
        orderUrl: orderUrl(context, order),
        of: exchange.of.number,
        returned: exchange.returned.map(({ name, quantity }) => ({ name, quantity })),
        added: order.items.map(({ name, quantity }) => ({ name, quantity })),
        differenceCents: exchange.difference,
        note: [...new Set([note, row.sendTo])].filter(Boolean).join("\n\n") || null,
        payUrl,
        expiresAt: row.expiresAt.toISOString(),
      },
      recipient: order.email,
      secret: payUrl === null ? null : new URL(payUrl).searchParams.get("token"),
    };
  },
} satisfies Mail;
