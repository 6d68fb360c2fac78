import { guaranteeSentence, returnsSentence } from "../../../../domain/settings/facts.ts";
import { NumberField } from "./number-field.tsx";
import { SettingsSection } from "./settings-section.tsx";
import type { SettingsDraft } from "./use-settings-draft.ts";

/** Until when, and how full, a bottle is taken back. */
export function ReturnsSection({ draft }: { draft: SettingsDraft }) {
  const { returns } = draft.values;
  return (
    <SettingsSection
      id="returns"
      title="Returns"
      intro="Beyond what the law gives a buyer. With 0 days nothing more is promised, and buyers cannot ask for it."
      groups={["returns"]}
      draft={draft}
      preview={() => (
        <div className="grid gap-1">
          <p>{returnsSentence(returns)}</p>
          <p>{guaranteeSentence(returns)}</p>
        </div>
      )}
    >
      {(at) => (
        <div className="grid items-start gap-4 md:grid-cols-2">
          <NumberField
            {...at("returns.days")}
            label="Returns window"
            unit="days from delivery"
            value={returns.days}
            onChange={(days) => draft.set("returns", { ...returns, days })}
          />
          <NumberField
            {...at("returns.minimumRemainingPercent")}
            label="Bottle at least"
            unit="% full"
            value={returns.minimumRemainingPercent}
            onChange={(minimumRemainingPercent) =>
              draft.set("returns", { ...returns, minimumRemainingPercent })
            }
          />
        </div>
      )}
    </SettingsSection>
  );
}
