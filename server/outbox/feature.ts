import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { notificationsApi } from "./api.ts";
import { requeueStranded } from "./enqueue.ts";
import { notificationTasks } from "./jobs.ts";
import { forgetFarewells, forgetOldMail } from "./personal-data.ts";

const shared = ({ config, ...ctx }: ShopContext) => ({ ...ctx, publicUrl: config.publicUrl });

/** The e-mails and texts that the shop sends. */
export const outboxFeature = {
  api: (ctx) => {
    const { mail, twilio } = ctx.config;
    return notificationsApi({
      ...shared(ctx),
      channels: {
        texts: { isConfigured: twilio !== null, from: twilio?.from ?? null },
        mail: { isConfigured: mail.smtpUrl !== null, ownerEmail: mail.ownerEmail },
      },
    });
  },
  tasks: (ctx) =>
    notificationTasks({
      ...shared(ctx),
      ownerEmail: ctx.config.mail.ownerEmail,
      isTestMode: ctx.provider.mode !== "live",
    }),
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
