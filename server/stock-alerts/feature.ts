import type { Feature } from "../feature.ts";
import { purgeStockAlerts } from "./commands.ts";

/** Word to shoppers that a product is back in stock. */
export const stockAlertsFeature = {
  purges: [purgeStockAlerts],
} satisfies Feature;
