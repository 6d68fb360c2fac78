import type { ImportKind } from "../../domain/imports/import.ts";
import { customersKind } from "./customers.ts";
import { discountsKind } from "./discounts.ts";
import type { ImportedKind } from "./kind.ts";
import { productsKind } from "./products.ts";
import { stockKind } from "./stock.ts";
import { subscribersKind } from "./subscribers.ts";

// biome-ignore lint/suspicious/noExplicitAny: each kind reads its own rows
export const kinds: Record<ImportKind, ImportedKind<any>> = {
  products: productsKind,
  stock: stockKind,
  discounts: discountsKind,
  customers: customersKind,
  subscribers: subscribersKind,
};
