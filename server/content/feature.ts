import type { Feature } from "../feature.ts";
import { contentApi } from "./api.ts";
import { emailTextsApi } from "./emails/api.ts";
import { emailTextsMail } from "./emails/mail.ts";
import { emailTextsWatch } from "./emails/watch.ts";

/** The words of pages, policies, answers and e-mails, as the owner edits them. */
export const contentFeature = {
  api: [...contentApi, ...emailTextsApi],
  cron: (ctx) => [emailTextsWatch(ctx)],
  mail: emailTextsMail,
} satisfies Feature;
