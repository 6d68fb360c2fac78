import type { Feature } from "../feature.ts";
import { announceContactMessage, announceContactReply } from "../outbox/commands.ts";
import { eraseContactMail } from "../outbox/personal-data.ts";
import { contactApi } from "./api.ts";
import { forgetContactMessages } from "./commands.ts";

export const contactFeature = {
  api: ({ db, mailFolder, now }) =>
    contactApi({
      db,
      now,
      announce: announceContactMessage,
      announceReply: announceContactReply,
      forgetMail: (tx, messageIds) => eraseContactMail(tx, messageIds, mailFolder),
    }),
  purges: [
    function purgeContactMessages({ db, now }) {
      return forgetContactMessages(db, now());
    },
  ],
} satisfies Feature;
