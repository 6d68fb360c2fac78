import { asc, eq, sql } from "drizzle-orm";
import type { OrderAmounts } from "../../domain/checkout/included-tax.ts";
import { pick } from "../../domain/shared/pick.ts";
import type { Db } from "../platform/database/database.ts";
import type { NewOrder } from "./commands.ts";
import { orderEntries } from "./entries.ts";
import { orderLines, orders, orderVisitors } from "./tables.ts";
import { recordOrderEvent } from "./transition.ts";

type Row = typeof orders.$inferInsert;
type FollowUp = Pick<Row, "id" | "givingPercent" | "requestHash" | "expiresAt"> & {
  now: Date;
  status: "pending" | "completed";
  amounts: OrderAmounts;
  lines: NewOrder["lines"];
  note: string;
  columns: Pick<Row, "replacesId" | "replacementReason" | "replacementCostCents" | "creditCents">;
};

/**
 * Writes a follow-up order, which the shop creates: it has the buyer, address and shipping option of the first order, and is
 * visible to the same browsers. Writes no payment; the caller reserves or sells the units. Returns the order's number. The caller
 * holds the first order's lock.
 */
export async function writeFollowUp(tx: Db, firstId: string, order: FollowUp): Promise<number> {
  const [first] = await tx.select().from(orders).where(eq(orders.id, firstId));
  if (!first) throw new Error(`order ${firstId} is missing`);
  const { id, status, now, amounts, lines, note, columns, givingPercent, requestHash, expiresAt } = order;
  const [newOrder] = await tx
    .insert(orders)
    .values({
      id,
      status,
      ...orderEntries(first),
      ...pick(first, "visitorId", "mode", "currency", "shippingOptionId", "shippingOptionName"),
      ...amounts,
      ...columns,
      givingPercent,
      requestHash,
      createdAt: now,
      expiresAt,
    })
    .returning({ number: orders.number });
  if (!newOrder) throw new Error("No order was written");
  await tx.insert(orderLines).values(lines.map((line, position) => ({ ...line, orderId: id, position })));
  await tx.execute(sql`insert into ${orderVisitors} (visitor_id, order_id)
    select visitor_id, ${id} from ${orderVisitors} where order_id = ${firstId}`);
  await recordOrderEvent(tx, { orderId: id, from: null, to: status, actor: "owner", note, now });
  return newOrder.number;
}

export async function readLines(tx: Db, orderId: string) {
  return tx
    .select()
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId))
    .orderBy(asc(orderLines.position));
}
