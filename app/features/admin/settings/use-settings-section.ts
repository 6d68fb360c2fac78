import { useState } from "react";
import * as v from "valibot";
import type { AllSettings, SettingsGroup } from "../../../../domain/settings/settings.ts";
import { type SettingsProblems, settingsProblems } from "../../../../domain/settings/settings-problems.ts";
import type { AdminSettings } from "../../../../domain/settings/settings-schema.ts";
import { defaultSettings, settingsForms } from "../../../../domain/settings/settings-schema.ts";
import { useAdminAction } from "../kit/use-admin-action.ts";
import type { EditedGroup, SettingsDraft } from "./use-settings-draft.ts";

/** How some groups of the settings stand, and saving them together. What is wrong shows from the first try on. */
export function useSettingsSection({
  title,
  groups,
  draft,
}: {
  title: string;
  groups: readonly EditedGroup[];
  draft: SettingsDraft;
}) {
  const action = useAdminAction("PATCH /api/admin/settings", { failure: null });
  /** Counts tries to save. */
  const [attempts, setAttempts] = useState(0);
  const values = Object.fromEntries(groups.map((group) => [group, draft.values[group]]));
  const wrong = checkSettings(values);
  const isWrong = Object.keys(wrong).length > 0;

  async function save(revisions = draft.revisionsOf(groups)) {
    setAttempts(attempts + 1);
    if (isWrong) return;
    const answer = await action.run({
      body: { ...values, revisions },
      success: { title: `${title} saved`, description: "It holds from now on, on every page." },
    });
    if (answer.ok) forget(answer.body.data);
  }
  function forget(saved?: AdminSettings) {
    draft.discard(groups, saved);
    setAttempts(0);
  }
  const problems: Record<string, string> = attempts === 0 ? {} : { ...action.fields, ...wrong };

  return {
    attempts,
    busy: action.busy,
    isDirty: draft.isDirty(groups),
    unreadable: draft.unreadable(groups),
    isDefault: groups.every(
      (group) => JSON.stringify(draft.values[group]) === JSON.stringify(defaultSettings[group]),
    ),
    isWrong,
    /** Sentences by the path of their field. */
    problems,
    /** Why the last try saved nothing. */
    failed: attempts > 0 ? action.problem : null,
    save,
    /** Back to what is saved; `saved`: as the server has it by now. */
    forget,
    /** Saves although somebody else was faster. */
    overrule(current: AdminSettings) {
      draft.overrule(groups, current.revisions);
      void save(current.revisions);
    },
    fillInDefault() {
      for (const group of groups) draft.set(group, defaultSettings[group]);
    },
  };
}

/** What the server would say of these groups, by the same paths. */
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
