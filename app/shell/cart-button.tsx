import ShoppingBag from "lucide-react/icons/shopping-bag";
import { useEffect, useRef, useState } from "react";
import { useCart } from "../features/cart/cart-store.ts";
import { iconButtonClass } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { PageLink } from "../ui/page-link.tsx";

/** The way to the cart, with its count once the browser has read it; the server's HTML shows none. */
export function CartButton() {
  const { count, ready } = useCart();
  const label = `Cart, ${count} ${count === 1 ? "item" : "items"}`;
  return (
    <>
      <PageLink to="/cart" aria-label={label} className={iconButtonClass}>
        <Icon glyph={ShoppingBag} />
        {count > 0 && (
          <span
            aria-hidden="true"
            className="absolute top-[3px] right-px h-[19px] min-w-[19px] rounded-full bg-danger px-[5px] text-center text-xs leading-[19px] font-semibold text-white tabular-nums ring-2 ring-paper"
          >
            {count}
          </span>
        )}
      </PageLink>
      <span role="status" className="sr-only">
        {useChangeOf(ready ? label : null)}
      </span>
    </>
  );
}

/** The text once it differs from the first one known: a change is announced, the state at page load is not. */
function useChangeOf(text: string | null): string {
  const first = useRef<string | null>(null);
  const [changed, setChanged] = useState("");
  useEffect(() => {
    if (text === null) return;
    if (first.current === null) first.current = text;
    else if (first.current !== text || changed) setChanged(text);
  }, [text, changed]);
  return changed;
}
