import * as v from "valibot";
import type { ShopContext } from "../context.ts";
import { claimUnreportedOutage, probeMail } from "../outbox/outage.ts";
import { tryMailServer } from "../outbox/smtp.ts";
import type { RecurringTask } from "../platform/jobs/job-workers.ts";
import { defineJob, task } from "../platform/jobs/jobs.ts";
import { alarmOwners } from "../push/notify.ts";

// In the lane of money, since an outage fills that of mail.
const watchMailJob = defineJob({
  name: "watch_mail",
  payload: v.object({}),
  lane: "money",
  priority: 20,
  maxAttempts: 1,
});

/** During an outage of e-mail: notifies the owners' devices once, and tries the mail server. */
export async function watchMail(ctx: ShopContext): Promise<void> {
  const { config, db, log, now } = ctx;
  const unreported = await db.transaction(async (tx) => {
    const outage = await claimUnreportedOutage(tx, now());
    if (outage) await alarmOwners(tx, "mail_outage", outage.outageId);
    return outage;
  });
  if (unreported) log.error({ cause: unreported.cause }, "no email leaves");
  await probeMail(ctx, async () => {
    const { smtpUrl } = config.mail;
    return smtpUrl !== null && (await tryMailServer(smtpUrl, config.publicUrl)).ok;
  });
}

export function mailWatch(ctx: ShopContext): RecurringTask {
  return { task: task(watchMailJob, () => watchMail(ctx)), everySeconds: 30 };
}
