import type { Feature } from "../feature.ts";
import { contentApi } from "./api.ts";
import { emailTextsApi } from "./emails/api.ts";
import { emailTextsMail } from "./emails/preview.ts";
import { emailTextsWatch } from "./emails/published-texts.ts";
import { menuApi } from "./menu/api.ts";

/** Texts of pages, policies, FAQ and e-mails, and the menu, which the owner edits. */
export const contentFeature = {
  api: [...contentApi, ...emailTextsApi, ...menuApi],
  cron: (ctx) => [emailTextsWatch(ctx)],
  mail: emailTextsMail,
} satisfies Feature;
