import { NumberField } from "./number-field.tsx";
import { SettingsSection } from "./settings-section.tsx";
import type { SettingsDraft } from "./use-settings-draft.ts";

/** From when on the owner is told that stock runs low. */
export function StockWarningSection({ draft }: { draft: SettingsDraft }) {
  const { lowStockAt } = draft.values;
  return (
    <SettingsSection
      id="stock"
      title="Stock warning"
      groups={["lowStockAt"]}
      draft={draft}
      audience="owner"
      preview={() => (
        <p>
          {lowStockAt === 0
            ? "You are not warned before a product is sold out."
            : `You are told, once, when ${lowStockAt === 1 ? "a single unit is" : `${lowStockAt} units or fewer are`} free to sell.`}
        </p>
      )}
    >
      {(at) => (
        <NumberField
          {...at("lowStockAt")}
          label="Warn at"
          unit="units free to sell"
          hint="0: never. Whether by email is set under Notification Settings."
          value={lowStockAt}
          onChange={(units) => draft.set("lowStockAt", units)}
        />
      )}
    </SettingsSection>
  );
}
