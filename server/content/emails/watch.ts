import * as v from "valibot";
import type { ShopContext } from "../../context.ts";
import { closeIssues, raiseIssue } from "../../issues/issues.ts";
import type { RecurringTask } from "../../platform/jobs/job-workers.ts";
import { defineJob, task } from "../../platform/jobs/jobs.ts";
import { failedIssue, readOwnEmails } from "./on-show.ts";

const unreadableIssue = "email_text_unreadable";

const watchEmailTextsJob = defineJob({
  name: "watch_email_texts",
  payload: v.object({}),
  lane: "upkeep",
  priority: 0,
  maxAttempts: 1,
});

/** Raises an issue for each e-mail text that cannot be used, and closes it once the text can be used or was replaced. */
export async function watchEmailTexts({ db, now }: ShopContext): Promise<void> {
  await db.transaction(async (tx) => {
    const { own, unreadable } = await readOwnEmails(tx);
    for (const { name, subject } of unreadable) {
      const message = `Your text of “${name}” cannot be used, so the shop’s own is sent. Please look at it under Texts and menu, Emails, and publish it again`;
      await raiseIssue(tx, { kind: unreadableIssue, subject, orderId: null, message });
    }
    const closed = { resolution: "By itself: the text is another one now, or can be used again", now: now() };
    const broken = unreadable.map(({ subject }) => subject);
    const current = [...own].map(([kind, { versionId }]) => `${kind} ${versionId}`);
    await closeIssues(tx, { kind: unreadableIssue, except: broken, ...closed });
    await closeIssues(tx, { kind: failedIssue, except: current, ...closed });
  });
}

/** At each start and periodically: a text may have been written by another version of the shop. */
export function emailTextsWatch(ctx: ShopContext): RecurringTask {
  return { task: task(watchEmailTextsJob, () => watchEmailTexts(ctx)), everySeconds: 10 * 60 };
}
