import { and, sql } from "drizzle-orm";
import type { SameAddress } from "../../../domain/orders/admin-orders.ts";
import type { PaymentMode } from "../../../domain/payments/payment-mode.ts";
import { excludingTestOrders } from "../../orders/mode.ts";
import { orderLines, orders } from "../../orders/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { queue } from "./queues.ts";

/** Name and address in lower case, without spaces. */
const recipient = sql`lower(regexp_replace(concat_ws('|', ${orders.customerName}, case
  when ${orders.shipping} is null then ${orders.shippingAddress}
  else concat_ws('|', ${orders.shipping} ->> 'line1', coalesce(${orders.shipping} ->> 'line2', ''),
    ${orders.shipping} ->> 'postalCode', ${orders.shipping} ->> 'country') end), '\\s', '', 'g'))`;

/** For each of these orders that can ship, the other orders that can ship to the same recipient, oldest first. */
export async function readSameAddress(
  tx: Db,
  orderIds: readonly string[],
  mode: PaymentMode,
): Promise<Map<string, SameAddress[]>> {
  const ordersByAddress = new Map<string, SameAddress[]>();
  if (orderIds.length === 0) return ordersByAddress;
  const { rows } = await tx.execute<SameAddress & { for_id: string }>(sql`
    with waiting as (select ${orders.id} as id, ${orders.number} as number, ${recipient} as recipient from ${orders}
      where ${and(queue.to_ship, excludingTestOrders(mode))})
    select mine.id as for_id, other.id, other.number::int, (
      select coalesce(json_agg(json_build_object('quantity', quantity - shipped_quantity - restocked_unshipped_quantity, 'description', name)
        order by position), '[]') from ${orderLines}
      where order_id = other.id and quantity > shipped_quantity + restocked_unshipped_quantity) as items from waiting mine
    join waiting other on other.recipient = mine.recipient and other.id <> mine.id
    where mine.id = any(${sql.param([...orderIds])}::uuid[]) order by other.number`);
  for (const { for_id, ...other } of rows)
    ordersByAddress.set(for_id, [...(ordersByAddress.get(for_id) ?? []), other]);
  return ordersByAddress;
}
