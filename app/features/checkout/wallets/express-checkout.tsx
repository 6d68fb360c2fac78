import Lock from "lucide-react/icons/lock";
import { Icon } from "../../../ui/icon.tsx";
import type { WalletGoods } from "./wallet-purchase.ts";
import { WalletSlot } from "./wallet-slot.tsx";

/** Wallets above the form that they spare the shopper. */
export function ExpressCheckout({ items }: { items: WalletGoods["items"] }) {
  return (
    <section aria-label="Express checkout" className="group mb-7 grid gap-5">
      <WalletSlot place="checkout" items={items}>
        <p className="flex items-center justify-center gap-2.5 rounded-sm bg-cream-soft px-4 text-small text-ink-muted">
          <Icon glyph={Lock} size="small" className="text-gold-600" />
          Secure checkout. Nothing is charged yet.
        </p>
      </WalletSlot>
      <p className="flex h-6 items-center text-small text-ink-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        <span className="hidden px-4 group-has-data-[wallets=ready]:block">or pay by card</span>
      </p>
    </section>
  );
}
