import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { and, desc, eq, like, ne, type SQL, sql } from "drizzle-orm";
import type { Order } from "../../../domain/orders/order.ts";
import { costsTheSame, hasContactToCorrect } from "../../../domain/orders/order-actions.ts";
import type { ContactChange } from "../../../domain/orders/order-forms.ts";
import { activity } from "../../admin/tables.ts";
import type { ShopContext } from "../../context.ts";
import { orderDrafts } from "../../drafts/tables.ts";
import { detachOtherVisitors, updateContact } from "../../orders/commands.ts";
import { correctedNote, isEmailCorrection, isSameAddress } from "../../orders/link-tokens.ts";
import { orderEvents, orders } from "../../orders/tables.ts";
import { recordOrderNote } from "../../orders/transition.ts";
import { closeChangePaymentJob } from "../../payments/job-kinds.ts";
import type { Db } from "../../platform/database/database.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { refuse, withLockedOrder } from "../actions.ts";
import { enqueueContactChanged, enqueueEditLink } from "../change-mail.ts";
import { findWaitingEdit } from "../edits/waiting-edit.ts";
import { enqueueExchange } from "../exchanges/mail.ts";
import { orderEdits, orderExchanges } from "../tables.ts";

/**
 * The panel user who last changed an order's e-mail address, and may therefore receive the mail with its links. A replacement or
 * the new order of an exchange has the address that its first order had when it was created. Null if the address was not changed,
 * or if the caller's browser placed the order.
 */
export async function lastEmailEditor(
  db: Db,
  { orderId, visitorId }: { orderId: string; visitorId: string | null },
): Promise<{ personId: string | null } | null> {
  const isPlacedByOther = visitorId === null ? undefined : ne(orders.visitorId, visitorId);
  const matchesOrder = sql`${orders.id} in ${idsOfOrderChain(orderId)} and (${orders.id} = ${orderId}
    or ${orderEvents.at} <= (select new.created_at from ${orders} as new where new.id = ${orderId}))`;
  const last = await lastEmailEdit(db, and(matchesOrder, isPlacedByOther));
  return last && { personId: last.personId };
}

/** SQL for the ids of an order and of the earlier orders whose units it replaces or was exchanged for, directly or not. */
const idsOfOrderChain = (orderId: string) => sql`(
  with recursive chain(id) as (
    select ${orderId}::uuid union
    select coalesce(o.replaces_id, x.order_id) from chain join ${orders} as o on o.id = chain.id
      left join ${orderExchanges} as x on x.new_order_id = o.id where coalesce(o.replaces_id, x.order_id) is not null
  ) select id from chain)`;

/**
 * The panel user who last saved the order's draft, or sent or copied its link, and so chose its e-mail address or may have opened
 * its link. Null if the order had no draft.
 */
export async function lastDraftAuthor(
  db: Db,
  { orderId }: { orderId: string },
): Promise<{ personId: string | null } | null> {
  const [last] = await db
    .select({ personId: activity.personId })
    .from(orderDrafts)
    .innerJoin(activity, eq(activity.subject, sql`'draft:' || ${orderDrafts.id}`))
    .where(and(sql`${orderDrafts.orderId} in ${idsOfOrderChain(orderId)}`, eq(activity.outcome, "done")))
    .orderBy(desc(activity.id))
    .limit(1);
  return last ?? null;
}

/** The panel user who last entered this e-mail address in an existing order; case-insensitive. */
export async function lastAddressAuthor(
  db: Db,
  email: string,
): Promise<{ personId: string | null; orderId: string } | null> {
  return lastEmailEdit(db, eq(sql`lower(${orders.email})`, email.toLowerCase()));
}

/** The last change of an e-mail address in the panel, among the orders that meet `condition`. */
async function lastEmailEdit(
  db: Db,
  condition: SQL | undefined,
): Promise<{ personId: string | null; orderId: string } | null> {
  const edits = await db
    .select({
      orderId: orders.id,
      personId: orderEvents.personId,
      actor: orderEvents.actor,
      note: orderEvents.note,
    })
    .from(orderEvents)
    .innerJoin(orders, eq(orders.id, orderEvents.orderId))
    .where(and(condition, eq(orderEvents.actor, "owner"), like(orderEvents.note, `${correctedNote}%`)))
    .orderBy(desc(orderEvents.id));
  const last = edits.find(isEmailCorrection);
  return last ? { personId: last.personId, orderId: last.orderId } : null;
}

/** `conflict`: edited since it was read. `cost`: shipping or tax would differ at the new address, and that was not waived. */
type ContactResult =
  | { ok: true; changed: string[] }
  | { ok: false; code: "state" | "conflict" | "cost"; reason: string };

/** Version of an order's contact, a hash that every edit changes. */
export function contactVersion({
  customerName,
  email,
  phone,
  shipping,
  shippingAddress,
}: Pick<Order, "customerName" | "email" | "phone" | "shipping" | "shippingAddress">): string {
  const { line1, line2, city, state, postalCode, country } = shipping ?? {};
  const address = [line1, line2, city, state, postalCode, country];
  return createHash("sha256")
    .update(JSON.stringify([customerName, email, phone, address, shippingAddress]))
    .digest("hex")
    .slice(0, 16);
}

/**
 * Corrects the contact of a paid order. E-mail and phone can be corrected at any time, the address until the order ships; if
 * shipping or tax would differ there, the difference must be waived. E-mails buyer, owner and the former address. Links sent to
 * the former address and its browsers no longer open the order. Null if there is no such order.
 */
export async function changeContact(
  ctx: ShopContext,
  { orderId, version, waiveDifference, ...contact }: ContactChange & { orderId: string },
): Promise<ContactResult | null> {
  return withLockedOrder(ctx, orderId, async (tx, { order }) => {
    const shipping = contact.shipping ?? order.shipping;
    const isSpellingOnly = isSameAddress(order.email, contact.email);
    const changed = [
      ...(order.customerName === contact.customerName ? [] : ["name"]),
      ...(order.email === contact.email ? [] : [isSpellingOnly ? "email spelling" : "email"]),
      ...((order.phone || null) === contact.phone ? [] : ["phone"]),
      ...(isDeepStrictEqual(order.shipping, shipping) ? [] : ["address"]),
    ];
    if (changed.length === 0) return { ok: true, changed };
    if (contactVersion(order) !== version) {
      return {
        ok: false,
        code: "conflict",
        reason:
          "Somebody else has changed this order’s contact in the meantime. Check it again before you save.",
      };
    }
    if (!hasContactToCorrect(order)) {
      return { code: "state", ...refuse(editProblem(order)) };
    }
    const isAddressChanged = changed.includes("address");
    if (isAddressChanged && !isBeforeParcel(order)) {
      return {
        code: "state",
        ...refuse(
          // Until then, the tax of the new order is calculated for this address.
          order.status === "pending"
            ? "The address of an exchange can be changed once it is paid or its return has been received."
            : "The address can only be changed before the first parcel has shipped.",
        ),
      };
    }
    if (
      isAddressChanged &&
      shipping &&
      !waiveDifference &&
      !costsTheSame(order, shipping, await ctx.settings(tx))
    ) {
      return {
        code: "cost",
        ...refuse("Shipping or tax would cost a different amount there."),
      };
    }
    await updateContact(tx, orderId, { ...contact, shipping: isAddressChanged ? shipping : null });
    if (changed.includes("email")) {
      await detachOtherVisitors(tx, orderId);
      // The payment link that was sent to the former address no longer works.
      const occasion = `corrected:${ctx.now().getTime()}`;
      const edit = await findWaitingEdit(tx, orderId);
      // A payment page that is still open at the provider would lead back to that link.
      if (edit) await addJob(tx, closeChangePaymentJob, { changeId: edit.id });
      if (edit?.sentAt) {
        await enqueueEditLink(tx, { orderId, editId: edit.id, occasion });
        await tx.update(orderEdits).set({ sentAt: ctx.now() }).where(eq(orderEdits.id, edit.id));
      }
      if (order.status === "pending" && order.exchangeOf !== null) {
        const { id: exchangeId } = order.exchangeOf;
        await addJob(tx, closeChangePaymentJob, { changeId: exchangeId });
        await enqueueExchange(tx, { newOrderId: orderId, exchangeId, note: null, occasion });
      }
    }
    const waived = isAddressChanged && waiveDifference ? ", a difference in cost waived" : "";
    const note = `${correctedNote}${changed.join(", ")}${waived}`;
    await recordOrderNote(tx, order, { actor: "owner", note, now: ctx.now() });
    await enqueueContactChanged(tx, {
      orderId,
      formerEmail: changed.includes("email") ? order.email : null,
      changed,
    });
    return { ok: true, changed };
  });
}

function editProblem({ erasedAt, exchangeOf }: Order): string {
  if (erasedAt !== null) return "The buyer’s data of this order was deleted at their request.";
  return exchangeOf === null
    ? "This order has not been paid: its buyer can still correct it at checkout."
    : "This exchange has ended.";
}

function isBeforeParcel({ status, fulfilment, shipments, cancelledAt, allBackAt }: Order): boolean {
  const isPaid = status === "completed" || status === "partially_refunded";
  return (
    isPaid && fulfilment === null && shipments.length === 0 && cancelledAt === null && allBackAt === null
  );
}
