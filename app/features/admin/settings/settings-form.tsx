import {
  createContext,
  type FormEvent,
  type ReactNode,
  type Ref,
  use,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import * as v from "valibot";
import type { AllSettings, SettingsGroup } from "../../../../domain/settings/settings.ts";
import { settingsProblems } from "../../../../domain/settings/settings-problems.ts";
import { type AdminSettings, settingsForms } from "../../../../domain/settings/settings-schema.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { FieldLinks } from "../../../ui/field.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { SaveBar } from "../kit/saved-form/save-bar.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { type EditedGroup, type SettingsDraft, useSettingsDraft } from "./use-settings-draft.ts";

type Form = ReturnType<typeof useSettingsForm>;
const FormContext = createContext<{ draft: SettingsDraft; form: Form } | null>(null);

/** The sections of a settings page, saved together by one bar. */
export function SettingsForm({ settings, children }: { settings: AdminSettings; children: ReactNode }) {
  const draft = useSettingsDraft(settings);
  const form = useSettingsForm(draft);
  const { attempts, busy, canSave, failure, isDirty } = form;
  const summary = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt is announced, even with the same text
  useEffect(() => summary.current?.focus(), [attempts, failure]);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (canSave && !busy) void form.save();
  }
  return (
    <FormContext value={{ draft, form }}>
      <form onSubmit={submit} noValidate className="stack gap-5">
        <SettingsProblems ref={summary} form={form} />
        {children}
        <SaveBar
          isShown={canSave}
          isDirty={isDirty}
          busy={busy}
          onDiscard={isDirty ? form.discard : undefined}
          message={isDirty ? "Unsaved changes" : "To be checked and saved"}
        />
      </form>
    </FormContext>
  );
}

function useFormContext() {
  const context = use(FormContext);
  if (!context) throw new Error("A settings section must be inside a SettingsForm.");
  return context;
}

/** The page's settings with unsaved edits. */
export function useSettings(): SettingsDraft {
  return useFormContext().draft;
}

/** Registers a section with the page's form, and returns the state of its fields. */
export function useFormSection(title: string, groups: readonly EditedGroup[]): Form {
  const { form } = useFormContext();
  const { register } = form;
  const names = groups.join();
  useEffect(() => {
    const section: SettingsSectionInfo = { title, groups: names.split(",") as EditedGroup[] };
    return register(section);
  }, [register, title, names]);
  return form;
}

/** Groups that are checked and saved together. */
type SettingsSectionInfo = { title: string; groups: readonly EditedGroup[] };

/** Saves the edited sections of a page together. Errors are shown from the first attempt on. */
function useSettingsForm(draft: SettingsDraft) {
  const action = useAdminAction("PATCH /api/admin/settings", { failure: null });
  /** Number of attempts to save. */
  const [attempts, setAttempts] = useState(0);
  const [sections, setSections] = useState<readonly SettingsSectionInfo[]>([]);
  const register = useCallback((section: SettingsSectionInfo) => {
    setSections((before) => [...before, section]);
    return () => setSections((before) => before.filter((registered) => registered !== section));
  }, []);
  const changedSections = sections.filter(
    ({ groups }) => draft.isDirty(groups) || draft.unreadable(groups).length > 0,
  );
  const groups = changedSections.flatMap((section) => section.groups);
  const values = Object.fromEntries(groups.map((group) => [group, draft.values[group]]));
  const clientProblems = checkSettings(values);

  async function save(revisions = draft.revisionsFor(groups)) {
    setAttempts(attempts + 1);
    if (Object.keys(clientProblems).length > 0) return;
    const response = await action.run({
      body: { ...values, revisions },
      success: {
        title: changedSections.length === 1 ? `${changedSections[0]?.title} saved` : "Settings saved",
        description: "The new values apply on every page from now on.",
      },
    });
    if (!response.ok) return;
    draft.adopt(values, response.body.data);
    setAttempts(0);
  }
  function discardEdits(groupsToDiscard: readonly EditedGroup[], saved?: AdminSettings) {
    draft.discard(groupsToDiscard, saved);
    action.clearProblem();
    setAttempts(0);
  }

  return {
    attempts,
    busy: action.busy,
    canSave: changedSections.length > 0,
    isDirty: draft.isDirty(groups),
    /** Whether another user has saved one of the edited groups, and the page has already loaded that change. */
    hasNewerVersion: draft.hasNewerVersion(groups),
    /** Error messages by the path of their field. */
    problems: (attempts === 0 ? {} : { ...action.fields, ...clientProblems }) as Record<string, string>,
    /** Whether these groups have validation errors. */
    hasErrors: (checkedGroups: readonly EditedGroup[]) =>
      Object.keys(checkSettings(pick(draft, checkedGroups))).length > 0,
    /** Why the last attempt saved nothing. */
    failure: attempts > 0 ? action.problem : null,
    register,
    save: () => save(),
    discard: () => discardEdits(groups),
    /** Discards edits of groups that another user has saved, and keeps the others. */
    discardOutdated(current?: AdminSettings) {
      discardEdits(current ? groups.filter((group) => isNewer(draft, group, current)) : groups, current);
    },
    /** Saves over another user's newer changes. */
    saveOverNewer(current?: AdminSettings) {
      const revisions = current?.revisions ?? draft.saved.revisions;
      draft.adoptRevisions(groups, revisions);
      void save(Object.fromEntries(groups.map((group) => [group, revisions[group]])));
    },
  };
}

function isNewer(draft: SettingsDraft, group: EditedGroup, current: AdminSettings): boolean {
  return draft.revisionsFor([group])[group] !== current.revisions[group];
}

function pick(draft: SettingsDraft, groups: readonly EditedGroup[]): Partial<AllSettings> {
  return Object.fromEntries(groups.map((group) => [group, draft.values[group]]));
}

/** The server's validation, run here, with the same field paths. */
function checkSettings(groups: Partial<AllSettings>): Record<string, string> {
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

/** Focuses a field, and opens the collapsed row it may be in. */
function focusField(id: string): void {
  const element = document.getElementById(id);
  element?.closest("details")?.setAttribute("open", "");
  element?.focus();
}

/** Why saving failed: validation errors, or a conflict with another user's change. */
function SettingsProblems({ ref, form }: { ref: Ref<HTMLDivElement>; form: Form }) {
  const { problems, failure, hasNewerVersion } = form;
  /** The settings in the server's last response; undefined if the page has already loaded the other user's change. */
  const current = failure?.current as AdminSettings | undefined;
  const bannerProps = { ref, tabIndex: -1 };
  const links = Object.entries(problems).map(([controlId, problem]) => ({ controlId, problem }));
  if (links.length > 0) {
    return (
      <Banner {...bannerProps} title="Nothing was saved. Please check:">
        <FieldLinks links={links} onFollow={focusField} />
      </Banner>
    );
  }
  if (failure === null && !hasNewerVersion) return null;
  if (failure !== null && failure.error !== "invalid_state") {
    return (
      <Banner {...bannerProps} title="Nothing was saved.">
        {failure.message} What you typed is still here.
      </Banner>
    );
  }
  return (
    <Banner {...bannerProps} tone="warning" role="alert" title="Changed in the meantime.">
      {failure?.message ?? "Somebody has saved these settings while you were changing them."}
      <div className="mt-2.5 flex flex-wrap gap-2.5">
        <PanelButton onClick={() => form.discardOutdated(current)}>Show what is saved now</PanelButton>
        <PanelButton onClick={() => form.saveOverNewer(current)}>Save mine instead</PanelButton>
      </div>
    </Banner>
  );
}
