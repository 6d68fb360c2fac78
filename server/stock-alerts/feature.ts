import type { Feature } from "../feature.ts";
import { stockAlertsApi } from "./api.ts";
import { purgeStockAlerts } from "./commands.ts";
import { stockAlertsMail } from "./mail.ts";
import { notifyBackInStockTask } from "./notify.ts";
import { alertedAddress, eraseStockAlerts, exportStockAlerts } from "./personal-data.ts";

/** E-mails to shoppers when a sold-out product is back in stock. */
export const stockAlertsFeature = {
  api: stockAlertsApi,
  cron: (ctx) => [notifyBackInStockTask(ctx)],
  mail: stockAlertsMail,
  purges: [purgeStockAlerts],
  personalData: {
    knownAddress: alertedAddress,
    lists: { stockAlerts: exportStockAlerts },
    erase: eraseStockAlerts,
  },
} satisfies Feature;
