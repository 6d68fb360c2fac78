import { type SettingsGroup, settingsGroupNames } from "../../domain/settings/settings.ts";
import type { ShopContext } from "../context.ts";
import { syncIssues } from "../issues/issues.ts";
import type { Db } from "../platform/database/database.ts";
import { type RecurringTask, recurring } from "../platform/jobs/jobs.ts";
import { readSettingsToEdit } from "./queries.ts";

/** Raises an issue for each stored setting that cannot be read, and closes those of settings that can be read again. */
export async function watchSettings({ log, now }: ShopContext, tx: Db): Promise<void> {
  const { unreadable, revisions } = await readSettingsToEdit(tx);
  for (const group of unreadable)
    log.error({ group }, "a stored setting cannot be read; its default applies");
  await syncIssues(tx, {
    kind: "setting_unreadable",
    cases: unreadable.map((group) => ({
      // With the revision, so that a later unreadable value is another issue.
      subject: `${group} of ${revisions[group]}`,
      message: `The saved setting “${settingsGroupNames[group]}” cannot be read, so ${consequenceOf(group)}. Please look at it under Settings and save it again`,
    })),
    resolution: "By itself: it can be read again",
    now: now(),
  });
}

function consequenceOf(group: SettingsGroup): string {
  return group === "confirmAboveCents"
    ? "every refund and discount must be confirmed"
    : "the shop uses the default";
}

/** At each start and every ten minutes, since settings may be changed in the database directly. */
export function settingsWatch(ctx: ShopContext): RecurringTask {
  const job = { name: "watch_settings", lane: "upkeep", priority: 0, everySeconds: 10 * 60 } as const;
  return recurring(job, () => ctx.db.transaction((tx) => watchSettings(ctx, tx)));
}
