import type { Feature } from "../feature.ts";
import { contactApi } from "./api.ts";
import { purgeContactMessages } from "./commands.ts";
import { contactMail } from "./mail.ts";
import { savedRepliesApi } from "./saved-replies.ts";

export const contactFeature = {
  api: [...contactApi, ...savedRepliesApi],
  mail: contactMail,
  purges: [purgeContactMessages],
} satisfies Feature;
