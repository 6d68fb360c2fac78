import type { Feature } from "../feature.ts";
import { customersApi } from "./api.ts";
import { eraseCustomer, exportCustomer } from "./personal-data.ts";
import { customerPrivacyApi } from "./privacy-api.ts";
import { refreshCustomersTask, refreshEverySeconds } from "./refresh.ts";

/** Who bought: a list and a page of each, worked out of the orders. */
export const customersFeature = {
  api: [...customersApi, ...customerPrivacyApi],
  cron: (ctx) => [{ task: refreshCustomersTask(ctx), everySeconds: refreshEverySeconds }],
  personalData: { lists: { customer: exportCustomer }, erase: eraseCustomer },
} satisfies Feature;
