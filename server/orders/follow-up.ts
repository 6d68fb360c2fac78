import { asc, eq, sql } from "drizzle-orm";
import type { OrderAmounts } from "../../domain/checkout/included-tax.ts";
import type { Db } from "../platform/database/database.ts";
import type { NewOrder } from "./commands.ts";
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
 * Writes an order of the shop's own making that follows another one: with its buyer, address and shipping option, and visible to the
 * same browsers. It has no payment; the caller moves its units. Returns its number. The caller holds the first order's lock.
 */
export async function writeFollowUp(tx: Db, firstId: string, order: FollowUp): Promise<number> {
  const [first] = await tx.select().from(orders).where(eq(orders.id, firstId));
  if (!first) throw new Error(`order ${firstId} is not there`);
  const { id, status, now, amounts, lines, note, columns, givingPercent, requestHash, expiresAt } = order;
  const { visitorId, mode, currency, email, customerName, phone, shippingAddress, shipping, gift } = first;
  const { shippingOptionId, shippingOptionName } = first;
  const [written] = await tx
    .insert(orders)
    .values({
      id,
      status,
      visitorId,
      mode,
      currency,
      email,
      customerName,
      phone,
      shippingAddress,
      shipping,
      gift,
      shippingOptionId,
      shippingOptionName,
      ...amounts,
      ...columns,
      givingPercent,
      requestHash,
      createdAt: now,
      expiresAt,
    })
    .returning({ number: orders.number });
  if (!written) throw new Error("No order was written");
  await tx.insert(orderLines).values(lines.map((line, position) => ({ ...line, orderId: id, position })));
  await tx.execute(sql`insert into ${orderVisitors} (visitor_id, order_id)
    select visitor_id, ${id} from ${orderVisitors} where order_id = ${firstId}`);
  await recordOrderEvent(tx, { orderId: id, from: null, to: status, actor: "owner", note, now });
  return written.number;
}

/** Lines of an order with what replacements need of them. */
export async function soldLines(tx: Db, orderId: string) {
  return tx
    .select()
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId))
    .orderBy(asc(orderLines.position));
}
