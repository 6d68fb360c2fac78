import { isDeepStrictEqual } from "node:util";
import { type AllSettings, type SettingsGroup, settingsGroupNames } from "../../domain/settings/settings.ts";
import type { LoggedChange } from "../platform/http/answer.ts";

/** "Brand name: Palmira → Batana & Co", with what of each group is different. */
export function describeSettingsChange(before: Partial<AllSettings>, settings: AllSettings): LoggedChange {
  const groups = Object.keys(before) as SettingsGroup[];
  const [only] = groups;
  if (only === undefined) return { subject: "settings", summary: "Settings saved as they were" };
  return {
    subject: groups.length === 1 ? `settings:${only}` : "settings",
    summary: groups.map((group) => describeGroup(group, before[group], settings[group])).join("; "),
    before: Object.fromEntries(groups.map((group) => [group, differing(before[group], settings[group])])),
    after: Object.fromEntries(groups.map((group) => [group, differing(settings[group], before[group])])),
  };
}

/** "Shipping, Tax" */
export function namesOf(groups: readonly SettingsGroup[]): string {
  return groups.map((group) => settingsGroupNames[group]).join(", ");
}

function describeGroup(group: SettingsGroup, before: unknown, after: unknown): string {
  const name = settingsGroupNames[group];
  if (typeof after === "object") return `${name} changed`;
  const unit = group === "givingPercent" ? "%" : "";
  return `${name}: ${before}${unit} → ${after}${unit}`;
}

/** Of an object only the fields that the other one has differently. */
function differing(value: unknown, other: unknown): unknown {
  if (!isObject(value) || !isObject(other)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key, inner]) => !isDeepStrictEqual(inner, other[key])),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
