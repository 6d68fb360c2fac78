import type { AnyApiRow } from "../http/api-row.ts";
import { batchesApi } from "./batches-api.ts";
import { stockApi } from "./stock-api.ts";
import type { InventoryParts } from "./stock-now.ts";

/** What the owner does with the shelf: stock with its history, and batches. */
export function inventoryApi(parts: InventoryParts): AnyApiRow[] {
  return [...stockApi(parts), ...batchesApi(parts)];
}
