import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Order } from "../../domain/orders/order.ts";
import type { Email } from "../../domain/outbox/email.ts";
import { orderText } from "../../domain/outbox/text-message.ts";
import type { ShopSettings } from "../../domain/settings/settings.ts";
import { e164 } from "../../domain/shared/phone.ts";
import { deliveryDays } from "../../domain/shipping/shipping-policy.ts";
import { mailPicture } from "../catalog/pictures/sizes.ts";
import type { ShopContext } from "../context.ts";
import type { Composer, Mail, MailContext } from "../outbox/compose.ts";
import { enqueueMessages, type NewMessage } from "../outbox/enqueue.ts";
import type { Message } from "../outbox/settle.ts";
import { batchCalls } from "../platform/batch-calls.ts";
import type { Db } from "../platform/database/database.ts";
import { notifyDevices } from "../push/notify.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { isSameAddress, orderLinkToken } from "./link-tokens.ts";
import type { Lookup } from "./lookup.ts";
import { findOrders } from "./queries.ts";
import { orderLines, orders } from "./tables.ts";

/** Enqueues the messages about a paid order and push messages. Call it in the transaction that books the payment. */
export async function enqueueOrderPaid(
  ctx: Pick<ShopContext, "ownerSettings">,
  tx: Db,
  orderId: string,
): Promise<void> {
  await enqueueMessages(tx, await paidOrderMessages(ctx, orderId, tx));
  await notifyDevices(tx, "order", orderId);
}

/** E-mails to buyer and owner, and a text message if the owner set a number. */
export async function paidOrderMessages(
  ctx: Pick<ShopContext, "ownerSettings">,
  orderId: string,
  tx: Db,
): Promise<NewMessage[]> {
  const { phoneNumber } = (await ctx.ownerSettings(tx)).sms;
  const text =
    phoneNumber === null ? [] : [{ kind: "owner_order_text", recipient: e164(phoneNumber) } as const];
  const kinds = [{ kind: "order_confirmation" } as const, { kind: "owner_new_order" } as const, ...text];
  return kinds.map((message) => ({ ...message, dedupeKey: `${message.kind}:${orderId}`, orderId }));
}

/** Sends the buyer the confirmation once more, on every call. */
export async function enqueueConfirmationCopy(db: Db, orderId: string): Promise<void> {
  const dedupeKey = `order_confirmation_copy:${randomUUID()}`;
  await enqueueMessages(db, [{ kind: "order_confirmation_copy", dedupeKey, orderId }]);
}

export const lookupKinds = {
  orders: "order_lookup",
  export: "data_export",
  deletion: "data_deletion",
} as const;

/** Sends a link that proves its reader's e-mail address. */
export async function enqueueLookup(tx: Db, lookup: Lookup): Promise<void> {
  const { purpose, lookupId, email, token, expiresAt } = lookup;
  await enqueueMessages(tx, [
    {
      kind: lookupKinds[purpose],
      dedupeKey: `order_lookup:${lookupId}`,
      recipient: email,
      data: { token, expiresAt: expiresAt.toISOString() },
    },
  ]);
}

/** Composes the confirmation, or a copy of it, from the current order. */
const confirmation: Composer = async (context, message) => {
  const order = await readMailOrder(context.db, message);
  return {
    email: {
      kind: "order_confirmation",
      order,
      orderUrl: orderUrl(context, order),
      deliveryDays: deliveryDaysText(order, context.facts),
      timeZone: await ownerTimeZone(context),
    },
    recipient: order.email,
    secret: null,
  };
};

const textFailedData = v.object({ reason: v.string() });
const lookupData = v.object({ token: v.string(), expiresAt: v.pipe(v.string(), v.isoTimestamp()) });

export const orderMail = {
  order_confirmation: confirmation,
  order_confirmation_copy: confirmation,
  async owner_new_order({ db, owner, adminUrl }, message) {
    const order = await readMailOrder(db, message);
    return {
      ...owner,
      email: { kind: "owner_new_order", order, adminUrl: `${adminUrl}/orders/${order.id}` },
    };
  },
  async owner_order_text({ db, facts, adminUrl }, { orderId }) {
    const [order] = await db
      .select({
        number: orders.number,
        totalCents: orders.totalCents,
        units: sql<number>`(select coalesce(sum(${orderLines.quantity}), 0)::int from ${orderLines}
          where ${orderLines.orderId} = ${orders.id})`,
      })
      .from(orders)
      .where(eq(orders.id, orderId ?? ""));
    if (!order) throw new Error("a text about an order that does not exist");
    return orderText(facts.brandName, order, adminUrl);
  },
  /** The outbox enqueues this e-mail in place of a failed text message. */
  async owner_text_failed({ db, owner, adminUrl }, message) {
    const order = await readMailOrder(db, message);
    const { reason } = v.parse(textFailedData, message.data);
    return {
      ...owner,
      email: { kind: "owner_text_failed", order, reason, adminUrl: `${adminUrl}/orders/${order.id}` },
    };
  },
  async order_lookup({ now, publicUrl }, message) {
    const { token, expiresAt } = v.parse(lookupData, message.data);
    if (now() >= new Date(expiresAt)) return "expired";
    return {
      email: { kind: "order_lookup", lookupUrl: `${publicUrl}/orders/find?token=${token}` },
      secret: token,
    };
  },
} satisfies Mail;

/** Maximum number of orders read by one statement. */
const maxGroupSize = 50;
const readers = new WeakMap<Db, (orderId: string) => Promise<Order | null>>();

/** Reads the order of a message, batched with orders of concurrent messages. Throws if there is none. */
export async function readMailOrder(db: Db, message: Message): Promise<Order> {
  const read = readers.get(db) ?? batchCalls(maxGroupSize, (ids: string[]) => findForMail(db, ids));
  readers.set(db, read);
  const order = message.orderId === null ? null : await read(message.orderId);
  if (!order) throw new Error(`message ${message.id} is about an order that does not exist`);
  return order;
}

/** Reads orders, with pictures that mail programs can show. */
async function findForMail(db: Db, ids: string[]): Promise<(Order | null)[]> {
  const rows = await findOrders(db, ids);
  return rows.map(
    (order) =>
      order && {
        ...order,
        items: order.items.map((item) => ({
          ...item,
          image: item.image && mailPicture(item.image),
        })),
      },
  );
}

/** URL of the order's page. Its token opens it on any device, unless `recipient` is not the order's own address. */
export function orderUrl(context: MailContext, order: Order, recipient: string | null = null): string {
  return pageUrl(context, order, { recipient, page: "" });
}

/** URL of a page that offers to buy the order again; opening it adds nothing to a cart. */
export function buyAgainUrl(context: MailContext, order: Order, recipient: string | null = null): string {
  return pageUrl(context, order, { recipient, page: "/again" });
}

/** The URL contains no token for another address: it may be a former, mistyped address, to which a message is sent late or again. */
function pageUrl(
  { publicUrl, secret, now }: MailContext,
  order: Order,
  { recipient, page }: { recipient: string | null; page: string },
): string {
  const url = `${publicUrl}/orders/${order.id}${page}`;
  const isOwn = recipient === null || isSameAddress(recipient, order.email);
  return isOwn ? `${url}?token=${orderLinkToken(secret, order, now())}` : url;
}

export function deliveryDaysText(order: Order, { shipping }: ShopSettings): string | null {
  const options = shipping.zones.flatMap((zone) => zone.options);
  const option = options.find(({ id }) => id === order.shippingOption.id);
  return option ? deliveryDays(option) : null;
}

/** The properties of an e-mail about an order that are not common to all such e-mails. */
type BuyerEmail = Email extends infer E
  ? E extends { order: Order; orderUrl: string }
    ? Omit<E, "order" | "orderUrl">
    : never
  : never;

type MaybePromise<T> = T | Promise<T>;

/** Composes an e-mail to an order's buyer, unless the buyer's data has been erased. */
export function toBuyer(
  buildEmail: (context: MailContext, order: Order, message: Message) => MaybePromise<BuyerEmail | "unneeded">,
): Composer {
  return async (context, message) => {
    const order = await readMailOrder(context.db, message);
    if (order.erasedAt !== null) return "erased";
    const facts = await buildEmail(context, order, message);
    if (facts === "unneeded") return "unneeded";
    const email = { ...facts, order, orderUrl: orderUrl(context, order, message.recipient) } as Email;
    return { email, recipient: message.recipient ?? order.email, secret: null };
  };
}
