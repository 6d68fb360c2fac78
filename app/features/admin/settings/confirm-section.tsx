import { confirmedMinutes } from "../../../../domain/people/roles.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { MoneyField } from "../kit/money-field.tsx";
import { SettingsSection } from "./settings-section.tsx";
import type { SettingsDraft } from "./use-settings-draft.ts";

/** The total that a user may refund or give away before the panel asks for passkey or code again. */
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
            ? "Any sum is given back without asking again who it is."
            : `Whoever has given away more than ${formatCents(confirmAboveCents)} since the panel last asked is asked again, for a passkey or the access code. What counts together: refunds, cancelled orders, items taken out of orders, accepted disputes, and what drafts take off. After an answer nothing is asked for ${confirmedMinutes} minutes.`}
        </p>
      )}
    >
      {(field) => (
        <MoneyField
          {...field("confirmAboveCents")}
          label="Ask again above"
          optional
          hint="Of one person, over all their browsers. Empty: never."
        />
      )}
    </SettingsSection>
  );
}
