import * as v from "valibot";
import { settingsGroupNames } from "../../domain/settings/settings.ts";
import { closeIssues, raiseIssue } from "../payments/issues.ts";
import type { PaymentParts } from "../payments/parts.ts";
import type { Db } from "../platform/database.ts";
import type { RecurringTask } from "../platform/job-workers.ts";
import { defineJob, task } from "../platform/jobs.ts";
import { readSettingsToEdit } from "./queries.ts";

const kind = "setting_unreadable";

const watchSettingsJob = defineJob({
  name: "watch_settings",
  payload: v.object({}),
  lane: "upkeep",
  priority: 0,
  maxAttempts: 1,
});

type WatchParts = Pick<PaymentParts, "db" | "announce" | "log" | "now">;

/** Puts settings that cannot be read before the owner, and takes back what can be read again. */
export async function watchSettings(tx: Db, { announce, log, now }: Omit<WatchParts, "db">): Promise<void> {
  const { unreadable, revisions } = await readSettingsToEdit(tx);
  const subjects: string[] = [];
  for (const group of unreadable) {
    const name = settingsGroupNames[group];
    // With its time: one that is broken again later is another matter.
    const subject = `${group} of ${revisions[group]}`;
    subjects.push(subject);
    log.error({ group }, "a stored setting cannot be read; its default holds");
    await raiseIssue(tx, announce, {
      kind,
      subject,
      orderId: null,
      message: `The saved setting “${name}” cannot be read, so the shop goes by its default. Please look at it under Settings and save it again`,
    });
  }
  await closeIssues(tx, {
    kind,
    except: subjects,
    resolution: "By itself: it can be read again",
    now: now(),
  });
}

/** At each start and now and then: settings are written by the panel, and by whoever has the database in hand. */
export function settingsWatch(parts: WatchParts): RecurringTask {
  return {
    task: task(watchSettingsJob, () => parts.db.transaction((tx) => watchSettings(tx, parts))),
    everySeconds: 10 * 60,
  };
}
