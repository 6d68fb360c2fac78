import type { Feature } from "../feature.ts";
import { refillRemindersApi } from "./api.ts";
import { purgeRefillReminders } from "./commands.ts";
import { refillRemindersMail } from "./mail.ts";
import { eraseRefillReminders, exportRefillReminders } from "./personal-data.ts";
import { remindOfRefillTask } from "./remind.ts";

/** Opt-in e-mails to buyers when a bottle should be nearly empty. */
export const refillRemindersFeature = {
  api: refillRemindersApi,
  cron: (ctx) => [remindOfRefillTask(ctx)],
  mail: refillRemindersMail,
  purges: [purgeRefillReminders],
  personalData: { lists: { refillReminders: exportRefillReminders }, erase: eraseRefillReminders },
} satisfies Feature;
