import { confirmedMinutes } from "../../../../domain/people/roles.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { MoneyField } from "../kit/money-field.tsx";
import { SettingsSection } from "./settings-section.tsx";
import type { SettingsDraft } from "./use-settings-draft.ts";

/** From which sum on a refund asks once more who it is. */
export function ConfirmSection({ draft }: { draft: SettingsDraft }) {
  const { confirmAboveCents } = draft.values;
  return (
    <SettingsSection
      id="confirm"
      title="Large refunds"
      intro="A phone that was left open gives no money away."
      groups={["confirmAboveCents"]}
      draft={draft}
      audience="owner"
      preview={() => (
        <p>
          {confirmAboveCents === null
            ? "Refunds of any size leave without asking again who it is."
            : `Whoever gives back more than ${formatCents(confirmAboveCents)} is asked for the passkey (or the access code) again, at most every ${confirmedMinutes} minutes.`}
        </p>
      )}
    >
      {(at) => (
        <MoneyField
          {...at("confirmAboveCents")}
          label="Ask again above"
          optional
          hint="Also before an order is cancelled that was paid. Empty: never."
          value={confirmAboveCents}
          onChange={(cents) => draft.set("confirmAboveCents", cents)}
        />
      )}
    </SettingsSection>
  );
}
