import { eq, inArray, type SQL, sql } from "drizzle-orm";
import { type Db, hasState } from "../platform/database/database.ts";
import { runLast } from "../platform/database/transactions.ts";
import { stock, stockMovements } from "./tables.ts";

export type Units = { productId: number; quantity: number };

/** `batch`: SQL that moves units between batches and answers the one batch they are of, or null. */
type Change = { change: SQL; guard?: SQL; batch?: SQL; changeId?: string };

/** An order edit, by which stock movements name it. */
type EditOfOrder = { id: string; orderId: string };

/** The SQL state of `reserve_or_fail`. */
const outOfStockState = "PA001";

/**
 * Reserves the units of an order that was just written, as far as unpaid orders may hold them, and commits; the rest is
 * taken when it is paid. Call it last in the order's transaction, because everybody who buys a product waits for its row of
 * stock. Throws where a line cannot be had (`isOutOfStock`): nothing of the transaction is left then.
 */
export async function reserveAndCommit(tx: Db, orderId: string): Promise<void> {
  await runLast(() => reserve(tx, orderId));
}

/** The same in a transaction that goes on: everybody who buys these products waits until it is over. */
export async function reserve(tx: Db, orderId: string): Promise<void> {
  await tx.execute(sql`select reserve_or_fail(${orderId})`);
}

export function isOutOfStock(error: unknown): boolean {
  return hasState(error, outOfStockState);
}

/**
 * Units of each product that one more order of this buyer could have: a visitor, and everybody at the same network
 * address. Fewer than others could have where the buyer's own unpaid orders ask for some.
 */
export async function freeUnitsFor(
  db: Db,
  buyer: { visitorId: string; network: string },
  productIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await db.execute<{ productId: number; units: number }>(sql`
    select product_id as "productId", greatest(0, on_hand - stock.reserved - own.unreserved) as units
    from ${stock}, pending_units(product_id, ${buyer.visitorId}, ${buyer.network}, null) as own
    where ${inArray(stock.productId, [...productIds])}`);
  return new Map(rows.map(({ productId, units }) => [productId, units]));
}

/** Units of each product that unpaid orders of this visitor keep from others; missing: none. */
export async function unitsHeldBy(
  db: Db,
  visitorId: string,
  productIds: readonly number[],
): Promise<Map<number, number>> {
  if (productIds.length === 0) return new Map();
  const { rows } = await db.execute<{ productId: number; units: number }>(sql`
    select product_id as "productId", own.reserved as units
    from ${stock}, pending_units(product_id, ${visitorId}, null, null) as own
    where ${inArray(stock.productId, [...productIds])} and own.reserved > 0`);
  return new Map(rows.map(({ productId, units }) => [productId, units]));
}

/** Gives back what a pending order had reserved; `units` is a query of `product_id` and the `quantity` reserved. */
export async function releaseStock(db: Db, orderId: string, units: SQL): Promise<void> {
  await move(db, orderId, "released", units, { change: sql`reserved = reserved - moving.quantity` });
}

/**
 * Turns an order's reservation into a sale, with those of its units that were not reserved; `units` is a query of
 * `product_id`, `quantity` and `unreserved`. They come off the oldest batches, those past their date on `today`
 * (`YYYY-MM-DD`, the owner's) last. Answers how many products were sold: fewer than asked for where unreserved units are
 * gone; the caller rolls back then. A second sale of the same order is refused by the database.
 */
export async function sellReserved(db: Db, orderId: string, units: SQL, today: string): Promise<number> {
  return move(db, orderId, "sold", units, {
    change: sql`on_hand = on_hand - moving.quantity, reserved = reserved - moving.quantity + moving.unreserved`,
    guard: sql`on_hand - reserved >= moving.unreserved`,
    batch: oldestFirst(orderId, today),
  });
}

/** `sellReserved` for an order with nothing unreserved, of which nothing can be gone, as the last of its transaction. */
export async function sellAndCommit(tx: Db, orderId: string, units: SQL, today: string): Promise<void> {
  await runLast(() => sellReserved(tx, orderId, units, today));
}

/** Sells units that are no longer reserved (a late payment) in the same way. */
export async function sellUnreserved(
  db: Db,
  orderId: string,
  lines: readonly Units[],
  today: string,
): Promise<number> {
  return move(db, orderId, "sold", unitsOf(lines), {
    change: sql`on_hand = on_hand - moving.quantity`,
    guard: sql`on_hand - reserved >= moving.quantity`,
    batch: oldestFirst(orderId, today),
  });
}

/**
 * Reserves the units that an edit adds to a paid order. Returns the number of products reserved: fewer than requested where units
 * are gone, and the caller rolls back then. The caller has locked the rows (`lockStock`).
 */
export async function reserveForEdit(db: Db, edit: EditOfOrder, lines: readonly Units[]) {
  return move(db, edit.orderId, "reserved", unitsOf(lines), {
    change: sql`reserved = reserved + moving.quantity`,
    guard: sql`on_hand - reserved >= moving.quantity`,
    changeId: edit.id,
  });
}

/** Releases the units that an edit had reserved. */
export async function releaseForEdit(db: Db, edit: EditOfOrder, lines: readonly Units[]) {
  return move(db, edit.orderId, "released", unitsOf(lines), {
    change: sql`reserved = reserved - moving.quantity`,
    changeId: edit.id,
  });
}

/**
 * Sells the units that an edit adds to a paid order, reserved for it or not. Returns the number of products sold, as
 * `sellReserved` does. The database refuses a second sale of the same edit.
 */
export async function sellForEdit(
  db: Db,
  edit: EditOfOrder,
  lines: readonly Units[],
  { isReserved, today }: { isReserved: boolean; today: string },
): Promise<number> {
  return move(db, edit.orderId, "sold", unitsOf(lines), {
    change: isReserved
      ? sql`on_hand = on_hand - moving.quantity, reserved = reserved - moving.quantity`
      : sql`on_hand = on_hand - moving.quantity`,
    ...(!isReserved && { guard: sql`on_hand - reserved >= moving.quantity` }),
    batch: oldestFirst(edit.orderId, today),
    changeId: edit.id,
  });
}

/** Locks products' rows of stock, in one order, for a transaction that moves them by several statements. */
export async function lockStock(tx: Db, productIds: readonly number[]): Promise<void> {
  if (productIds.length === 0) return;
  await tx
    .select({ productId: stock.productId })
    .from(stock)
    .where(inArray(stock.productId, [...productIds]))
    .orderBy(stock.productId)
    .for("update");
}

/**
 * Puts what an order had bought back on the shelf, and into the batches it came from. The caller sees to it that no more
 * comes back than was sold.
 */
export async function returnToStock(db: Db, orderId: string, units: SQL): Promise<void> {
  await move(db, orderId, "returned", units, {
    change: sql`on_hand = on_hand + moving.quantity`,
    batch: sql`return_to_batches(${orderId}, product_id, quantity)`,
  });
}

/** Puts a new product on the shelf. */
export async function createStock(db: Db, productId: number, onHand: number): Promise<void> {
  await db.insert(stock).values({ productId, onHand });
}

/** Of a product that was never sold and is about to be deleted: its stock and what moved it. */
export async function forgetStock(tx: Db, productId: number): Promise<void> {
  await tx.delete(stockMovements).where(eq(stockMovements.productId, productId));
  await tx.delete(stock).where(eq(stock.productId, productId));
}

/** A product without batches is spared the look: `batched` is part of the row that is locked anyway. */
function oldestFirst(orderId: string, today: string): SQL {
  return sql`case when batched > 0
    then take_from_batches(${orderId}, product_id, quantity, on_hand + quantity - batched, ${today}) end`;
}

function unitsOf(lines: readonly Units[]): SQL {
  return sql`select "productId" as product_id, quantity
    from json_to_recordset(${JSON.stringify(lines)}::json) as line("productId" int, quantity int)`;
}

/**
 * Changes the stock of some products and records it, in one statement: every order comes by these rows, so they are
 * locked as shortly as can be. They are locked in one order, so that two orders of the same products cannot block each
 * other. Answers how many products were moved.
 */
async function move(
  db: Db,
  orderId: string,
  kind: "reserved" | "released" | "sold" | "returned",
  units: SQL,
  { change, guard = sql`true`, batch = sql`null::bigint`, changeId }: Change,
): Promise<number> {
  const { rowCount } = await db.execute(sql`
    with moving as (
      select units.* from ${stock} join (${units}) as units using (product_id)
      order by product_id for update of ${stock}
    ), moved as (
      update ${stock} set ${change} from moving where ${stock.productId} = moving.product_id and ${guard}
      returning moving.product_id, moving.quantity, ${stock.onHand}, ${stock.batched}
    )
    insert into ${stockMovements} (product_id, order_id, kind, quantity, batch_id, change_id)
    select product_id, ${orderId}, ${kind}, quantity, ${batch}, ${changeId ?? null}::uuid from moved`);
  return rowCount ?? 0;
}
