import type { Feature } from "../feature.ts";
import { eraseContactMail } from "../outbox/personal-data.ts";
import { contactApi } from "./api.ts";
import { forgetContactMessages } from "./commands.ts";
import { contactMail, enqueueContactMessage, enqueueContactReply } from "./mail.ts";

export const contactFeature = {
  api: ({ db, mailFolder, now }) =>
    contactApi({
      db,
      now,
      announce: enqueueContactMessage,
      announceReply: enqueueContactReply,
      forgetMail: (tx, messageIds) => eraseContactMail(tx, messageIds, mailFolder),
    }),
  mail: contactMail,
  purges: [
    function purgeContactMessages({ db, now }) {
      return forgetContactMessages(db, now());
    },
  ],
} satisfies Feature;
