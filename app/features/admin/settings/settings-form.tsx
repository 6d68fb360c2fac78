import { createContext, type FormEvent, type ReactNode, use, useEffect, useRef } from "react";
import { SaveBar } from "../kit/save-bar.tsx";
import { SettingsProblems } from "./settings-problems.tsx";
import type { EditedGroup, SettingsDraft } from "./use-settings-draft.ts";
import { type SettingsSectionInfo, useSettingsForm } from "./use-settings-form.ts";

type Form = ReturnType<typeof useSettingsForm>;
const FormContext = createContext<Form | null>(null);

/** All sections of a page of the settings, saved together by one bar. */
export function SettingsForm({ draft, children }: { draft: SettingsDraft; children: ReactNode }) {
  const form = useSettingsForm(draft);
  const { attempts, busy, canSave, failed, isDirty, problems } = form;
  const summary = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is a new message, even in the same words
  useEffect(() => summary.current?.focus(), [attempts, failed]);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (canSave && !busy) void form.save();
  }
  return (
    <FormContext value={form}>
      <form onSubmit={submit} noValidate className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <SettingsProblems
          ref={summary}
          problems={problems}
          failed={failed}
          isOvertaken={form.isOvertaken}
          onOverrule={form.overrule}
          onGiveWay={form.giveWay}
        />
        {children}
        <SaveBar
          isShown={canSave}
          isDirty={isDirty}
          busy={busy}
          onDiscard={isDirty ? form.discard : undefined}
          words={isDirty ? "Unsaved changes" : "To be checked and saved"}
        />
      </form>
    </FormContext>
  );
}

/** Makes a section part of the page's form, and answers how its fields stand. */
export function useSectionOf(title: string, groups: readonly EditedGroup[]) {
  const form = use(FormContext);
  if (!form) throw new Error("A section of the settings stands in a SettingsForm.");
  const { register } = form;
  const names = groups.join();
  useEffect(() => {
    const section: SettingsSectionInfo = { title, groups: names.split(",") as EditedGroup[] };
    return register(section);
  }, [register, title, names]);
  return form;
}
