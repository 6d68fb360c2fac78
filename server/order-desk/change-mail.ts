import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { isPaidOutside } from "../../domain/drafts/draft.ts";
import type { Order, OrderShipment } from "../../domain/orders/order.ts";
import type { OrderReturn } from "../../domain/orders/order-return.ts";
import type { OrderChange } from "../../domain/outbox/email.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { buyAgainUrl, deliveryDaysText, orderUrl, readMailOrder, toBuyer } from "../orders/mail.ts";
import { orders } from "../orders/tables.ts";
import type { Mail } from "../outbox/compose.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import { mayMailStranger } from "../outbox/mail-caps.ts";
import type { Message } from "../outbox/settle.ts";
import { paymentLink } from "../payments/payment-link.ts";
import type { Db } from "../platform/database/database.ts";
import { currentActor } from "../platform/http/actor.ts";
import { notifyDevices } from "../push/notify.ts";
import { orderEdits } from "./tables.ts";

type ReturnKey = { orderId: string; returnId: string };

export function shippedKey(shipmentId: string): string {
  return `order_shipped:${shipmentId}`;
}

/**
 * Notifies the buyer of a shipped parcel. Like all functions here, call it in the transaction of the event. The e-mail can be
 * withdrawn until `sendAt`; if `sendAt` is null, it is sent immediately.
 */
export async function enqueueShipped(
  tx: Db,
  { orderId, shipmentId, sendAt }: { orderId: string; shipmentId: string; sendAt: Date | null },
): Promise<void> {
  await enqueueMessages(
    tx,
    [{ kind: "order_shipped", dedupeKey: shippedKey(shipmentId), orderId, data: { shipmentId } }],
    sendAt,
  );
}

/** Notifies the buyer of the delivery. */
export async function enqueueDelivered(tx: Db, orderId: string): Promise<void> {
  await enqueueMessages(tx, [{ kind: "order_delivered", dedupeKey: `order_delivered:${orderId}`, orderId }]);
}

/** Sends the buyer the corrected tracking number, once per correction. */
export async function enqueueParcelCorrected(
  tx: Db,
  { orderId, shipmentId }: { orderId: string; shipmentId: string },
): Promise<void> {
  const dedupeKey = `parcel_corrected:${randomUUID()}`;
  await enqueueMessages(tx, [{ kind: "parcel_corrected", dedupeKey, orderId, data: { shipmentId } }]);
}

/**
 * Notifies the buyer of the cancellation, and the owner if the buyer cancelled. `refundCents` is the amount refunded now,
 * `reason` the owner's message to the buyer.
 */
export async function enqueueOrderCancelled(
  tx: Db,
  order: { orderId: string; refundCents: number; by: "buyer" | "shop"; reason: string | null },
): Promise<void> {
  const { orderId, by, reason } = order;
  const data = { refundCents: String(order.refundCents) };
  const isPanelUser = isPanelUserAsBuyer();
  const ownerMessage = ownerOrderChange(orderId, `called_off:${orderId}`, {
    ...data,
    change: "called_off",
    by: isPanelUser ? "shop" : by,
  });
  await enqueueMessages(tx, [
    {
      kind: "order_called_off",
      dedupeKey: `order_called_off:${orderId}`,
      orderId,
      data: { ...data, by: isPanelUser ? "shop" : by, ...(reason === null ? {} : { reason }) },
    },
    ...(by === "shop" ? [] : [ownerMessage]),
  ]);
}

/** The e-mail to the owner about a changed order, sent once per `key`. */
function ownerOrderChange(orderId: string, key: string, data: Record<string, string>) {
  return { kind: "owner_order_change", dedupeKey: `owner_order_change:${key}`, orderId, data } as const;
}

/** Whether a panel user acts as the buyer; the e-mails then do not attribute the change to the buyer. */
function isPanelUserAsBuyer(): boolean {
  return currentActor()?.buyerCallNote !== undefined;
}

/** Sends the new address to buyer and owner, once per change, within the daily limit of one mailbox. */
export async function enqueueAddressChanged(
  tx: Db,
  { orderId, email, at }: { orderId: string; email: string; at: Date },
): Promise<void> {
  const id = randomUUID();
  const by = isPanelUserAsBuyer() ? "shop" : "buyer";
  const buyerMessage = {
    kind: "address_changed",
    dedupeKey: `address_changed:${id}`,
    recipient: email,
    orderId,
    data: { by },
  } as const;
  const ownerMessage = ownerOrderChange(orderId, id, { change: "address", by });
  const mayMailBuyer = await mayMailStranger(tx, { kind: "address_changed", email, now: at });
  await enqueueMessages(tx, mayMailBuyer ? [buyerMessage, ownerMessage] : [ownerMessage]);
}

/**
 * Notifies buyer and owner that an order's contact was corrected in the panel. The former e-mail address is notified too, so that
 * its holder learns why the order is no longer theirs. `changed` lists the changed parts: "name", "email", "email spelling" (if
 * only capitals differ), "phone", "address".
 */
export async function enqueueContactChanged(
  tx: Db,
  { orderId, formerEmail, changed }: { orderId: string; formerEmail: string | null; changed: string[] },
): Promise<void> {
  const id = randomUUID();
  const data = { by: "shop", changed: changed.join(",") };
  await enqueueMessages(tx, [
    { kind: "address_changed", dedupeKey: `address_changed:${id}`, orderId, data },
    ...(formerEmail === null
      ? []
      : [
          {
            kind: "address_changed" as const,
            dedupeKey: `address_changed:${id}:former`,
            recipient: formerEmail,
            orderId,
            data: { ...data, former: "yes" },
          },
        ]),
    ownerOrderChange(orderId, id, { ...data, change: "address" }),
  ]);
}

/** Sends the buyer the payment link of an order edit, once per `occasion`. */
export async function enqueueEditLink(
  tx: Db,
  { orderId, editId, occasion }: { orderId: string; editId: string; occasion: string },
): Promise<void> {
  await enqueueMessages(tx, [
    {
      kind: "items_to_pay",
      dedupeKey: `items_to_pay:${editId}:${occasion}`,
      orderId,
      data: { changeId: editId },
    },
  ]);
}

/** Notifies the buyer of an applied edit, and the owner if the buyer paid it. */
export async function enqueueEditApplied(
  tx: Db,
  { orderId, editId, isPaid }: { orderId: string; editId: string; isPaid: boolean },
): Promise<void> {
  await enqueueMessages(tx, [
    { kind: "items_changed", dedupeKey: `items_changed:${editId}`, orderId, data: { changeId: editId } },
    ...(isPaid ? [ownerOrderChange(orderId, editId, { changeId: editId, change: "items" })] : []),
  ]);
}

/** Notifies buyer and owner of a return request. */
export async function enqueueReturnRequested(tx: Db, { orderId, returnId }: ReturnKey): Promise<void> {
  await enqueueMessages(tx, [
    { kind: "return_requested", dedupeKey: `return_requested:${returnId}`, orderId, data: { returnId } },
    ownerOrderChange(orderId, returnId, { returnId, change: "return" }),
  ]);
  await notifyDevices(tx, "return", orderId);
}

/** Notifies the buyer of the decision about a return. */
export async function enqueueReturnDecided(tx: Db, { orderId, returnId }: ReturnKey): Promise<void> {
  const dedupeKey = `return_decided:${returnId}`;
  await enqueueMessages(tx, [{ kind: "return_decided", dedupeKey, orderId, data: { returnId } }]);
}

/** Sends the buyer the owner's answer to an undecided request, once per text. */
export async function enqueueReturnAnswered(tx: Db, { orderId, returnId }: ReturnKey): Promise<void> {
  const dedupeKey = `return_answered:${returnId}:${randomUUID()}`;
  await enqueueMessages(tx, [{ kind: "return_answered", dedupeKey, orderId, data: { returnId } }]);
}

/** A buyer's statement of withdrawal from the contract. */
type WithdrawalStatement = {
  orderId: string;
  returnId: string;
  name: string;
  /** Additional recipient of the acknowledgement. */
  email: string;
  at: Date;
  /** Amount refunded immediately, because the order was not shipped; null if it is refunded once the goods are back. */
  refundCents: number | null;
};

/** Acknowledges a withdrawal to the address in the statement and to the order's address, and notifies the owner. */
export async function enqueueWithdrawn(tx: Db, statement: WithdrawalStatement): Promise<void> {
  const { orderId, returnId, name, email, at, refundCents } = statement;
  const data = {
    name,
    declaredAt: at.toISOString(),
    refundCents: refundCents === null ? "" : String(refundCents),
  };
  const [order] = await tx.select({ email: orders.email }).from(orders).where(eq(orders.id, orderId));
  const addresses = new Set([email, ...(order ? [order.email] : [])]);
  await enqueueMessages(tx, [
    ...[...addresses].map((recipient, position) => ({
      kind: "withdrawal_received" as const,
      dedupeKey: `withdrawal_received:${returnId}:${position}`,
      recipient,
      orderId,
      data,
    })),
    ownerOrderChange(orderId, returnId, { ...data, change: "withdrawal" }),
  ]);
}

/** Cents, which the outbox stores as strings; "" for null. */
const cents = v.pipe(
  v.string(),
  v.transform((text) => (text === "" ? null : Number(text))),
);
const cancelledCents = { refundCents: v.pipe(cents, v.number()) };
const cancelledData = v.object({
  ...cancelledCents,
  by: v.optional(v.picklist(["buyer", "shop"]), "buyer"),
  reason: v.optional(v.string()),
});
const shipmentData = v.object({ shipmentId: v.string() });
const returnData = v.object({ returnId: v.string() });
const itemsData = v.object({ changeId: uuidSchema });
const withdrawalData = v.object({ name: v.string(), declaredAt: v.string(), refundCents: cents });
const contactData = v.object({
  by: v.optional(v.picklist(["buyer", "shop"]), "buyer"),
  /** Changed parts of the contact, separated by commas. */
  changed: v.optional(v.string(), "address"),
  former: v.optional(v.string()),
});
const changeData = v.variant("change", [
  v.object({ change: v.literal("address"), ...contactData.entries }),
  v.object({
    change: v.literal("called_off"),
    ...cancelledCents,
    by: v.optional(v.picklist(["buyer", "shop"]), "buyer"),
  }),
  v.object({ change: v.literal("return"), ...returnData.entries }),
  v.object({ change: v.literal("items"), ...itemsData.entries }),
  v.object({ change: v.literal("withdrawal"), ...withdrawalData.entries }),
]);

/** E-mails about changes of a paid order. None is sent to a buyer whose data was erased. */
export const orderChangeMail = {
  order_shipped: toBuyer(({ facts }, order, message) => {
    const shipment = findMailedShipment(order, message);
    return shipment
      ? { kind: "order_shipped", shipment, deliveryDays: deliveryDaysText(order, facts) }
      : "unneeded";
  }),
  order_delivered: toBuyer((context, order, { recipient }) => ({
    kind: "order_delivered",
    buyAgainUrl: buyAgainUrl(context, order, recipient),
    returns: context.facts.returns,
  })),
  address_changed: toBuyer((_, __, message) => {
    const { by, changed, former } = v.parse(contactData, message.data ?? {});
    return { kind: "address_changed", by, changed: changed.split(","), isFormer: former !== undefined };
  }),
  parcel_corrected: toBuyer((_, order, message) => {
    const shipment = findMailedShipment(order, message);
    return shipment ? { kind: "parcel_corrected", shipment } : "unneeded";
  }),
  order_called_off: toBuyer((_, __, message) => {
    const { reason = null, ...facts } = v.parse(cancelledData, message.data);
    return { kind: "order_called_off", ...facts, reason };
  }),
  async items_to_pay(context, message) {
    const order = await readMailOrder(context.db, message);
    const edit = await findMailedEdit(context.db, message);
    if (order.erasedAt !== null) return "erased";
    if (edit?.status !== "waiting" || !edit.expiresAt) return "unneeded";
    const payUrl = paymentLink(context, { ...edit, email: order.email });
    return {
      email: {
        kind: "items_to_pay",
        order,
        orderUrl: orderUrl(context, order),
        payUrl,
        ...editedItems(edit, order),
        note: edit.note,
        expiresAt: edit.expiresAt.toISOString(),
      },
      recipient: order.email,
      secret: new URL(payUrl).searchParams.get("token"),
    };
  },
  items_changed: toBuyer(async ({ db }, order, message) => {
    const edit = await findMailedEdit(db, message);
    if (edit?.status !== "applied") return "unneeded";
    return {
      kind: "items_changed",
      ...editedItems(edit, order),
      note: edit.note,
      isOutside: order.paidWith !== null && isPaidOutside(order.paidWith),
    };
  }),
  return_requested: toBuyer(({ facts }, order, message) => ({
    kind: "return_requested",
    reason: findReturn(order, message).reason ?? "",
    returns: facts.returns,
  })),
  return_decided: toBuyer((_, order, message) => {
    const { status, answer } = findReturn(order, message);
    return { kind: "return_decided", isApproved: status === "approved", answer };
  }),
  return_answered: toBuyer((_, order, message) => {
    const { kind, answer } = findReturn(order, message);
    return { kind: "return_answered", about: kind, answer: answer ?? "" };
  }),
  withdrawal_received: toBuyer((_, __, message) => ({
    kind: "withdrawal_received",
    ...v.parse(withdrawalData, message.data),
  })),
  async owner_order_change({ db, owner, adminUrl }, message) {
    const order = await readMailOrder(db, message);
    if (order.erasedAt !== null) return "erased";
    const edit = await findMailedEdit(db, message);
    const change = edit
      ? ({ kind: "items", ...editedItems(edit, order) } as const)
      : orderChange(order, message);
    return {
      ...owner,
      email: { kind: "owner_order_change", order, change, adminUrl: `${adminUrl}/orders/${order.id}` },
    };
  },
} satisfies Mail;

function findMailedShipment({ shipments }: Order, { data }: Message): OrderShipment | undefined {
  const { shipmentId } = v.parse(shipmentData, data);
  return shipments.find(({ id }) => id === shipmentId);
}

function findReturn(order: Order, message: Message): OrderReturn {
  const { returnId } = v.parse(returnData, message.data);
  const request = order.returns.find(({ id }) => id === returnId);
  if (!request) throw new Error(`message ${message.id} is about a return that does not exist`);
  return request;
}

/** The order edit that a message is about; null if there is none. */
async function findMailedEdit(db: Db, message: Message) {
  const parsed = v.safeParse(itemsData, message.data ?? {});
  if (!parsed.success) return null;
  const [edit] = await db.select().from(orderEdits).where(eq(orderEdits.id, parsed.output.changeId));
  return edit ?? null;
}

function editedItems({ added, removed, differenceCents }: typeof orderEdits.$inferSelect, order: Order) {
  const productName = (productId: number) =>
    order.items.find((item) => item.productId === productId)?.name ?? "a product";
  return {
    added: added.map(({ name, quantity }) => ({ name, quantity })),
    removed: removed.map(({ productId, quantity }) => ({ name: productName(productId), quantity })),
    differenceCents,
  };
}

function orderChange(order: Order, message: Message): OrderChange {
  const data = v.parse(changeData, message.data);
  if (data.change === "items")
    throw new Error(`message ${message.id} is about an order edit that does not exist`);
  if (data.change === "address") return { kind: data.change, by: data.by };
  if (data.change === "called_off") return { kind: data.change, refundCents: data.refundCents, by: data.by };
  if (data.change === "return") return { kind: data.change, reason: findReturn(order, message).reason ?? "" };
  return { kind: data.change, name: data.name, refundCents: data.refundCents };
}
