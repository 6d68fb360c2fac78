import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { AdminSettings } from "../../../../domain/settings.ts";
import { defaultSettings } from "../../../../domain/settings-schema.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { FieldLinks } from "../../../ui/field-links.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { checkSettings } from "./check-settings.ts";
import type { EditedGroup, SettingsDraft } from "./use-settings-draft.ts";

/** The sentence that is wrong with a field, by its path in the settings. */
export type ErrorOf = (path: string) => string | undefined;

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
  children: (errorOf: ErrorOf) => ReactNode;
}) {
  const action = useAdminAction<{ data: AdminSettings }>({ failure: null });
  const [attempts, setAttempts] = useState(0);
  const summary = useRef<HTMLDivElement>(null);
  const values = Object.fromEntries(groups.map((group) => [group, draft.values[group]]));
  const wrong = checkSettings(values);
  const problems = attempts === 0 ? {} : { ...action.fields, ...wrong };
  const isDirty = draft.isDirty(groups);
  const isDefault = groups.every(
    (group) => JSON.stringify(draft.values[group]) === JSON.stringify(defaultSettings[group]),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is a new message, even in the same words
  useEffect(() => summary.current?.focus(), [attempts, action.problem]);

  async function save(revisions = draft.revisionsOf(groups)) {
    setAttempts(attempts + 1);
    if (Object.keys(wrong).length > 0) return;
    const answer = await action.run("PATCH", "/api/admin/settings", {
      body: { ...values, revisions },
      success: { title: `${title} saved`, description: "It holds from now on, on every page." },
    });
    if (answer.ok) forget(answer.body.data);
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (isDirty && !action.busy) void save();
  }
  function forget(saved?: AdminSettings) {
    draft.discard(groups, saved);
    setAttempts(0);
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
        <Problems
          ref={summary}
          problems={problems}
          failed={attempts > 0 ? action.problem : null}
          onOverrule={(current) => {
            draft.overrule(groups, current.revisions);
            void save(current.revisions);
          }}
          onGiveWay={(current) => forget(current)}
        />
        {children((path) => problems[path])}
        <div className="rounded-sm bg-cream-soft px-4 py-3.5 text-ui" aria-live="polite">
          <p className="mb-1 text-caption font-semibold text-ink-muted">
            {audience === "shoppers" ? "What shoppers read" : "What this means"}
          </p>
          {Object.keys(wrong).length > 0 ? (
            <p className="text-ink-muted">Shown once all fields above are filled in rightly.</p>
          ) : (
            preview()
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2.5">
          <Button type="submit" size="small" busy={action.busy} busyText="Saving..." disabled={!isDirty}>
            Save {title.toLowerCase()}
          </Button>
          {isDirty && (
            <Button variant="quiet" size="small" disabled={action.busy} onClick={() => forget()}>
              Discard
            </Button>
          )}
          {!isDefault && (
            <Button
              variant="quiet"
              size="small"
              className="ml-auto"
              disabled={action.busy}
              onClick={() => {
                for (const group of groups) draft.set(group, defaultSettings[group]);
              }}
            >
              Back to default
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}

type Failure = ReturnType<typeof useAdminAction>["problem"];

/** Why nothing was saved: what to correct, or that somebody else was faster. */
function Problems({
  ref,
  problems,
  failed,
  onOverrule,
  onGiveWay,
}: {
  ref: React.Ref<HTMLDivElement>;
  problems: Record<string, string>;
  failed: Failure;
  onOverrule: (current: AdminSettings) => void;
  onGiveWay: (current: AdminSettings) => void;
}) {
  const frame = { ref, tabIndex: -1 };
  const links = Object.entries(problems).map(([controlId, problem]) => ({ controlId, problem }));
  if (links.length > 0) {
    return (
      <Banner {...frame} title="Nothing was saved. Please check:">
        <FieldLinks links={links} />
      </Banner>
    );
  }
  if (failed === null) return null;
  if (failed.error !== "invalid_state") {
    return (
      <Banner {...frame} title="Nothing was saved.">
        {failed.message} What you typed is still here.
      </Banner>
    );
  }
  return (
    <Banner {...frame} tone="warning" role="alert" title="Changed meanwhile.">
      {failed.message}
      <div className="mt-2.5 flex flex-wrap gap-2.5">
        <Button variant="secondary" size="small" onClick={() => onGiveWay(failed.current as AdminSettings)}>
          Show what is saved now
        </Button>
        <Button variant="secondary" size="small" onClick={() => onOverrule(failed.current as AdminSettings)}>
          Save mine instead
        </Button>
      </div>
    </Banner>
  );
}
