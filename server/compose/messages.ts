import { notificationsApi } from "../outbox/api.ts";
import { requeueStranded } from "../outbox/enqueue.ts";
import { notificationTasks } from "../outbox/jobs.ts";
import { forgetFarewells, forgetOldMail } from "../outbox/personal-data.ts";
import { openMailer } from "../outbox/smtp.ts";
import { createTwilio } from "../outbox/twilio.ts";
import type { Area, AreaParts } from "./area.ts";

/** The e-mails and texts that the shop sends. `close` ends the connection to the mail server. */
export function messagesArea(parts: AreaParts): Area & { close(): void } {
  const { config, db, log, mailFolder, now, provider, sessionSecret, settings, shop } = parts;
  const { mail, publicUrl, twilio } = config;
  const mailer = mail.smtpUrl === null ? null : openMailer({ ...mail, smtpUrl: mail.smtpUrl, publicUrl });
  const shared = {
    db,
    log,
    now,
    publicUrl,
    secret: sessionSecret,
    settings: settings.shop,
    ownerSettings: settings.owner,
    textSender: twilio && createTwilio(twilio),
  };
  return {
    api: notificationsApi({
      ...shared,
      channels: {
        texts: { isConfigured: twilio !== null, from: twilio?.from ?? null },
        mail: { isConfigured: mail.smtpUrl !== null, ownerEmail: mail.ownerEmail },
      },
    }),
    tasks: notificationTasks({
      ...shared,
      mailer,
      mailFolder,
      giving: shop.giving,
      ownerEmail: mail.ownerEmail,
      isTestMode: provider.mode !== "live",
    }),
    forgetters: [
      requeueStranded,
      (tx, at) => forgetFarewells(tx, at, mailFolder),
      (tx, at) => forgetOldMail(tx, at, mailFolder),
    ],
    close: () => mailer?.close(),
  };
}
