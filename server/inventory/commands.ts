import { eq, inArray, type Placeholder, type SQL, sql } from "drizzle-orm";
import { type Db, hasState } from "../platform/database/database.ts";
import { stock, stockMovements } from "./tables.ts";

export type Units = { productId: number; quantity: number };

/**
 * `batch`: SQL that updates the batches and returns the units' batch, or null if they are from several. `changeId`: the id
 * of an order edit.
 */
type StockUpdate = { change: SQL; guard?: SQL; batch?: SQL; changeId?: string };

type EditKey = { id: string; orderId: string };

/** The SQL state that `reserve_or_fail` raises. */
const outOfStockState = "PA001";

/**
 * Reserves the units of a new order, up to the share that unpaid orders may hold; the rest is taken when the order is paid.
 * Call it last in the order's transaction, because all buyers of a product wait for its stock row. Throws if a line is
 * unavailable (`isOutOfStock`), which rolls the transaction back.
 */
export async function reserve(tx: Db, orderId: string): Promise<void> {
  await tx.execute(sql`select ${reserveCall(orderId)}`);
}

/** SQL that reserves the units, for use in another statement. An earlier statement must have written the order. */
export function reserveCall(orderId: string | Placeholder): SQL {
  return sql`reserve_or_fail(${orderId}::uuid)`;
}

export function isOutOfStock(error: unknown): boolean {
  return hasState(error, outOfStockState);
}

/**
 * Units of each product that another order of this buyer could have. Unpaid orders of the visitor and of the same network
 * address reduce them.
 */
export async function availableUnitsFor(
  db: Db,
  buyer: { visitorId: string; network: string },
  productIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await db.execute<{ productId: number; units: number }>(sql`
    select product_id as "productId", greatest(0, on_hand - stock.reserved - own.unreserved) as units
    from ${stock}, pending_units(product_id, ${buyer.visitorId}, ${buyer.network}, null) as own
    where ${inArray(stock.productId, productIds)}`);
  return new Map(rows.map(({ productId, units }) => [productId, units]));
}

/** Units of each product reserved by unpaid orders of this visitor; products without any are left out. */
export async function unitsHeldBy(
  db: Db,
  visitorId: string,
  productIds: readonly number[],
): Promise<Map<number, number>> {
  if (productIds.length === 0) return new Map();
  const { rows } = await db.execute<{ productId: number; units: number }>(sql`
    select product_id as "productId", own.reserved as units
    from ${stock}, pending_units(product_id, ${visitorId}, null, null) as own
    where ${inArray(stock.productId, productIds)} and own.reserved > 0`);
  return new Map(rows.map(({ productId, units }) => [productId, units]));
}

/** Releases a pending order's reservation; `units`: a query of `product_id` and the reserved `quantity`. */
export async function releaseStock(db: Db, orderId: string, units: SQL): Promise<void> {
  await runMovement(db, orderId, "released", units, { change: sql`reserved = reserved - moving.quantity` });
}

/**
 * Sells an order's reserved and unreserved units; `units`: a query of `product_id`, `quantity` and `unreserved`. Takes them
 * from the oldest batches, those expired on `today` (`YYYY-MM-DD` of the owner) last. Returns how many products were sold:
 * if unreserved units are sold out, fewer than requested, and the caller rolls back. The database refuses a second sale of
 * the same order.
 */
export async function sellReserved(db: Db, orderId: string, units: SQL, today: string): Promise<number> {
  return runMovement(db, orderId, "sold", units, reservedSale(orderId, today));
}

function reservedSale(orderId: string | Placeholder, today: string | Placeholder): StockUpdate {
  return {
    change: sql`on_hand = on_hand - moving.quantity, reserved = reserved - moving.quantity + moving.unreserved`,
    guard: sql`on_hand - reserved >= moving.unreserved`,
    batch: takeFromOldestBatches(orderId, today),
  };
}

/**
 * `sellReserved` for a fully reserved order, which cannot be sold out, as the last part of a prepared statement. It locks stock
 * only if `when` is true, because all buyers of a product wait for its stock row; `before`: the common table expressions that
 * `when` reads. Returns a row for each product sold.
 */
export function saleStatement(
  { before, when }: { before: SQL; when: SQL },
  orderId: Placeholder,
  units: SQL,
  today: Placeholder,
): SQL {
  const sale = { ...reservedSale(orderId, today), before, when };
  return sql`${movementStatement(orderId, "sold", units, sale)} returning 1`;
}

/** `sellReserved` for units that are no longer reserved (a late payment). */
export async function sellUnreserved(
  db: Db,
  orderId: string,
  lines: readonly Units[],
  today: string,
): Promise<number> {
  return runMovement(db, orderId, "sold", unitRows(lines), {
    change: sql`on_hand = on_hand - moving.quantity`,
    guard: sql`on_hand - reserved >= moving.quantity`,
    batch: takeFromOldestBatches(orderId, today),
  });
}

/**
 * Reserves the units that an edit adds to a paid order. Returns the number of products reserved: if some are sold out, fewer
 * than requested, and the caller rolls back. The caller has locked the rows (`lockStock`).
 */
export async function reserveForEdit(db: Db, edit: EditKey, lines: readonly Units[]) {
  return runMovement(db, edit.orderId, "reserved", unitRows(lines), {
    change: sql`reserved = reserved + moving.quantity`,
    guard: sql`on_hand - reserved >= moving.quantity`,
    changeId: edit.id,
  });
}

/**
 * Reserves all units of an order that the shop itself creates, regardless of their share of the stock. Returns the same as
 * `reserveForEdit`.
 */
export async function reserveFully(db: Db, orderId: string, lines: readonly Units[]) {
  return runMovement(db, orderId, "reserved", unitRows(lines), {
    change: sql`reserved = reserved + moving.quantity`,
    guard: sql`on_hand - reserved >= moving.quantity`,
  });
}

export async function releaseForEdit(db: Db, edit: EditKey, lines: readonly Units[]) {
  return runMovement(db, edit.orderId, "released", unitRows(lines), {
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
  edit: EditKey,
  lines: readonly Units[],
  { isReserved, today }: { isReserved: boolean; today: string },
): Promise<number> {
  return runMovement(db, edit.orderId, "sold", unitRows(lines), {
    change: isReserved
      ? sql`on_hand = on_hand - moving.quantity, reserved = reserved - moving.quantity`
      : sql`on_hand = on_hand - moving.quantity`,
    ...(!isReserved && { guard: sql`on_hand - reserved >= moving.quantity` }),
    batch: takeFromOldestBatches(edit.orderId, today),
    changeId: edit.id,
  });
}

/** Locks the stock rows of these products, sorted by id, for a transaction that moves them with several statements. */
export async function lockStock(tx: Db, units: readonly { productId: number }[]): Promise<void> {
  if (units.length === 0) return;
  const productIds = units.map(({ productId }) => productId);
  await tx
    .select({ productId: stock.productId })
    .from(stock)
    .where(inArray(stock.productId, productIds))
    .orderBy(stock.productId)
    .for("update");
}

/**
 * Returns sold units of an order to the shelf and to their batches. The caller ensures that no more come back than were
 * sold.
 */
export async function returnToStock(db: Db, orderId: string, units: SQL): Promise<void> {
  await runMovement(db, orderId, "returned", units, {
    change: sql`on_hand = on_hand + moving.quantity`,
    batch: sql`return_to_batches(${orderId}, product_id, quantity)`,
  });
}

export async function createStock(db: Db, productId: number, onHand: number): Promise<void> {
  await db.insert(stock).values({ productId, onHand });
}

/** Deletes the stock and movements of a product that was never sold and is about to be deleted. */
export async function deleteStock(tx: Db, productId: number): Promise<void> {
  await tx.delete(stockMovements).where(eq(stockMovements.productId, productId));
  await tx.delete(stock).where(eq(stock.productId, productId));
}

/** Takes units from the oldest batches. Skips the query for products without batches: `batched` is in the locked row. */
function takeFromOldestBatches(orderId: string | Placeholder, today: string | Placeholder): SQL {
  return sql`case when batched > 0
    then take_from_batches(${orderId}::uuid, product_id, quantity, on_hand + quantity - batched, ${today}::date) end`;
}

function unitRows(lines: readonly Units[]): SQL {
  return sql`select "productId" as product_id, quantity
    from json_to_recordset(${JSON.stringify(lines)}::json) as line("productId" int, quantity int)`;
}

/** Runs `movementStatement` and returns the number of products moved. */
async function runMovement(
  db: Db,
  orderId: string,
  kind: Kind,
  units: SQL,
  update: StockUpdate,
): Promise<number> {
  const { rowCount } = await db.execute(movementStatement(orderId, kind, units, update));
  return rowCount ?? 0;
}

type Kind = "reserved" | "released" | "sold" | "returned";

/**
 * Updates the stock of products and records the movements in one statement, to keep the locks short. Rows are locked by
 * product id, which prevents deadlocks between orders.
 */
function movementStatement(
  orderId: string | Placeholder,
  kind: Kind,
  units: SQL,
  {
    change,
    guard = sql`true`,
    batch = sql`null::bigint`,
    changeId,
    before,
    when = sql`true`,
  }: StockUpdate & { before?: SQL; when?: SQL },
): SQL {
  return sql`
    with ${before ? sql`${before},` : sql``} moving as (
      select units.* from ${stock} join (${units}) as units using (product_id) where ${when}
      order by product_id for update of ${stock}
    ), moved as (
      update ${stock} set ${change} from moving where ${stock.productId} = moving.product_id and ${guard}
      returning moving.product_id, moving.quantity, ${stock.onHand}, ${stock.batched}
    )
    insert into ${stockMovements} (product_id, order_id, kind, quantity, batch_id, change_id)
    select product_id, ${orderId}::uuid, ${kind}, quantity, ${batch}, ${changeId ?? null}::uuid from moved`;
}
