import { type WalletPlace, walletPlaces } from "../../../../domain/settings/settings.ts";
import { Switch } from "../kit/switch.tsx";
import { SettingsSection } from "./settings-section.tsx";
import type { SettingsDraft } from "./use-settings-draft.ts";

const places: Record<WalletPlace, { label: string; where: string }> = {
  product: { label: "Product pages", where: "product pages" },
  cart: { label: "Cart", where: "the cart" },
  checkout: { label: "Checkout", where: "checkout" },
};

/** Where Apple Pay, Google Pay, Link and PayPal are offered. Which of them there are is set at Stripe. */
export function WalletsSection({ draft }: { draft: SettingsDraft }) {
  const { wallets } = draft.values;
  const shown = walletPlaces.filter((place) => wallets[place]).map((place) => places[place].where);
  return (
    <SettingsSection
      id="wallets"
      title="Wallets"
      intro="Apple Pay, Google Pay, Link and PayPal: the ones that are switched on in your Stripe account, and that the shopper’s device has. Elsewhere nothing is shown."
      groups={["wallets"]}
      draft={draft}
      preview={() => (
        <p>
          {shown.length === 0
            ? "No wallet buttons. Shoppers pay by card at checkout."
            : `Wallet buttons on ${new Intl.ListFormat("en").format(shown)}.`}
        </p>
      )}
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
