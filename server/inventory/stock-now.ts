import * as v from "valibot";
import type { ProductStock } from "../../domain/inventory/stock.ts";
import type { Database } from "../platform/database.ts";
import { idText } from "../platform/id-params.ts";
import { type Problem, problem } from "../platform/problem.ts";
import { readStock } from "./queries.ts";

export type InventoryParts = {
  db: Database;
  now(): Date;
  /** The date where the owner is: batches are past theirs by it. */
  today(): Promise<string>;
  /** Units free at or under which the owner is told. */
  lowStockAt(): Promise<number>;
};

export const ofProduct = v.object({ id: idText });

/** What every call about a product's shelf answers; null where there is no such product. */
export async function readStockNow(
  { db, lowStockAt, today }: InventoryParts,
  productId: number,
  page: { limit: number; cursor: number | null } = { limit: 25, cursor: null },
): Promise<ProductStock | null> {
  const [stock, low, date] = await Promise.all([readStock(db, productId, page), lowStockAt(), today()]);
  return stock && { ...stock, lowStockAt: low, today: date };
}

export function noProduct(): Problem {
  return problem("not_found", "There is no such product, or no such batch of it.");
}
