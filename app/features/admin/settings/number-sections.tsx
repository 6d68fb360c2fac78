import {
  givingSentence,
  guaranteeSentence,
  returnPostageSentence,
  returnsSentence,
} from "../../../../domain/settings/facts.ts";
import { Select } from "../../../ui/field.tsx";
import { orNull } from "../../../ui/use-form.ts";
import { NumberField } from "./number-field.tsx";
import { useSettings } from "./settings-form.tsx";
import { SettingsSection } from "./settings-section.tsx";

/** The return window, and how full a returned bottle must be. */
export function ReturnsSection() {
  const { returns, returnShipping } = useSettings().values;
  return (
    <SettingsSection
      id="returns"
      intro="On top of a buyer’s legal rights. With 0 days you promise nothing more, and buyers can’t request a return."
      groups={["returns", "returnShipping"]}
      preview={() => [
        returnsSentence(returns),
        guaranteeSentence(returns),
        returnPostageSentence({ returns, returnShipping }),
      ]}
    >
      {(field) => (
        <div className="grid items-start gap-4 md:grid-cols-2">
          <NumberField {...field("returns.days")} label="Returns window" unit="days from delivery" />
          <NumberField
            {...field("returns.minimumRemainingPercent")}
            label="Bottle must be at least"
            unit="% full"
          />
          <Select
            {...field("returnShipping", orNull)}
            label="Postage of a return"
            hint="Also shown to search engines and in the returns policy."
          >
            <option value="">Do not mention it</option>
            <option value="buyer">The buyer pays</option>
            <option value="shop">The shop pays</option>
          </Select>
        </div>
      )}
    </SettingsSection>
  );
}

/** The share of proceeds that is donated. */
export function GivingSection() {
  const { givingPercent } = useSettings().values;
  return (
    <SettingsSection
      id="giving"
      intro="An order keeps the share that applied when it was placed, so that the promise to its buyer doesn’t change later."
      groups={["givingPercent"]}
      preview={() => givingSentence(givingPercent) ?? "Donations are not mentioned."}
    >
      {(field) => (
        <NumberField {...field("givingPercent")} label="Donated share" unit="% of proceeds" decimals={2} />
      )}
    </SettingsSection>
  );
}

/** The stock level that triggers a low-stock alert to the owner. */
export function StockWarningSection() {
  const { lowStockAt } = useSettings().values;
  return (
    <SettingsSection
      id="stock"
      groups={["lowStockAt"]}
      audience="owner"
      preview={() =>
        lowStockAt === 0
          ? "You are not warned before a product sells out."
          : `You are notified once when ${lowStockAt === 1 ? "a single unit is" : `${lowStockAt} units or fewer are`} available.`
      }
    >
      {(field) => (
        <NumberField
          {...field("lowStockAt")}
          label="Warn at"
          unit="available units"
          hint="0: never. Choose under Notification Settings whether you are emailed."
        />
      )}
    </SettingsSection>
  );
}

/** Daily limit on the calls of the address service, which cost money. */
export function AddressQuestionsSection() {
  const { addressQuestionsPerDay } = useSettings().values;
  return (
    <SettingsSection
      id="suggestions"
      intro="If the shop has a key for Google Places or Loqate, checkout suggests addresses. These services charge for each request."
      groups={["addressQuestionsPerDay"]}
      audience="owner"
      preview={() =>
        addressQuestionsPerDay === 0
          ? "No addresses are suggested."
          : `After ${addressQuestionsPerDay.toLocaleString("en-US")} requests in a day, no more addresses are suggested until the next day. Checkout keeps working, and you are notified.`
      }
    >
      {(field) => (
        <NumberField
          {...field("addressQuestionsPerDay")}
          label="At most"
          unit="requests a day"
          hint="An address takes about ten requests. 0: no suggestions."
        />
      )}
    </SettingsSection>
  );
}
