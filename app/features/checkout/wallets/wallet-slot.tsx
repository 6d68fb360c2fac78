import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import type { WalletPlace } from "../../../../domain/settings/settings.ts";
import type { WalletsProps } from "./wallets.tsx";

export const cardBrands = "Visa, Mastercard, American Express and more";

/**
 * The wallets' buttons, in a frame of fixed height that shows `children` unless a wallet is usable. A product's page loads
 * the code at the shopper's first input, cart and checkout load it immediately.
 */
export function WalletSlot({
  place,
  items,
  // In the cart, a second line about paying follows.
  children = (
    <p className={`text-center text-caption text-ink-muted ${place === "cart" ? "self-end" : "self-center"}`}>
      {cardBrands}
    </p>
  ),
}: {
  place: WalletPlace;
  items: WalletsProps["items"];
  children?: ReactNode;
}) {
  const [Wallets, setWallets] = useState<ComponentType<WalletsProps> | null>(null);
  useEffect(() => {
    let isUnmounted = false;
    const inputEvents = ["pointermove", "pointerdown", "keydown", "focusin"];
    const load = () => {
      stop();
      import("./load-wallets.ts")
        .then(({ loadWallets }) => loadWallets())
        .then(
          (module) => isUnmounted || setWallets(() => module.Wallets),
          // Without wallets, the shopper can still pay by card.
          () => {},
        );
    };
    const stop = () => {
      for (const inputEvent of inputEvents) removeEventListener(inputEvent, load);
    };
    if (place === "product")
      for (const inputEvent of inputEvents) addEventListener(inputEvent, load, { passive: true });
    else load();
    return () => {
      isUnmounted = true;
      stop();
    };
  }, [place]);
  return (
    <div className="grid min-h-13">
      {Wallets ? (
        <Wallets place={place} items={items}>
          {children}
        </Wallets>
      ) : (
        children
      )}
    </div>
  );
}
