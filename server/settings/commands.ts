import { isDeepStrictEqual } from "node:util";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import type {
  AllSettings,
  SettingsGroup,
  SettingsPart,
  SettingsRevisions,
} from "../../domain/settings/settings.ts";
import { type SettingsProblems, settingsProblems } from "../../domain/settings/settings-problems.ts";
import { settingsForms } from "../../domain/settings/settings-schema.ts";
import type { Db } from "../platform/database/database.ts";
import { readSettingsToEdit } from "./queries.ts";
import { settings } from "./tables.ts";

type SettingsWriteResult =
  | {
      ok: true;
      settings: AllSettings;
      revisions: SettingsRevisions;
      /** Groups whose stored value still cannot be read. */
      unreadable: SettingsGroup[];
      /** Former values of the groups that were changed. */
      before: Partial<AllSettings>;
    }
  | { ok: false; reason: "invalid"; fields: SettingsProblems }
  | {
      ok: false;
      reason: "changed_meanwhile";
      groups: SettingsGroup[];
      settings: AllSettings;
      revisions: SettingsRevisions;
      unreadable: SettingsGroup[];
    };

/**
 * Changes any part of the settings, all or nothing; call it in a transaction. `expectedRevisions`: the revisions that the
 * caller has read; a group that has a newer one is not overwritten. Unchanged groups are not written.
 */
export async function writeSettings(
  tx: Db,
  part: SettingsPart,
  now: Date,
  expectedRevisions: Partial<Record<string, string | null>> = {},
): Promise<SettingsWriteResult> {
  // Serializes writers, even of a group that has no row to lock yet. Readers do not wait.
  await tx.execute(sql`lock table ${settings} in share row exclusive mode`);
  const current = await readSettingsToEdit(tx);
  const groups = (Object.keys(part) as SettingsGroup[]).filter((group) => part[group] !== undefined);

  const staleGroups = groups.filter(
    (group) =>
      expectedRevisions[group] !== undefined && expectedRevisions[group] !== current.revisions[group],
  );
  if (staleGroups.length > 0)
    return { ok: false, reason: "changed_meanwhile", groups: staleGroups, ...current };

  const newSettings = merge(current.settings, part) as AllSettings;
  const fields = settingsProblems(pick(newSettings, groups));
  if (Object.keys(fields).length > 0) return { ok: false, reason: "invalid", fields };

  // An unreadable group is written even if it gets its default, and so is the first time zone: the panel asks for one until
  // it is stored.
  const changedGroups = groups.filter(
    (group) =>
      current.unreadable.includes(group) ||
      (group === "timeZone" && current.revisions[group] === null) ||
      !isDeepStrictEqual(newSettings[group], current.settings[group]),
  );
  const revisions = { ...current.revisions };
  for (const group of changedGroups) {
    // Written as text, because the value may be JSON null, which is not SQL null.
    const value = sql`${JSON.stringify(v.parse(settingsForms[group], newSettings[group]))}::jsonb`;
    const updatedAt = nextRevisionTime(revisions[group], now);
    revisions[group] = updatedAt.toISOString();
    await tx
      .insert(settings)
      .values({ key: group, value, updatedAt })
      .onConflictDoUpdate({ target: settings.key, set: { value, updatedAt } });
  }
  const unreadable = current.unreadable.filter((group) => !changedGroups.includes(group));
  return {
    ok: true,
    settings: newSettings,
    revisions,
    unreadable,
    before: pick(current.settings, changedGroups),
  };
}

/** Stores the default of a group, as the owner has confirmed it. A stored group is left unchanged. */
export async function storeDefaults(tx: Db, group: SettingsGroup, now: Date): Promise<void> {
  const { settings: current, revisions } = await readSettingsToEdit(tx);
  if (revisions[group] !== null) return;
  const value = sql`${JSON.stringify(current[group])}::jsonb`;
  await tx.insert(settings).values({ key: group, value, updatedAt: now }).onConflictDoNothing();
}

/** Makes each revision of a group later than the previous one, even if the clock was set back. */
function nextRevisionTime(revision: string | null, now: Date): Date {
  return new Date(Math.max(now.getTime(), revision === null ? 0 : Date.parse(revision) + 1));
}

/** `whole` with the values of `part`, merged object by object; lists and plain values are replaced. */
function merge(whole: unknown, part: unknown): unknown {
  if (!isObject(whole) || !isObject(part)) return part;
  const merged = { ...whole };
  for (const [key, value] of Object.entries(part)) {
    if (value !== undefined) merged[key] = merge(whole[key], value);
  }
  return merged;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function pick(from: AllSettings, groups: readonly SettingsGroup[]): Partial<AllSettings> {
  return Object.fromEntries(groups.map((group) => [group, from[group]]));
}
