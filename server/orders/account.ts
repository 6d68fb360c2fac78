import { and, desc, eq, isNull } from "drizzle-orm";
import type { Account } from "../../domain/orders/account.ts";
import type { Db } from "../platform/database.ts";
import type { VisitorId } from "../platform/viewer.ts";
import { listOrdersOf } from "./queries.ts";
import { orders, orderVisitors } from "./tables.ts";

const latestMax = 2;
/** Orders whose addresses are looked at. */
const ordersMax = 100;

/** What "Account" shows a browser: its latest orders and the addresses they went to, newest first. */
export async function readAccount(db: Db, visitorId: VisitorId): Promise<Account> {
  const all = await listOrdersOf(db, visitorId);
  const used = await db
    .select({ name: orders.customerName, address: orders.shippingAddress, email: orders.email })
    .from(orders)
    .innerJoin(orderVisitors, eq(orderVisitors.orderId, orders.id))
    .where(and(eq(orderVisitors.visitorId, visitorId), isNull(orders.erasedAt)))
    .orderBy(desc(orders.createdAt), desc(orders.number))
    .limit(ordersMax);
  const byText = new Map(used.map(({ name, address }) => [`${name}\n${address}`, { name, address }]));
  return {
    latest: all.slice(0, latestMax),
    ordersCount: all.length,
    addresses: [...byText.values()],
    email: used[0]?.email ?? null,
  };
}
