import { type SQL, sql } from "drizzle-orm";
import { countedModes, type PaymentMode } from "../../domain/payments/payment-mode.ts";
import { orders } from "./tables.ts";

/** Orders whose money counts while the shop is in this mode. */
export function isCountedIn(shop: PaymentMode): SQL {
  const counted = sql.join(
    countedModes[shop].map((mode) => sql`${mode}`),
    sql`, `,
  );
  return sql`(${orders.mode} is null or ${orders.mode} in (${counted}))`;
}

/** Leaves out what was only a test, where the shop takes real money by now (`isTestOrder`); undefined: nothing. */
export function excludingTestOrders(shop: PaymentMode): SQL | undefined {
  return shop === "live" ? isCountedIn("live") : undefined;
}
