import * as v from "valibot";
import type { ShopContext } from "../context.ts";
import { claimUntoldOutage, probeMail } from "../outbox/outage.ts";
import { tryMailServer } from "../outbox/smtp.ts";
import type { RecurringTask } from "../platform/jobs/job-workers.ts";
import { defineJob, task } from "../platform/jobs/jobs.ts";
import { alarmOwners } from "../push/notify.ts";

// The lane of money: that of mail is the one that an outage fills.
const watchMailJob = defineJob({
  name: "watch_mail",
  payload: v.object({}),
  lane: "money",
  priority: 20,
  maxAttempts: 1,
});

/** While no e-mail leaves: tells the owners' devices of it once, and finds out whether it leaves again. */
export async function watchMail(ctx: ShopContext): Promise<void> {
  const { config, db, log, now } = ctx;
  const untold = await db.transaction(async (tx) => {
    const outage = await claimUntoldOutage(tx, now());
    if (outage) await alarmOwners(tx, "mail_outage", outage.outageId);
    return outage;
  });
  if (untold) log.error({ cause: untold.cause }, "no email leaves");
  await probeMail(ctx, async () => {
    const { smtpUrl } = config.mail;
    return smtpUrl !== null && (await tryMailServer(smtpUrl, config.publicUrl)).ok;
  });
}

export function mailWatch(ctx: ShopContext): RecurringTask {
  return { task: task(watchMailJob, () => watchMail(ctx)), everySeconds: 30 };
}
