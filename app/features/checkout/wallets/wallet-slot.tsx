import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import type { WalletPlace } from "../../../../domain/settings/settings.ts";
import type { WalletsProps } from "./wallets.tsx";

const cards = (
  <p className="self-center text-center text-caption text-ink-muted">
    Visa, Mastercard, American Express and more
  </p>
);

/**
 * The place of the wallets' buttons, always as high as they are: `children` stand there until a wallet is known to be
 * usable, and for good where none is. Nothing is loaded before the shopper does something, or at checkout and in the cart
 * before the page is at rest.
 */
export function WalletSlot({
  place,
  items,
  children = cards,
}: {
  place: WalletPlace;
  items: WalletsProps["items"];
  children?: ReactNode;
}) {
  const [Wallets, setWallets] = useState<ComponentType<WalletsProps> | null>(null);
  useEffect(() => {
    let isLeft = false;
    const signs = ["pointermove", "pointerdown", "keydown", "focusin"];
    const load = () => {
      stop();
      import("./load-wallets.ts")
        .then(({ loadWallets }) => loadWallets())
        .then(
          (module) => isLeft || setWallets(() => module.Wallets),
          // Cards can be paid with all the same.
          () => {},
        );
    };
    const stop = () => {
      for (const sign of signs) removeEventListener(sign, load);
    };
    if (place === "product") for (const sign of signs) addEventListener(sign, load, { passive: true });
    else load();
    return () => {
      isLeft = true;
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
