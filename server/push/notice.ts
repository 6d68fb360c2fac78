import { eq, sql } from "drizzle-orm";
import { contactReference, contactSubjects } from "../../domain/contact/contact.ts";
import { mailOutageSentence } from "../../domain/outbox/mail-outage.ts";
import type { Role } from "../../domain/people/roles.ts";
import type { Notice, PushAlarm, PushEvent } from "../../domain/push/device.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { contactMessages } from "../contact/tables.ts";
import type { ShopContext } from "../context.ts";
import { orderLines, orders } from "../orders/tables.ts";
import { findMailOutage } from "../outbox/outage.ts";
import type { Db } from "../platform/database/database.ts";
import { readSettings } from "../settings/queries.ts";

/**
 * Text of a notification. It has no more personal data than the owner's text alerts, and no amounts for packers. Null if its
 * subject was deleted.
 */
export async function buildNotice(
  { db, now }: Pick<ShopContext, "db" | "now">,
  { event, subject, role }: { event: PushEvent | PushAlarm; subject: string; role: Role },
): Promise<Notice | null> {
  const tag = `${event}:${subject}`;
  if (event === "mail_outage") {
    const outage = await findMailOutage(db, subject);
    if (outage === null) return null;
    const { timeZone } = (await readSettings(db)).owner;
    const facts = { ...outage, since: outage.since.toISOString() };
    const body = mailOutageSentence(facts, { timeZone, now: now().toISOString() });
    return { title: "Email is not being sent", body, path: "/admin", tag };
  }
  if (event === "message") {
    const message = await findMessage(db, subject);
    return message === null
      ? null
      : { title: "New message", body: message, path: `/admin/messages/${subject}`, tag };
  }
  const order = await findOrder(db, subject);
  if (!order) return null;
  const path = `/admin/orders/${subject}`;
  const number = `#${order.number}`;
  if (event === "return") return { title: "Return requested", body: `${number}: decide about it`, path, tag };
  if (event === "dispute") {
    return { title: "Dispute", body: `${number}: the buyer’s bank asks for the money back`, path, tag };
  }
  const units = `${order.units} ${order.units === 1 ? "item" : "items"}`;
  const amount = role === "packer" ? [] : [formatCents(order.totalCents)];
  return { title: "New order", body: [number, ...amount, units].join(" · "), path, tag };
}

export const testNotice: Notice = {
  title: "It works",
  body: "New orders are announced like this on this device.",
  path: "/admin/account",
  tag: "test",
};

async function findOrder(db: Db, id: string) {
  const [order] = await db
    .select({
      number: orders.number,
      totalCents: orders.totalCents,
      units: sql<number>`(select coalesce(sum(${orderLines.quantity}), 0)::int from ${orderLines}
        where ${orderLines.orderId} = ${orders.id})`,
    })
    .from(orders)
    .where(eq(orders.id, id));
  return order ?? null;
}

/** Number and subject of a message, such as "M-1042 · Order Question". */
async function findMessage(db: Db, id: string): Promise<string | null> {
  const [message] = await db
    .select({ number: contactMessages.number, subject: contactMessages.subject })
    .from(contactMessages)
    .where(eq(contactMessages.id, id));
  return message ? `${contactReference(message.number)} · ${contactSubjects[message.subject]}` : null;
}
