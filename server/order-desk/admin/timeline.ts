import { eq, or, sql } from "drizzle-orm";
import * as v from "valibot";
import { formatCents } from "../../../domain/shared/money.ts";
import { pick } from "../../../domain/shared/pick.ts";
import { uuidSchema } from "../../../domain/shared/uuid.ts";
import { activity } from "../../admin/tables.ts";
import { disputes } from "../../disputes/tables.ts";
import { orderEvents, orders } from "../../orders/tables.ts";
import { messages } from "../../outbox/tables.ts";
import { paymentEvents, payments, refunds } from "../../payments/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { orderEdits, orderReturns, shipments } from "../tables.ts";

/** An event in an order's history: its time, the table or log it comes from, and a short description. */
export type TimelineEntry = { at: Date; source: string; text: string };

type OrderTimeline = { orderId: string; number: number; entries: TimelineEntry[]; requestIds: string[] };

/** An order's events in the database, oldest first; null if there is no such order. */
export async function readOrderTimeline(db: Db, numberOrId: string): Promise<OrderTimeline | null> {
  const isId = v.is(uuidSchema, numberOrId);
  if (!isId && !/^\d{1,9}$/.test(numberOrId)) return null;
  const [order] = await db
    .select(pick(orders, "id", "number", "createdAt", "totalCents"))
    .from(orders)
    .where(isId ? eq(orders.id, numberOrId) : eq(orders.number, Number(numberOrId)));
  if (!order) return null;
  const { id } = order;
  const entries: TimelineEntry[] = [];
  const add = (at: Date | null, source: string, ...parts: (string | null | undefined)[]) => {
    if (at) entries.push({ at, source, text: parts.filter(Boolean).join(" ") });
  };

  add(order.createdAt, "order", `${order.number} written, ${formatCents(order.totalCents)}, id ${id}`);
  const events = await db.select().from(orderEvents).where(eq(orderEvents.orderId, id));
  for (const { at, fromStatus, toStatus, actor, note, requestId } of events) {
    const step = fromStatus === toStatus ? toStatus : `${fromStatus ?? "new"} -> ${toStatus}`;
    add(at, "order", `${step}, by ${actor}`, note && `(${note})`, requestId && `request ${requestId}`);
  }
  for (const { createdAt, endedAt, status } of await db
    .select()
    .from(orderEdits)
    .where(eq(orderEdits.orderId, id))) {
    add(createdAt, "edit", "begun");
    add(endedAt, "edit", status);
  }
  const paymentRows = await db.select().from(payments).where(eq(payments.orderId, id));
  for (const { createdAt, provider, intentId, status, amountCents } of paymentRows) {
    add(
      createdAt,
      "payment",
      `${formatCents(amountCents)} begun with ${provider},`,
      intentId,
      `now ${status}`,
    );
  }
  const matchesOrder = sql`${paymentEvents.intentId} in (
    select intent_id from payments where order_id = ${id} and intent_id is not null)`;
  for (const event of await db
    .select()
    .from(paymentEvents)
    .where(or(eq(paymentEvents.orderId, id), matchesOrder))) {
    const arrivalText = event.deliveredAt ? "delivered" : "found in the provider’s list";
    add(event.createdAt, "provider", `${event.type}, ${event.id}`);
    add(event.deliveredAt ?? event.receivedAt, "event", `${event.type} ${arrivalText}, ${event.id}`);
    add(event.handledAt, "event", `${event.type} handled: ${event.outcome ?? "nothing"}, ${event.id}`);
  }
  for (const refund of await db.select().from(refunds).where(eq(refunds.orderId, id))) {
    const amount = formatCents(refund.amountCents);
    add(refund.createdAt, "refund", `${amount} requested by ${refund.actor ?? refund.origin}`);
    add(refund.settledAt, "refund", `${amount} ${refund.status}`);
    add(refund.failedAt, "refund", `${amount} failed:`, refund.failure);
  }
  for (const dispute of await db.select().from(disputes).where(eq(disputes.orderId, id))) {
    add(
      dispute.createdAt,
      "dispute",
      `${formatCents(dispute.amountCents)}, ${dispute.reason}, ${dispute.id}`,
    );
    add(dispute.closedAt, "dispute", `${dispute.status}, ${dispute.id}`);
  }
  for (const parcel of await db.select().from(shipments).where(eq(shipments.orderId, id))) {
    add(parcel.shippedAt, "parcel", `${parcel.number} given to ${parcel.carrier}`);
    add(parcel.deliveredAt, "parcel", `${parcel.number} delivered`);
  }
  for (const { requestedAt, status } of await db
    .select()
    .from(orderReturns)
    .where(eq(orderReturns.orderId, id))) {
    add(requestedAt, "return", `requested, now ${status}`);
  }
  for (const message of await db.select().from(messages).where(eq(messages.orderId, id))) {
    add(message.createdAt, "message", `${message.kind} queued, ${message.id}`);
    add(message.sentAt, "message", `${message.kind} ${message.status}, ${message.id}`);
    if (!message.sentAt && message.attempts > 0) {
      const tries = `${message.attempts} tries, ${message.id}`;
      add(message.createdAt, "message", `${message.kind} ${message.status}, ${tries}`);
    }
  }
  for (const entry of await db
    .select()
    .from(activity)
    .where(eq(activity.subject, `order:${id}`))) {
    add(entry.at, "panel", `${entry.summary} (${entry.outcome})`);
  }
  const { rows } = await db.execute<{ at: string; name: string; attempts: number; max_attempts: number }>(sql`
    select run_at as at, name, attempts, max_attempts from jobs
    where payload ->> 'orderId' = ${id}`);
  for (const { at, name, attempts, max_attempts: max } of rows) {
    add(new Date(at), "job", `${name} ${attempts >= max ? "gave up" : "waits"} after ${attempts} tries`);
  }
  const requestIds = events.flatMap(({ requestId }) => requestId ?? []);
  return { orderId: id, number: order.number, entries: sortByTime(entries), requestIds };
}

type LogLine = Record<string, unknown>;

/**
 * A log line as an event of the order, if it names the order or belongs to a request that changed it; otherwise null. Lines are
 * JSON, either as the shop writes it or wrapped by `journalctl --output=json`; lines that are not JSON are skipped.
 */
export function logLineEntry(
  line: string,
  timeline: Pick<OrderTimeline, "orderId" | "requestIds">,
): TimelineEntry | null {
  const entry = parseLine(line);
  const at = new Date(String(entry?.time));
  if (!entry || Number.isNaN(at.getTime()) || typeof entry.msg !== "string") return null;
  const { orderId, orderIds, requestId } = entry;
  const namesOrder =
    orderId === timeline.orderId || (Array.isArray(orderIds) && orderIds.includes(timeline.orderId));
  if (!namesOrder && !timeline.requestIds.includes(String(requestId))) return null;
  const { level, time: _time, msg, err, orderId: _, orderIds: __, ...rest } = entry;
  const fields = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === "object" ? JSON.stringify(value) : value}`,
  );
  const reason = err && typeof err === "object" && "message" in err ? [`error=${String(err.message)}`] : [];
  const text = [`${msg}`, ...fields, ...reason].join(" ");
  return { at, source: `log ${level}`, text: text.replaceAll(/\s+/g, " ") };
}

function parseLine(line: string): LogLine | null {
  const start = line.indexOf("{");
  if (start < 0) return null;
  try {
    const entry = JSON.parse(line.slice(start));
    // journalctl writes a text with control characters as a list of bytes.
    const message = Array.isArray(entry.MESSAGE) ? Buffer.from(entry.MESSAGE).toString() : entry.MESSAGE;
    return typeof message === "string" ? JSON.parse(message) : entry;
  } catch {
    return null;
  }
}

/** Oldest first; events of the same millisecond keep their sequence. */
export function sortByTime(entries: readonly TimelineEntry[]): TimelineEntry[] {
  return entries.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}
