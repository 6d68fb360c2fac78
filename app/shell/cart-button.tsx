import ShoppingBag from "lucide-react/icons/shopping-bag";
import { useCart } from "../features/cart/cart-store.ts";
import { Announcement } from "../ui/announcement.tsx";
import { iconButtonClass } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { PageLink } from "../ui/page-link.tsx";

/** Link to the cart, with its number of units once the browser has read it. */
export function CartButton() {
  const { count, ready } = useCart();
  const label = `Cart, ${count} ${count === 1 ? "item" : "items"}`;
  return (
    <>
      <PageLink to="/cart" aria-label={label} className={iconButtonClass}>
        <Icon glyph={ShoppingBag} />
        {count > 0 && (
          <span
            key={count}
            aria-hidden="true"
            className="animate-pop absolute top-[3px] right-px h-[19px] min-w-[19px] rounded-full bg-danger px-[5px] text-center text-xs leading-[19px] font-semibold text-white tabular-nums ring-2 ring-paper"
          >
            {count}
          </span>
        )}
      </PageLink>
      <Announcement text={ready ? label : null} />
    </>
  );
}
