import { useState } from "react";
import type { SettingsRevisions } from "../../../../domain/settings/settings.ts";
import type { AdminSettings } from "../../../../domain/settings/settings-schema.ts";
import { isSame } from "../../../ui/use-form.ts";

export type EditedGroup = Exclude<
  keyof AdminSettings,
  "revisions" | "unreadable" | "notifications" | "founderPicture"
>;
export type SettingsValues = Pick<AdminSettings, EditedGroup>;

export type SettingsDraft = ReturnType<typeof useSettingsDraft>;

/** Unsaved edits of the page by group; groups without edits follow the saved values. */
export function useSettingsDraft(loaded: AdminSettings) {
  const [lastSaved, setLastSaved] = useState(loaded);
  // The response to a save arrives before the page has reloaded the settings.
  const newestSettings = latestRevision(lastSaved) >= latestRevision(loaded) ? lastSaved : loaded;
  const [edits, setEdits] = useState<Partial<SettingsValues>>({});
  const [startRevisions, setStartRevisions] = useState<Partial<SettingsRevisions>>({});
  const values = { ...newestSettings, ...edits };
  const editedGroups = Object.keys(edits) as EditedGroup[];
  const omitGroups = <T extends object>(byGroup: T, groups: readonly EditedGroup[]): T =>
    Object.fromEntries(
      Object.entries(byGroup).filter(([key]) => !groups.some((group) => group === key)),
    ) as T;
  const set = <Group extends EditedGroup>(group: Group, value: SettingsValues[Group]): void => {
    setEdits((before) => ({ ...before, [group]: value }));
    setStartRevisions((before) =>
      group in edits ? before : { ...before, [group]: newestSettings.revisions[group] },
    );
  };
  const adoptRevisions = (groups: readonly EditedGroup[], revisions: SettingsRevisions): void =>
    setStartRevisions((before) => ({
      ...before,
      ...Object.fromEntries(groups.map((group) => [group, revisions[group]])),
    }));
  return {
    saved: newestSettings,
    /** The saved values with the unsaved edits applied. */
    values: values as SettingsValues,
    set,
    /** Changes values anywhere inside their groups, as `formFields` does. */
    change(next: (before: SettingsValues) => SettingsValues): void {
      const nextValues = next(values);
      for (const group of Object.keys(nextValues) as EditedGroup[])
        if (nextValues[group] !== values[group]) set(group, nextValues[group]);
    },
    isDirty: (groups: readonly EditedGroup[] = editedGroups) =>
      groups.some((group) => !isSame(values[group], newestSettings[group])),
    /** Groups whose saved value cannot be read; the form shows their default, which may be saved unchanged. */
    unreadable: (groups: readonly EditedGroup[]) =>
      groups.filter((group) => newestSettings.unreadable?.includes(group)),
    /** Discards the edits of groups; `current`: the settings in the server's last response. */
    discard(groups: readonly EditedGroup[], current?: AdminSettings): void {
      if (current) setLastSaved(current);
      setEdits((before) => omitGroups(before, groups));
      setStartRevisions((before) => omitGroups(before, groups));
    },
    /** After a save of `sent`: the form starts from the response, and keeps edits made during the call. */
    adopt(sent: Partial<SettingsValues>, response: AdminSettings): void {
      const groups = Object.keys(sent) as EditedGroup[];
      setLastSaved(response);
      setEdits((current) =>
        omitGroups(
          current,
          groups.filter((group) => current[group] === sent[group]),
        ),
      );
      adoptRevisions(groups, response.revisions);
    },
    /** Each group's revision when its editing began. */
    revisionsFor: (groups: readonly EditedGroup[]): Partial<SettingsRevisions> =>
      Object.fromEntries(
        groups.map((group) => [group, startRevisions[group] ?? newestSettings.revisions[group]]),
      ),
    /** Whether another user has saved one of the groups since its editing began here. */
    hasNewerVersion: (groups: readonly EditedGroup[]) =>
      groups.some(
        (group) => group in startRevisions && startRevisions[group] !== newestSettings.revisions[group],
      ),
    /** Adopts other users' revisions, so that the next save overwrites them. */
    adoptRevisions,
  };
}

function latestRevision({ revisions }: AdminSettings): string {
  return Object.values(revisions).reduce<string>(
    (latest, at) => (at !== null && at > latest ? at : latest),
    "",
  );
}
