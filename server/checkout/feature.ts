import type { Feature } from "../feature.ts";
import { addressLookupApi } from "./address-lookup/api.ts";
import { checkoutApi } from "./api.ts";
import { checkoutMail } from "./mail.ts";
import { eraseReminders, exportReminders, remindedAddress } from "./personal-data.ts";
import { dropReminder, findReminder, purgeReminders, remindOfCartTask } from "./reminders.ts";
import { remindersApi } from "./reminders-api.ts";
import { walletsApi } from "./wallets-api.ts";

export const checkoutFeature = {
  api: [...checkoutApi, ...walletsApi, ...remindersApi, ...addressLookupApi],
  tasks: (ctx) => [remindOfCartTask(ctx)],
  mail: checkoutMail,
  purges: [purgeReminders],
  paymentHooks: { onOrderPaid: { isNeeded: findReminder, run: dropReminder } },
  personalData: {
    knownAddress: remindedAddress,
    lists: { cartReminders: exportReminders },
    erase: eraseReminders,
  },
} satisfies Feature;
