import { and, eq, inArray, sql } from "drizzle-orm";
import { unitsText } from "../../domain/inventory/stock.ts";
import { adjustMany, type LockedStock, targetProblem } from "../inventory/adjust.ts";
import { lockStock } from "../inventory/commands.ts";
import { batches, stock, stockMovements } from "../inventory/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { findProduct } from "./find-product.ts";
import type { ImportContext, ImportedKind } from "./kind.ts";
import { type Line, RowRefused } from "./lines.ts";

/** `onHandAtCount`: units on hand at the dry run: those now, corrected for units sold or returned since. */
type Count = { productId: number; count: number; onHandAtCount: number };
type Step = { productId: number; movement: number; importId: string };

const titles = {
  sku: ["SKU", "Variant SKU"],
  name: ["Product", "Name", "Title"],
  size: ["Size", "Option1 Value"],
  // https://help.shopify.com/en/manual/products/inventory/getting-started-with-inventory/inventory-csv has “On hand”.
  count: ["Count", "On hand", "Stock", "Quantity", "On hand (new)", "On hand (current)"],
} as const;

/**
 * Counts of units on the shelf, set like the panel's form for stock. Units sold or returned between the dry run and the
 * import are taken off or added: the count was made before them.
 */
export const stockKind: ImportedKind<Line> = {
  areRowsIndependent: true,
  formats: [
    {
      name: "Shopify’s inventory export",
      needs: [["Handle"], ["Location"], titles.count],
      parseRows: (lines) => [...lines],
      notes: () => ["Counts of several locations are not added up: a product’s second row is refused."],
    },
    {
      name: "A list of stock counts",
      needs: [[...titles.sku, ...titles.name], titles.count],
      parseRows: (lines) => [...lines],
    },
  ],
  rowLine: (line) => line,
  rowLabel: (line) => line.text(...titles.name) || line.text(...titles.sku),
  async importRow(ctx, line) {
    const product = await findCountedProduct(ctx.db, line);
    if (!product) throw new RowRefused("There is no product with this SKU, or with this name and size.");
    ctx.refuseRepeated("product", String(product.id), line);
    const count = line.wholeNumber(...titles.count);
    if (count === null) throw new RowRefused("It has no count.");
    if (count < 0) throw new RowRefused("A count is 0 or more.");
    const label = product.name;
    const [row] = await readStock(ctx.db, [product.id], ctx.lastMovement);
    if (!row) throw new Error("a product has no stock row");
    const refusal = targetProblem(row.current, count + row.moved);
    if (refusal !== null) throw new RowRefused(refusal);
    const text = unitsText(count);
    const onHandAtCount = row.current.onHand - row.moved;
    if (onHandAtCount === count) return { label, text, state: "same" };
    const step: Count = { productId: product.id, count, onHandAtCount };
    return { label, text, before: unitsText(onHandAtCount), state: "changed", step };
  },
  async write({ db, importId, lastMovement: since }: ImportContext, counts: Count[]): Promise<Step[] | null> {
    const ids = counts.map(({ productId }) => productId);
    // Locked first, so that units of a sale that is being written count as moved, too.
    await lockStock(db, counts);
    const rows = new Map((await readStock(db, ids, since)).map((row) => [row.current.productId, row]));
    const changes: Parameters<typeof adjustMany>[1][number][] = [];
    for (const { productId, count, onHandAtCount } of counts) {
      const row = rows.get(productId);
      if (row?.current.onHand !== onHandAtCount + (row?.moved ?? 0)) return null;
      if (targetProblem(row.current, count + row.moved) !== null) return null;
      changes.push({ current: row.current, parts: [{ change: count - onHandAtCount, batchId: null }] });
    }
    await adjustMany(db, changes, { reason: "counted", note: "Imported", changeId: importId });
    const { productId, changeId, id } = stockMovements;
    const latestMovements = await db
      .select({ productId, movement: sql<number>`max(${id})` })
      .from(stockMovements)
      .where(eq(changeId, importId))
      .groupBy(productId);
    const movements = new Map(latestMovements.map(({ productId, movement }) => [productId, movement]));
    return ids.map((id) => ({ productId: id, movement: movements.get(id) ?? 0, importId }));
  },
  async undo({ db }: ImportContext, steps: Step[]): Promise<(string | null)[]> {
    const ids = steps.map(({ productId }) => productId);
    await lockStock(db, steps);
    const rows = new Map((await readStock(db, ids, null)).map((row) => [row.current.productId, row]));
    const { productId, kind, quantity, batchId, changeId, id } = stockMovements;
    const latestAdjustments = await db
      .select({ productId, movement: sql<number>`max(${id})` })
      .from(stockMovements)
      .where(and(inArray(productId, ids), eq(kind, "adjusted")))
      .groupBy(productId);
    const movements = new Map(latestAdjustments.map(({ productId, movement }) => [productId, movement]));
    const parts = await db
      .select({ productId, quantity, batchId, batch: batches.id })
      .from(stockMovements)
      .leftJoin(batches, eq(batches.id, batchId))
      .where(inArray(changeId, [...new Set(steps.map(({ importId }) => importId))]));
    const partsByProduct = Map.groupBy(parts, (part) => part.productId);
    const changes: Parameters<typeof adjustMany>[1][number][] = [];
    const reasons = steps.map(({ productId, movement }) => {
      const row = rows.get(productId);
      const ownParts = partsByProduct.get(productId) ?? [];
      if (!row || ownParts.some(({ batchId, batch }) => batchId !== batch)) return "It was deleted since.";
      if ((movements.get(productId) ?? 0) > movement) return "Its stock was changed since.";
      const reversedParts = ownParts.map(({ quantity, batchId }) => ({ change: -quantity, batchId }));
      const target = reversedParts.reduce((units, { change }) => units + change, row.current.onHand);
      const refusal = targetProblem(row.current, target);
      if (refusal === null) changes.push({ current: row.current, parts: reversedParts });
      return refusal;
    });
    await adjustMany(db, changes, { reason: "counted", note: "Import undone", changeId: undefined });
    return reasons;
  },
};

function findCountedProduct(db: Db, line: Line) {
  return findProduct(db, {
    sku: line.text(...titles.sku),
    name: line.text(...titles.name),
    size: line.text(...titles.size),
  });
}

/**
 * The current stock of products, read in one query. `moved`: units that orders returned, less those sold, after the movement
 * `since`; 0 if `since` is null.
 */
async function readStock(
  db: Db,
  ids: readonly number[],
  since: number | null,
): Promise<{ current: LockedStock; moved: number }[]> {
  const { productId, onHand, reserved, batched } = stock;
  const moved =
    since === null
      ? sql<number>`0`
      : sql<number>`coalesce((
          select sum(case m.kind when 'sold' then -m.quantity else m.quantity end) from ${stockMovements} as m
          where m.product_id = ${stock}.product_id and m.kind in ('sold', 'returned') and m.id > ${since}), 0)::int`;
  return db
    .select({ current: { productId, onHand, reserved, batched }, moved })
    .from(stock)
    .where(inArray(productId, [...ids]));
}

/** The id of the latest stock movement; later movements have higher ids. */
export async function lastMovement(db: Db): Promise<number> {
  const [row] = await db
    .select({ id: sql<number>`coalesce(max(${stockMovements.id}), 0)` })
    .from(stockMovements);
  return row?.id ?? 0;
}
