import { givingSentence } from "../../../../domain/settings/facts.ts";
import { NumberField } from "./number-field.tsx";
import { SettingsSection } from "./settings-section.tsx";
import type { SettingsDraft } from "./use-settings-draft.ts";

/** The share of proceeds that is given away. */
export function GivingSection({ draft }: { draft: SettingsDraft }) {
  const { givingPercent } = draft.values;
  return (
    <SettingsSection
      id="giving"
      title="Giving"
      intro="An order keeps the share that held when it was placed: what was promised to its buyer is not changed later."
      groups={["givingPercent"]}
      draft={draft}
      preview={() => <p>{givingSentence(givingPercent) ?? "Nothing is said about giving."}</p>}
    >
      {(at) => (
        <NumberField
          {...at("givingPercent")}
          label="Giving share"
          unit="% of proceeds"
          decimals={2}
          value={givingPercent}
          onChange={(percent) => draft.set("givingPercent", percent)}
        />
      )}
    </SettingsSection>
  );
}
