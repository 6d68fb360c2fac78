import type { Feature } from "../feature.ts";
import { contentApi } from "./api.ts";
import { emailTextsApi } from "./emails/api.ts";
import { emailTextsMail } from "./emails/mail.ts";
import { emailTextsWatch } from "./emails/watch.ts";
import { menuApi } from "./menu/api.ts";

/** The words of pages, policies, answers and e-mails, and the menu, as the owner edits them. */
export const contentFeature = {
  api: [...contentApi, ...emailTextsApi, ...menuApi],
  cron: (ctx) => [emailTextsWatch(ctx)],
  mail: emailTextsMail,
} satisfies Feature;
