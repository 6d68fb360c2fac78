import * as v from "valibot";
import { type SettingsGroup, settingsGroupNames } from "../../domain/settings/settings.ts";
import type { ShopContext } from "../context.ts";
import { closeIssues, raiseIssue } from "../issues/issues.ts";
import type { Db } from "../platform/database/database.ts";
import type { RecurringTask } from "../platform/jobs/job-workers.ts";
import { defineJob, task } from "../platform/jobs/jobs.ts";
import { readSettingsToEdit } from "./queries.ts";

const kind = "setting_unreadable";

const watchSettingsJob = defineJob({
  name: "watch_settings",
  payload: v.object({}),
  lane: "upkeep",
  priority: 0,
  maxAttempts: 1,
});

/** Raises an issue for each stored setting that cannot be read, and closes those of settings that can be read again. */
export async function watchSettings({ log, now }: ShopContext, tx: Db): Promise<void> {
  const { unreadable, revisions } = await readSettingsToEdit(tx);
  const subjects: string[] = [];
  for (const group of unreadable) {
    const name = settingsGroupNames[group];
    // With the revision, so that a later unreadable value is another issue.
    const subject = `${group} of ${revisions[group]}`;
    subjects.push(subject);
    log.error({ group }, "a stored setting cannot be read; its default holds");
    await raiseIssue(tx, {
      kind,
      subject,
      orderId: null,
      message: `The saved setting “${name}” cannot be read, so ${instead(group)}. Please look at it under Settings and save it again`,
    });
  }
  await closeIssues(tx, {
    kind,
    except: subjects,
    resolution: "By itself: it can be read again",
    now: now(),
  });
}

function instead(group: SettingsGroup): string {
  return group === "confirmAboveCents"
    ? "every sum that is given away has to be confirmed"
    : "the shop goes by its default";
}

/** At each start and every ten minutes, since settings may be changed in the database directly. */
export function settingsWatch(ctx: ShopContext): RecurringTask {
  return {
    task: task(watchSettingsJob, () => ctx.db.transaction((tx) => watchSettings(ctx, tx))),
    everySeconds: 10 * 60,
  };
}
