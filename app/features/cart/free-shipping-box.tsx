import CircleCheck from "lucide-react/icons/circle-check";
import type { ReactNode } from "react";
import type { Totals } from "../../../domain/checkout/totals.ts";
import { freeShippingProgress, type ShippingPolicy } from "../../../domain/shipping/shipping-policy.ts";
import { Icon } from "../../ui/icon.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import { maxLineQuantity } from "./cart-line.tsx";
import { useCart } from "./cart-store.ts";

/** How much more the cart needs for free shipping, with a button to add it; renders nothing if shipping is never free. */
export function FreeShippingBox({
  policy,
  country,
  totals: { subtotal, shipping },
  addButton,
}: {
  policy: ShippingPolicy;
  country: string;
  /** The cart's totals with the country's cheapest shipping option. */
  totals: Pick<Totals, "subtotal" | "shipping">;
  addButton?: ReactNode;
}) {
  const progress = freeShippingProgress(policy, subtotal, country, shipping === 0);
  if (!progress) return null;
  const { reached, fromCents, text } = progress;
  const percent = reached ? 100 : (subtotal / fromCents) * 100;
  return (
    <div className={`flex flex-wrap items-center justify-between gap-x-3 ${reached ? "text-success" : ""}`}>
      <p role="status" className="flex min-h-11 items-center gap-2 text-ui font-medium">
        {reached && <Icon glyph={CircleCheck} className="size-4.5" />}
        {text}
      </p>
      {!reached && addButton}
      <div
        aria-hidden="true"
        className={`h-[3px] basis-full overflow-hidden ${reached ? "bg-success-line" : "bg-sand"}`}
      >
        <div
          className={`h-full transition-[width] duration-(--dur-4) ease-out ${reached ? "bg-success" : "bg-copper-600"}`}
          style={{ width: `${percent}%` }}
        />
      </div>
    </div>
  );
}

/** Adds one unit of the first line. */
export function AddOneMore() {
  const { items, setQuantity } = useCart();
  const [first] = items;
  if (!first || first.quantity === maxLineQuantity(first)) return null;
  const { product, quantity } = first;
  return (
    <TextButton
      className="order-last -mx-2.5 px-2.5 -outline-offset-6"
      onClick={() => setQuantity(product.id, quantity + 1)}
    >
      {items.length === 1 ? "Add one more bottle" : `Add one more ${product.name}`}
    </TextButton>
  );
}
