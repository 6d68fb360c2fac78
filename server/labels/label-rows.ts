import { and, eq, gt, isNull, lte, or } from "drizzle-orm";
import type { OrderLabel } from "../../domain/labels/labels.ts";
import type { ShopContext } from "../context.ts";
import { raiseIssue } from "../issues/issues.ts";
import { issues } from "../issues/tables.ts";
import type { Purchase } from "../label-providers/carrier.ts";
import type { Db } from "../platform/database/database.ts";
import { type LabelRow, labels } from "./tables.ts";

/** Lease for calling the provider: longer than all calls of a purchase. After a crash, another caller waits this long. */
export const leaseMs = 60_000;

export async function readLabel(db: Db, id: string): Promise<LabelRow> {
  const [label] = await db.select().from(labels).where(eq(labels.id, id));
  if (!label) throw new Error(`label ${id} is missing`);
  return label;
}

/** Issues about voided labels whose price the carrier did not refund; `subject` names the label. */
export const notRefunded = { kind: "label_not_refunded", subject: (labelId: string) => `refund:${labelId}` };

/** Raises an issue about labels that the carrier sold more than once and does not refund. */
export async function raiseKeptDuplicates(
  tx: Db,
  { id, orderId, carrier }: LabelRow,
  { keptDuplicates = [] }: Purchase,
): Promise<void> {
  if (keptDuplicates.length === 0) return;
  const message = `${carrier} sold the label of this order more than once, and does not refund ${keptDuplicates.join(", ")}. Ask the carrier for the price, and close this when it is settled`;
  await raiseIssue(tx, { kind: "label_twin", subject: `twin:${id}`, orderId, message });
}

/** Maps the ids of an order's labels to the state of their refunds, which is null if the label is not void. */
export async function readLabelRefunds(
  db: Db,
  orderId: string,
  rows: readonly LabelRow[],
): Promise<Map<string, OrderLabel["refund"]>> {
  const refundIssues = await db
    .select({ subject: issues.subject })
    .from(issues)
    .where(and(eq(issues.orderId, orderId), eq(issues.kind, notRefunded.kind)));
  const subjects = new Set(refundIssues.map(({ subject }) => subject));
  const labelRefund = ({ id, state, askingUntil, refundRejectedAt }: LabelRow): OrderLabel["refund"] => {
    if (state !== "voided") return null;
    if (refundRejectedAt) return "rejected";
    if (askingUntil) return "pending";
    return subjects.has(notRefunded.subject(id)) ? "unknown" : null;
  };
  return new Map(rows.map((row) => [row.id, labelRefund(row)]));
}

const hourMs = 60 * 60 * 1000;
/** Interval between two checks whether a voided label was refunded: the longest pause of a label. */
export const refundEveryMs = 6 * hourMs;

/**
 * SQL condition: the label's lease or pause is over. An impossibly long one was stored while the clock was ahead, and counts as
 * over.
 */
export function isDueAt(now: Date, longestMs = refundEveryMs) {
  return or(
    lte(labels.askingUntil, now),
    gt(labels.askingUntil, new Date(now.getTime() + longestMs + hourMs)),
  );
}

/** Claims the lease for calling the provider about a label. False if another caller holds it, or the label is in another state. */
export async function claimLease(
  { db, now }: ShopContext,
  id: string,
  state: "buying" | "voiding",
): Promise<boolean> {
  const at = now();
  const isFree = or(isNull(labels.askingUntil), isDueAt(at, leaseMs));
  const { rowCount } = await db
    .update(labels)
    .set({ askingUntil: new Date(at.getTime() + leaseMs) })
    .where(and(eq(labels.id, id), eq(labels.state, state), isFree));
  return rowCount === 1;
}
