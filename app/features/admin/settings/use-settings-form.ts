import { useCallback, useState } from "react";
import * as v from "valibot";
import type { AllSettings, SettingsGroup } from "../../../../domain/settings/settings.ts";
import { type SettingsProblems, settingsProblems } from "../../../../domain/settings/settings-problems.ts";
import { type AdminSettings, settingsForms } from "../../../../domain/settings/settings-schema.ts";
import { useAdminAction } from "../kit/use-admin-action.ts";
import type { EditedGroup, SettingsDraft } from "./use-settings-draft.ts";

/** Groups that are checked and saved together. */
export type SettingsSectionInfo = { title: string; groups: readonly EditedGroup[] };

/** Saves the edited sections of a page together. Errors are shown from the first attempt on. */
export function useSettingsForm(draft: SettingsDraft) {
  const action = useAdminAction("PATCH /api/admin/settings", { failure: null });
  /** Counts tries to save. */
  const [attempts, setAttempts] = useState(0);
  const [sections, setSections] = useState<readonly SettingsSectionInfo[]>([]);
  const register = useCallback((section: SettingsSectionInfo) => {
    setSections((before) => [...before, section]);
    return () => setSections((before) => before.filter((one) => one !== section));
  }, []);
  const changed = sections.filter(
    ({ groups }) => draft.isDirty(groups) || draft.unreadable(groups).length > 0,
  );
  const groups = changed.flatMap((section) => section.groups);
  const values = Object.fromEntries(groups.map((group) => [group, draft.values[group]]));
  const wrong = checkSettings(values);

  async function save(revisions = draft.revisionsOf(groups)) {
    setAttempts(attempts + 1);
    if (Object.keys(wrong).length > 0) return;
    const answer = await action.run({
      body: { ...values, revisions },
      success: {
        title: changed.length === 1 ? `${changed[0]?.title} saved` : "Settings saved",
        description: "It holds from now on, on every page.",
      },
    });
    if (answer.ok) forget(groups, answer.body.data);
  }
  function forget(which: readonly EditedGroup[], saved?: AdminSettings) {
    draft.discard(which, saved);
    action.forget();
    setAttempts(0);
  }

  return {
    attempts,
    busy: action.busy,
    canSave: changed.length > 0,
    isDirty: draft.isDirty(groups),
    isOvertaken: draft.isOvertaken(groups),
    /** Sentences by the path of their field. */
    problems: (attempts === 0 ? {} : { ...action.fields, ...wrong }) as Record<string, string>,
    /** Whether these groups have validation errors. */
    isWrong: (which: readonly EditedGroup[]) => Object.keys(checkSettings(pick(draft, which))).length > 0,
    /** Why the last try saved nothing. */
    failed: attempts > 0 ? action.problem : null,
    register,
    save: () => save(),
    discard: () => forget(groups),
    /** Discards edits of groups that another user has saved, and keeps the others. */
    giveWay(current?: AdminSettings) {
      forget(current ? groups.filter((group) => isNewer(draft, group, current)) : groups, current);
    },
    /** Saves over another user's newer changes. */
    overrule(current?: AdminSettings) {
      const revisions = current?.revisions ?? draft.saved.revisions;
      draft.overrule(groups, revisions);
      void save(Object.fromEntries(groups.map((group) => [group, revisions[group]])));
    },
  };
}

function isNewer(draft: SettingsDraft, group: EditedGroup, current: AdminSettings): boolean {
  return draft.revisionsOf([group])[group] !== current.revisions[group];
}

function pick(draft: SettingsDraft, groups: readonly EditedGroup[]): Partial<AllSettings> {
  return Object.fromEntries(groups.map((group) => [group, draft.values[group]]));
}

/** The server's validation, run here, with the same field paths. */
function checkSettings(groups: Partial<AllSettings>): SettingsProblems {
  const problems = settingsProblems(groups);
  for (const [group, value] of Object.entries(groups)) {
    const result = v.safeParse(settingsForms[group as SettingsGroup], value);
    for (const issue of result.issues ?? []) {
      const path = v.getDotPath(issue);
      problems[path === null ? group : `${group}.${path}`] ??= issue.message;
    }
  }
  return problems;
}
