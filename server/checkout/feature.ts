import type { Feature } from "../feature.ts";
import { addressLookupApi } from "./address-lookup/api.ts";
import { checkoutApi, walletsApi } from "./api.ts";
import { checkoutMail } from "./mail.ts";
import {
  deleteReminderQuery,
  eraseReminders,
  exportReminders,
  findReminderAddress,
  purgeReminders,
  remindOfCartTask,
} from "./reminders.ts";
import { remindersApi } from "./reminders-api.ts";

export const checkoutFeature = {
  api: [...checkoutApi, ...walletsApi, ...remindersApi, ...addressLookupApi],
  tasks: (ctx) => [remindOfCartTask(ctx)],
  mail: checkoutMail,
  purges: [purgeReminders],
  paymentHooks: { onOrderPaid: deleteReminderQuery },
  personalData: {
    knownAddress: findReminderAddress,
    lists: { cartReminders: exportReminders },
    erase: eraseReminders,
  },
} satisfies Feature;
