import * as v from "valibot";
import type { AllSettings, SettingsGroup } from "../../../../domain/settings/settings.ts";
import { type SettingsProblems, settingsProblems } from "../../../../domain/settings/settings-problems.ts";
import { settingsForms } from "../../../../domain/settings/settings-schema.ts";

/** What the server would say of these groups, by the same paths. */
export function checkSettings(groups: Partial<AllSettings>): SettingsProblems {
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
