import type { Feature } from "../feature.ts";
import { contactApi } from "./api.ts";
import { purgeContactMessages } from "./commands.ts";
import { contactMail } from "./mail.ts";

export const contactFeature = {
  api: contactApi,
  mail: contactMail,
  purges: [purgeContactMessages],
} satisfies Feature;
