import { confirmationMinutes } from "../../../../domain/people/roles.ts";
import { type WalletPlace, walletPlaces } from "../../../../domain/settings/settings.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { MoneyField } from "../kit/money-field.tsx";
import { Switch } from "../kit/switch.tsx";
import { useSettings } from "./settings-form.tsx";
import { SettingsSection } from "./settings-section.tsx";

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
          label="Confirm again above"
          optional
          hint="Per person, across all their devices. Empty: never."
        />
      )}
    </SettingsSection>
  );
}
