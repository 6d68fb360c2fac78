import { and, eq, isNull, lte, or } from "drizzle-orm";
import type { OrderLabel } from "../../domain/labels/labels.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { type LabelRow, labels } from "./tables.ts";

/** Longer than all calls for a purchase may take. After a crash, others ask for the label after this time. */
const askingMs = 60_000;

export async function readLabel(db: Db, id: string): Promise<LabelRow> {
  const [label] = await db.select().from(labels).where(eq(labels.id, id));
  if (!label) throw new Error(`label ${id} is not there`);
  return label;
}

/** Of a voided label: whether its price is not given back yet, or never will be. */
export function refundOf({ state, askingUntil, refundRejectedAt }: LabelRow): OrderLabel["refund"] {
  if (state !== "voided") return null;
  return refundRejectedAt ? "rejected" : askingUntil && "pending";
}

/** Whether the caller may ask the provider now to buy or to void the label, whose state must still be this one. */
export async function claimAsking(
  { db, now }: ShopContext,
  id: string,
  state: "buying" | "voiding",
): Promise<boolean> {
  const at = now();
  const isFree = or(isNull(labels.askingUntil), lte(labels.askingUntil, at));
  const { rowCount } = await db
    .update(labels)
    .set({ askingUntil: new Date(at.getTime() + askingMs) })
    .where(and(eq(labels.id, id), eq(labels.state, state), isFree));
  return rowCount === 1;
}
