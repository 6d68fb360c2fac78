import type { AnyApiRoute } from "../platform/api-route.ts";
import { batchesApi } from "./batches-api.ts";
import { stockApi } from "./stock-api.ts";
import type { InventoryParts } from "./stock-now.ts";

/** What the owner does with the shelf: stock with its history, and batches. */
export function inventoryApi(parts: InventoryParts): AnyApiRoute[] {
  return [...stockApi(parts), ...batchesApi(parts)];
}
