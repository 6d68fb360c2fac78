import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../platform/database.ts";
import { stock, stockMovements } from "./tables.ts";

export type Units = { productId: number; quantity: number };

/**
 * Promises units to an order, all or none. Call it inside the order's transaction, last: the rows stay locked until it
 * ends. On a shortage the caller rolls back.
 */
export function reserveStock(db: Db, orderId: string, lines: readonly Units[]): Promise<boolean> {
  return move(db, orderId, "reserved", lines, {
    change: sql`reserved = reserved + moving.quantity`,
    guard: isFree,
  });
}

/** Gives back what a pending order had reserved. */
export async function releaseStock(db: Db, orderId: string, lines: readonly Units[]): Promise<void> {
  await move(db, orderId, "released", lines, { change: sql`reserved = reserved - moving.quantity` });
}

/** Turns an order's reservation into a sale. A second sale of the same order is refused by the database. */
export async function sellReserved(db: Db, orderId: string, lines: readonly Units[]): Promise<void> {
  await move(db, orderId, "sold", lines, {
    change: sql`on_hand = on_hand - moving.quantity, reserved = reserved - moving.quantity`,
  });
}

/** Sells units that are no longer reserved (a late payment), all or none; on a shortage the caller rolls back. */
export function sellUnreserved(db: Db, orderId: string, lines: readonly Units[]): Promise<boolean> {
  return move(db, orderId, "sold", lines, {
    change: sql`on_hand = on_hand - moving.quantity`,
    guard: isFree,
  });
}

/** Puts a new product on the shelf. */
export async function addToShelf(db: Db, productId: number, onHand: number): Promise<void> {
  await db.insert(stock).values({ productId, onHand });
}

const isFree = sql`on_hand - reserved >= moving.quantity`;

/**
 * Changes the stock of some products and records it, in one statement: every order comes by these rows, so they are
 * locked as shortly as can be. They are locked in one order, so that two orders of the same products cannot block each
 * other. Answers whether every line was moved.
 */
async function move(
  db: Db,
  orderId: string,
  kind: "reserved" | "released" | "sold",
  lines: readonly Units[],
  { change, guard = sql`true` }: { change: SQL; guard?: SQL },
): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    with moving as (
      select product_id, quantity
      from ${stock} join json_to_recordset(${JSON.stringify(lines)}::json) as line("productId" int, quantity int)
        on product_id = "productId"
      order by product_id for update of ${stock}
    ), moved as (
      update ${stock} set ${change} from moving where ${stock.productId} = moving.product_id and ${guard}
      returning moving.product_id, moving.quantity
    )
    insert into ${stockMovements} (product_id, order_id, kind, quantity)
    select product_id, ${orderId}, ${kind}, quantity from moved`);
  return rowCount === lines.length;
}
