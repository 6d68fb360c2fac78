import { and, eq, inArray } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { closeChangePaymentJob, endExchangeJob } from "../payments/job-kinds.ts";
import type { Db } from "../platform/database/database.ts";
import { task } from "../platform/jobs/jobs.ts";
import { orderActionsApi } from "./actions-api.ts";
import { orderFiltersApi } from "./admin/filters-api.ts";
import { orderListApi } from "./admin/list-api.ts";
import { adminOrderApi } from "./admin/order-api.ts";
import { ordersApi } from "./api.ts";
import { orderChangeMail } from "./change-mail.ts";
import { dataLinksApi } from "./data-links-api.ts";
import { orderEditingApi } from "./editing/api.ts";
import { orderEditsApi } from "./edits/api.ts";
import { ownEditApi, payEditApi } from "./edits/pay-api.ts";
import { closeChangePayment, endExpiredEdits, refreshEditPayments } from "./edits/payment.ts";
import { settleEdit } from "./edits/settle.ts";
import { endUnpayableEdit, withdrawEdit } from "./edits/waiting-edit.ts";
import { exchangesApi } from "./exchanges/api.ts";
import { exchangeMail } from "./exchanges/mail.ts";
import { checkExchange, endExchanges, takeCredit, watchEndedExchanges } from "./exchanges/settle.ts";
import { fulfilmentApi } from "./fulfilment/api.ts";
import { orderRefundsApi } from "./refunds/api.ts";
import { orderEdits, orderNotes, orderReturns, orderTags, shipments } from "./tables.ts";

export const orderDeskFeature = {
  api: [
    ...ordersApi,
    ...dataLinksApi,
    ...orderListApi,
    ...orderFiltersApi,
    ...orderActionsApi,
    ...adminOrderApi,
    ...fulfilmentApi,
    ...orderEditingApi,
    ...orderEditsApi,
    ...payEditApi,
    ...ownEditApi,
    ...orderRefundsApi,
    ...exchangesApi,
  ],
  tasks: (ctx) => [
    task(closeChangePaymentJob, ({ changeId }) => closeChangePayment(ctx, changeId)),
    task(endExchangeJob, async ({ exchangeId, why }) => {
      await checkExchange(ctx, exchangeId, why);
    }),
  ],
  mail: { ...orderChangeMail, ...exchangeMail },
  paymentHooks: {
    settleEdit,
    takeCredit,
    onRefundsChanged: endUnpayableEdit,
    onReconcile: refreshEditPayments,
    async onExpiryRun(ctx) {
      await endExpiredEdits(ctx);
      await watchEndedExchanges(ctx);
    },
  },
  personalData: {
    // Also ends exchanges of orders whose data must still be kept: the buyer no longer wants them.
    erase: (tx, { orderIds }) =>
      endExchanges(tx, orderIds, "The buyer asked for the deletion of their data."),
    ofOrder: readNotesAndTags,
    eraseOrders: eraseNotesAndTags,
  },
} satisfies Feature;

/** Reads internal notes, the notes of the order's edits, and tags. */
async function readNotesAndTags(db: Db, orderId: string) {
  const notes = await db
    .select({ text: orderNotes.text, at: orderNotes.at })
    .from(orderNotes)
    .where(eq(orderNotes.orderId, orderId))
    .orderBy(orderNotes.id);
  const tags = await db
    .select({ tag: orderTags.tag })
    .from(orderTags)
    .where(eq(orderTags.orderId, orderId))
    .orderBy(orderTags.tag);
  const changes = await db
    .select({ note: orderEdits.note, status: orderEdits.status, createdAt: orderEdits.createdAt })
    .from(orderEdits)
    .where(eq(orderEdits.orderId, orderId))
    .orderBy(orderEdits.createdAt, orderEdits.id);
  return { notes, tags: tags.map(({ tag }) => tag), changes };
}

/** Erases notes, tags, texts of returns and edits, and tracking numbers of parcels; withdraws unpaid edits. */
async function eraseNotesAndTags(tx: Db, orderIds: string[], ctx: ShopContext): Promise<void> {
  const edits = await tx
    .select({ id: orderEdits.id })
    .from(orderEdits)
    .where(and(inArray(orderEdits.orderId, orderIds), eq(orderEdits.status, "waiting")));
  for (const { id } of edits) await withdrawEdit(ctx, tx, id, "The buyer’s data was deleted.");
  await tx.update(shipments).set({ trackingNumber: null }).where(inArray(shipments.orderId, orderIds));
  await tx
    .update(orderReturns)
    .set({ reason: null, answer: null })
    .where(inArray(orderReturns.orderId, orderIds));
  await tx.delete(orderNotes).where(inArray(orderNotes.orderId, orderIds));
  await tx.delete(orderTags).where(inArray(orderTags.orderId, orderIds));
  await tx.update(orderEdits).set({ note: null }).where(inArray(orderEdits.orderId, orderIds));
}
