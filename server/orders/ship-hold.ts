import { sql } from "drizzle-orm";
import { disputes } from "../disputes/tables.ts";
import { issues } from "../issues/tables.ts";
import { orderEdits } from "../order-desk/tables.ts";
import { payments, refunds } from "../payments/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { orders } from "./tables.ts";

/**
 * Sets or clears an order's ship hold, to the first of these reasons that applies: a dispute is open (even if only an issue reports
 * it) or was lost; the whole order is being refunded; an open issue suspects fraud; a payment is under review; the owner has put it
 * on hold; an edit is waiting for payment. The caller holds the order's lock.
 */
export async function updateShipHold(tx: Db, orderId: string): Promise<void> {
  const isDisputed = sql`exists (select from ${disputes} as d where d.order_id = ${orders.id}
      and (d.closed_at is null or d.status = 'lost' or d.charged_back_cents > 0))
    or exists (select from ${issues} as f where f.order_id = ${orders.id} and f.kind = 'dispute'
      and f.resolved_at is null and not exists (select from ${disputes} as seen where seen.id = f.subject))`;
  const refundingCents = sql`(select sum(r.amount_cents) from ${refunds} as r
    join ${payments} as p on p.intent_id = r.intent_id and p.status = 'succeeded'
    where r.order_id = ${orders.id} and r.status in ('pending','succeeded') having bool_or(r.status = 'pending'))`;
  const isOpen = (kind: string) => sql`exists (select from ${issues} as f where f.order_id = ${orders.id}
    and f.kind = ${kind} and f.resolved_at is null)`;
  const shipHold = sql`case when ${isDisputed} then 'dispute'
    when ${refundingCents} + ${orders.chargedBackCents} >= ${orders.payableCents} then 'refund'
    when ${isOpen("fraud_warning")} then 'fraud'
    when ${isOpen("payment_review")} then 'review'
    when ${orders.heldAt} is not null then 'owner'
    when exists (select from ${orderEdits} as c
      where c.order_id = ${orders.id} and c.status = 'waiting') then 'change' end`;
  await tx
    .update(orders)
    .set({ shipHold })
    .where(sql`${orders.id} = ${orderId} and ${orders.shipHold} is distinct from (${shipHold})`);
}
