import { between, eq, inArray, like, or, type SQL, sql } from "drizzle-orm";
import { payments } from "../../payments/tables.ts";
import type { Db } from "../../platform/database.ts";
import { orders } from "../tables.ts";
import { readOrderSearch } from "./search-text.ts";

const paymentsFoundMax = 200;

// Written as in the index `orders_search`.
const searchedText = sql`(lower(${orders.customerName}) || ' ' || lower(${orders.email}))`;

/**
 * Orders that fit what the owner typed. Payments and whole addresses are looked up first: as part of the condition they
 * would keep the indexes of the others from being used.
 */
export async function matches(tx: Db, q: string): Promise<SQL> {
  const { textPatterns, email, number, orderIds, paymentPattern } = readOrderSearch(q);
  // Whoever has typed a whole address means its orders, not those of a longer one, and they are found without the text.
  if (email !== null && (await hasOrders(tx, email))) return ofEmail(email);
  const paid =
    paymentPattern === null
      ? []
      : await tx
          .select({ orderId: payments.orderId })
          .from(payments)
          .where(like(payments.intentId, paymentPattern))
          .limit(paymentsFoundMax);
  const found = or(
    ...textPatterns.map((pattern) => like(searchedText, pattern)),
    number === null ? undefined : eq(orders.number, number),
    orderIds === null ? undefined : between(orders.id, ...orderIds),
    paid.length === 0
      ? undefined
      : inArray(
          orders.id,
          paid.map(({ orderId }) => orderId),
        ),
  );
  // "#ada" means nothing: it finds nothing rather than everything.
  return found ?? sql`false`;
}

async function hasOrders(tx: Db, email: string): Promise<boolean> {
  const rows = await tx.select({ one: sql`1` }).from(orders).where(ofEmail(email)).limit(1);
  return rows.length > 0;
}

function ofEmail(email: string): SQL {
  return eq(sql`lower(${orders.email})`, email);
}
