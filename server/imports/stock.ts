import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { unitsText } from "../../domain/inventory/stock.ts";
import { adjustStock, lockStock } from "../inventory/adjust.ts";
import { stockMovements } from "../inventory/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { findProduct } from "./find-product.ts";
import type { ImportedKind } from "./kind.ts";
import { type Line, RowRefused } from "./lines.ts";

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
      rowsOf: (lines) => [...lines],
      notes: () => ["Counts of several locations are not added up: a product’s second row is refused."],
    },
    {
      name: "A list of stock counts",
      needs: [[...titles.sku, ...titles.name], titles.count],
      rowsOf: (lines) => [...lines],
    },
  ],
  lineOf: (line) => line,
  labelOf: (line) => line.text(...titles.name) || line.text(...titles.sku),
  /** Orders lock stock by product id, too. */
  async sort({ db }, lines) {
    const rows: { line: Line; id: number }[] = [];
    for (const line of lines) rows.push({ line, id: (await find(db, line))?.id ?? 0 });
    return rows.sort((a, b) => a.id - b.id).map(({ line }) => line);
  },
  async put(ctx, line) {
    const product = await find(ctx.db, line);
    if (!product) throw new RowRefused("There is no product with this SKU, or with this name and size.");
    const earlier = ctx.earlierLine(String(product.id), line.lineNumber);
    if (earlier !== null) throw new RowRefused(`This product stands in line ${earlier} already.`);
    const count = line.wholeNumber(...titles.count);
    if (count === null) throw new RowRefused("It has no count.");
    if (count < 0) throw new RowRefused("A count is 0 or more.");
    const label = product.name;
    // Locked first: a sale that is being booked counts as moved, too.
    await lockStock(ctx.db, product.id);
    const moved = await movedSince(ctx.db, product.id, ctx.lastMovement);
    const result = await adjustStock(ctx.db, {
      productId: product.id,
      onHand: () => count + moved,
      reason: "counted",
      note: "Imported",
      batchId: null,
      changeId: ctx.importId,
    });
    if (!result) throw new Error("a product has no stock row");
    if (!result.ok) throw new RowRefused(result.reason);
    const text = unitsText(count);
    const seen = result.before - moved;
    if (seen === count) return { label, text, state: "same" };
    const step: Step = {
      productId: product.id,
      movement: await lastMovementOf(ctx.db, product.id),
      importId: ctx.importId,
    };
    return { label, text, before: unitsText(seen), state: "changed", step };
  },
  async undo({ db }, { productId, movement, importId }: Step) {
    const isOfProduct = eq(stockMovements.productId, productId);
    await lockStock(db, productId);
    const [later] = await db
      .select({ id: stockMovements.id })
      .from(stockMovements)
      .where(and(isOfProduct, eq(stockMovements.kind, "adjusted"), gt(stockMovements.id, movement)))
      .limit(1);
    if (later) throw new RowRefused("Its stock was changed since.");
    const parts = await db
      .select({ quantity: stockMovements.quantity, batchId: stockMovements.batchId })
      .from(stockMovements)
      .where(and(isOfProduct, eq(stockMovements.changeId, importId)));
    for (const { quantity, batchId } of parts) {
      const result = await adjustStock(db, {
        productId,
        onHand: ({ onHand }) => onHand - quantity,
        reason: "counted",
        note: "Import undone",
        batchId,
      });
      if (!result) throw new RowRefused("It was deleted since.");
      if (!result.ok) throw new RowRefused(result.reason);
    }
  },
};

function find(db: Db, line: Line) {
  return findProduct(db, {
    sku: line.text(...titles.sku),
    name: line.text(...titles.name),
    size: line.text(...titles.size),
  });
}

/** Units that came (or, negative, went) by orders after a movement. */
async function movedSince(db: Db, productId: number, movement: number): Promise<number> {
  const { kind, quantity, id } = stockMovements;
  const [sum] = await db
    .select({
      units: sql<number>`coalesce(sum(case ${kind} when 'sold' then -${quantity} else ${quantity} end), 0)::int`,
    })
    .from(stockMovements)
    .where(
      and(eq(stockMovements.productId, productId), inArray(kind, ["sold", "returned"]), gt(id, movement)),
    );
  return sum?.units ?? 0;
}

async function lastMovementOf(db: Db, productId: number): Promise<number> {
  const [last] = await db
    .select({ id: sql<number>`coalesce(max(${stockMovements.id}), 0)` })
    .from(stockMovements)
    .where(eq(stockMovements.productId, productId));
  return last?.id ?? 0;
}

/** The last movement of all; a later one has a higher id. */
export async function lastMovement(db: Db): Promise<number> {
  const [last] = await db
    .select({ id: sql<number>`coalesce(max(${stockMovements.id}), 0)` })
    .from(stockMovements);
  return last?.id ?? 0;
}
