import { type SQL, sql } from "drizzle-orm";
import { countedModes, type PaymentMode } from "../../domain/payments/payment-mode.ts";
import { orders } from "./tables.ts";

/** Selects orders whose money counts while the shop is in this mode. */
export function isCountedIn(shop: PaymentMode): SQL {
  const counted = sql.join(
    countedModes[shop].map((mode) => sql`${mode}`),
    sql`, `,
  );
  return sql`(${orders.mode} is null or ${orders.mode} in (${counted}))`;
}

/** Excludes test orders if the shop takes real money (`isTestOrder`); otherwise undefined. */
export function excludingTestOrders(shop: PaymentMode): SQL | undefined {
  return shop === "live" ? isCountedIn("live") : undefined;
}
