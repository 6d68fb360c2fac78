import type { Feature } from "../feature.ts";
import { notificationsApi } from "./api.ts";
import { testMail } from "./compose.ts";
import { requeueStranded } from "./enqueue.ts";
import { outboxTasks } from "./jobs.ts";
import { forgetFarewells, forgetOldMail } from "./personal-data.ts";

/** The e-mails and texts that the shop sends. */
export const outboxFeature = {
  api: (ctx) => {
    const { mail, twilio } = ctx.config;
    return notificationsApi({
      ctx,
      channels: {
        texts: { isConfigured: twilio !== null, from: twilio?.from ?? null },
        mail: { isConfigured: mail.smtpUrl !== null, ownerEmail: mail.ownerEmail },
      },
    });
  },
  tasks: outboxTasks,
  mail: testMail,
  purges: [
    function sendStrandedMessages({ db, now }) {
      return requeueStranded(db, now());
    },
    function purgeDeletionMail({ db, now, mailFolder }) {
      return forgetFarewells(db, now(), mailFolder);
    },
    function purgeOldMail({ db, now, mailFolder }) {
      return forgetOldMail(db, now(), mailFolder);
    },
  ],
} satisfies Feature;
