import { inArray, type SQL, sql } from "drizzle-orm";
import { countedModes, type PaymentMode } from "../../domain/payments/payment-mode.ts";
import { orders } from "./tables.ts";

/** Selects orders whose money counts while the shop is in this mode. */
export function isCountedIn(shopMode: PaymentMode): SQL {
  return sql`(${orders.mode} is null or ${inArray(orders.mode, countedModes[shopMode])})`;
}

/** Excludes test orders if the shop accepts real payments (`isTestOrder`); otherwise undefined. */
export function excludingTestOrders(shopMode: PaymentMode): SQL | undefined {
  return shopMode === "live" ? isCountedIn("live") : undefined;
}
