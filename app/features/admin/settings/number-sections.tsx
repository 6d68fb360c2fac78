import { confirmationMinutes } from "../../../../domain/people/roles.ts";
import {
  givingSentence,
  guaranteeSentence,
  returnPostageSentence,
  returnsSentence,
} from "../../../../domain/settings/facts.ts";
import { type WalletPlace, walletPlaces } from "../../../../domain/settings/settings.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Select } from "../../../ui/field.tsx";
import { choiceOrNull } from "../../../ui/use-form.ts";
import { MoneyField } from "../kit/money-field.tsx";
import { Switch } from "../kit/switch.tsx";
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
            {...field("returnShipping", choiceOrNull)}
            label="Return postage"
            hint="Also shown to search engines and in the returns policy."
            className="sm:max-w-96 md:col-span-2"
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
          hint="Enter 0 for never. Choose under Notification Settings whether you are emailed."
        />
      )}
    </SettingsSection>
  );
}

/** Daily limit on the calls of the address service, which cost money. */
export function AddressSuggestionsSection() {
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
          hint="An address takes about ten requests. Enter 0 for no suggestions."
        />
      )}
    </SettingsSection>
  );
}

const places: Record<WalletPlace, { label: string; where: string }> = {
  product: { label: "Product pages", where: "product pages" },
  cart: { label: "Cart", where: "the cart" },
  checkout: { label: "Checkout", where: "checkout" },
};

/** The pages that offer Apple Pay, Google Pay, Link and PayPal, which are enabled in Stripe's dashboard. */
export function WalletsSection() {
  const { wallets } = useSettings().values;
  const walletPages = walletPlaces.filter((place) => wallets[place]).map((place) => places[place].where);
  return (
    <SettingsSection
      id="wallets"
      intro="Apple Pay, Google Pay, Link and PayPal: those that are enabled in your Stripe account and available on the shopper’s device. If there are none, nothing is shown."
      groups={["wallets"]}
      preview={() =>
        walletPages.length === 0
          ? "No wallet buttons. Shoppers pay by card at checkout."
          : `Wallet buttons on ${new Intl.ListFormat("en").format(walletPages)}.`
      }
    >
      {(field) => (
        <div className="grid gap-1">
          {walletPlaces.map((place) => (
            <Switch key={place} {...field(`wallets.${place}`)} label={places[place].label} />
          ))}
        </div>
      )}
    </SettingsSection>
  );
}

/** The total that a user may refund or give away before the panel asks for passkey or code again. */
export function ConfirmSection() {
  const { confirmAboveCents } = useSettings().values;
  return (
    <SettingsSection
      id="confirm"
      intro="Prevents large refunds from an unattended phone."
      groups={["confirmAboveCents"]}
      audience="owner"
      preview={() =>
        confirmAboveCents === null
          ? "Any amount can be refunded without another confirmation."
          : `A person who has given away more than ${formatCents(confirmAboveCents)} since the last confirmation must confirm again, with a passkey or the access code. The sum includes refunds, cancelled orders, items removed from orders, accepted disputes, and reduced prices in drafts. A confirmation is valid for ${confirmationMinutes} minutes.`
      }
    >
      {(field) => (
        <MoneyField
          {...field("confirmAboveCents")}
          label="Ask for confirmation above"
          optional
          className="[&_input]:max-w-40"
          hint="Per person, across all their devices. Leave empty to never ask."
        />
      )}
    </SettingsSection>
  );
}
