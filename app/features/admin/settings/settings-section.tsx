import { Children, type ReactNode } from "react";
import { settingsGroupNames } from "../../../../domain/settings/settings.ts";
import { defaultSettings } from "../../../../domain/settings/settings-schema.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { type FieldOf, formFields, isSame } from "../../../ui/use-form.ts";
import { PanelButton } from "../kit/action-button.tsx";
import { useFormSection, useSettings } from "./settings-form.tsx";
import { isPageTitle, type SectionId, sectionTitle } from "./settings-pages.ts";
import type { EditedGroup, SettingsValues } from "./use-settings-draft.ts";

/** `field("contact.email")` returns the props of a settings control. */
export type SettingsField = FieldOf<SettingsValues>;

/**
 * Groups of settings under one heading, with a preview of the text for shoppers. `preview` is called only with valid
 * values; its texts become paragraphs.
 */
export function SettingsSection({
  id,
  intro,
  groups,
  preview,
  audience = "shoppers",
  children,
}: {
  id: SectionId;
  intro?: ReactNode;
  groups: readonly EditedGroup[];
  preview: () => ReactNode;
  /** Whether the preview shows a text for shoppers or explains the effect. */
  audience?: "shoppers" | "owner";
  children: (field: SettingsField) => ReactNode;
}) {
  const draft = useSettings();
  const title = sectionTitle(id);
  const { busy, hasErrors, problems } = useFormSection(title, groups);
  const unreadable = draft.unreadable(groups);
  const isDefault = groups.every((group) => isSame(draft.values[group], defaultSettings[group]));

  return (
    <Card className="scroll-mt-4 p-[clamp(1.25rem,1rem+1vw,1.75rem)]" id={id}>
      <section aria-labelledby={`${id}-title`} className="stack gap-5">
        <div className={isPageTitle(title) && !intro ? "sr-only" : "grid gap-1.5"}>
          <div className={isPageTitle(title) ? "sr-only" : "flex flex-wrap items-center gap-x-3 gap-y-1"}>
            <h2 id={`${id}-title`} className="card-title">
              {title}
            </h2>
            {isDefault && !isPageTitle(title) && unreadable.length === 0 && (
              <Badge tone="cream">Default</Badge>
            )}
          </div>
          {intro && <p className="max-w-160 text-small text-ink-muted">{intro}</p>}
        </div>
        {unreadable.length > 0 && (
          <Banner
            tone="warning"
            title={`The saved ${unreadable.map((group) => settingsGroupNames[group].toLowerCase()).join(", ")} can’t be read, so the default applies.`}
          >
            Check it and save.
          </Banner>
        )}
        {children(formFields(draft.values, problems, draft.change))}
        <div className="rounded-sm bg-cream-soft px-4 py-3.5 text-ui" aria-live="polite">
          <p className="mb-1 text-caption font-semibold text-ink-muted">
            {audience === "shoppers" ? "In the shop" : "What this means"}
          </p>
          {hasErrors(groups) ? (
            <p className="text-ink-muted">Shown once all fields above are filled in correctly.</p>
          ) : (
            <div className="grid gap-1">
              {Children.map(preview(), (line) => (typeof line === "string" ? <p>{line}</p> : line))}
            </div>
          )}
        </div>
        {!isDefault && (
          <PanelButton
            variant="quiet"
            className="-my-2 -ml-3 justify-self-start"
            disabled={busy}
            onClick={() => {
              for (const group of groups) draft.set(group, defaultSettings[group]);
            }}
          >
            Back to default
          </PanelButton>
        )}
      </section>
    </Card>
  );
}
