import { eq, sql } from "drizzle-orm";
import { orderText, testText } from "../../domain/outbox/text-message.ts";
import { orderLines, orders } from "../orders/tables.ts";
import type { Db } from "../platform/database.ts";
import type { Message } from "./claim.ts";

/** What a text says. The same for every try: an earlier one is found again by it. */
export async function composeText(
  parts: { db: Db; publicUrl: string; settings(): Promise<{ brandName: string }> },
  { kind, orderId }: Pick<Message, "kind" | "orderId">,
): Promise<string> {
  const { brandName } = await parts.settings();
  const adminUrl = `${parts.publicUrl}/admin`;
  if (kind === "test_text") return testText(brandName, adminUrl);
  const [order] = await parts.db
    .select({
      number: orders.number,
      totalCents: orders.totalCents,
      units: sql<number>`(select coalesce(sum(${orderLines.quantity}), 0)::int from ${orderLines}
        where ${orderLines.orderId} = ${orders.id})`,
    })
    .from(orders)
    .where(eq(orders.id, orderId ?? ""));
  if (!order) throw new Error("a text about an order that does not exist");
  return orderText(brandName, order, adminUrl);
}
