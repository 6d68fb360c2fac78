import type { Feature } from "../feature.ts";
import { contactApi } from "./api.ts";
import { purgeContactMessages } from "./commands.ts";
import { contactMail } from "./mail.ts";
import { eraseContactMessages, exportContactMessages, senderAddress } from "./personal-data.ts";
import { savedRepliesApi } from "./saved-replies.ts";

export const contactFeature = {
  api: [...contactApi, ...savedRepliesApi],
  mail: contactMail,
  purges: [purgeContactMessages],
  personalData: {
    knownAddress: senderAddress,
    lists: { contactMessages: exportContactMessages },
    erase: eraseContactMessages,
  },
} satisfies Feature;
