import type { Feature } from "../feature.ts";
import { customersApi } from "./api.ts";
import { eraseCustomer, exportCustomer } from "./personal-data.ts";
import { customerPrivacyApi } from "./privacy-api.ts";
import { refreshCustomersTask } from "./refresh.ts";

/** Customers, computed from orders: the list, and a page for each. */
export const customersFeature = {
  api: [...customersApi, ...customerPrivacyApi],
  cron: (ctx) => [refreshCustomersTask(ctx)],
  personalData: { lists: { customer: exportCustomer }, erase: eraseCustomer },
} satisfies Feature;
