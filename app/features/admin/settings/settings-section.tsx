import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { settingsGroupNames } from "../../../../domain/settings/settings.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { SettingsProblems } from "./settings-problems.tsx";
import type { EditedGroup, SettingsDraft } from "./use-settings-draft.ts";
import { useSettingsSection } from "./use-settings-section.ts";

/** What a field is given for its path in the settings: its name, and the sentence that is wrong with it. */
export type FieldAt = (path: string) => { name: string; error: string | undefined };

/**
 * Some groups of the settings that are saved together: fields, what shoppers will read, Save. `preview` is made only of
 * values that could be saved.
 */
export function SettingsSection({
  id,
  title,
  intro,
  groups,
  draft,
  preview,
  audience = "shoppers",
  children,
}: {
  id: string;
  title: string;
  intro?: ReactNode;
  groups: readonly EditedGroup[];
  draft: SettingsDraft;
  preview: () => ReactNode;
  /** Whom the preview is for. */
  audience?: "shoppers" | "owner";
  children: (at: FieldAt) => ReactNode;
}) {
  const section = useSettingsSection({ title, groups, draft });
  const { attempts, busy, failed, isDirty, isDefault, isWrong, problems, unreadable } = section;
  const canSave = isDirty || unreadable.length > 0;
  const summary = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is a new message, even in the same words
  useEffect(() => summary.current?.focus(), [attempts, failed]);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (canSave && !busy) void section.save();
  }

  return (
    <Card className="scroll-mt-4 p-[clamp(1.25rem,1rem+1vw,1.75rem)]" id={id}>
      <form onSubmit={submit} noValidate aria-labelledby={`${id}-title`} className="grid gap-5">
        <div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 id={`${id}-title`} className="text-h3">
              {title}
            </h2>
            {isDefault && <Badge tone="cream">Default</Badge>}
          </div>
          {intro && <p className="mt-1.5 max-w-160 text-small text-pretty text-ink-muted">{intro}</p>}
        </div>
        {unreadable.length > 0 && (
          <Banner tone="warning" title="What was saved here cannot be read.">
            The default of {unreadable.map((group) => settingsGroupNames[group].toLowerCase()).join(", ")}{" "}
            holds instead. Please check it and save.
          </Banner>
        )}
        <SettingsProblems
          ref={summary}
          problems={problems}
          failed={failed}
          onOverrule={section.overrule}
          onGiveWay={section.forget}
        />
        {children((path) => ({ name: path, error: problems[path] }))}
        <div className="rounded-sm bg-cream-soft px-4 py-3.5 text-ui" aria-live="polite">
          <p className="mb-1 text-caption font-semibold text-ink-muted">
            {audience === "shoppers" ? "What shoppers read" : "What this means"}
          </p>
          {isWrong ? (
            <p className="text-ink-muted">Shown once all fields above are filled in correctly.</p>
          ) : (
            preview()
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2.5">
          <Button type="submit" size="small" busy={busy} busyText="Saving..." disabled={!canSave}>
            Save {title.toLowerCase()}
          </Button>
          {isDirty && (
            <Button variant="quiet" size="small" disabled={busy} onClick={() => section.forget()}>
              Discard
            </Button>
          )}
          {!isDefault && (
            <Button
              variant="quiet"
              size="small"
              className="ml-auto"
              disabled={busy}
              onClick={section.fillInDefault}
            >
              Back to default
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}
