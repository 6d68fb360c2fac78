import { formatCents } from "../../../../domain/shared/money.ts";
import {
  deliveryDays,
  type ShippingOption,
  shippingPriceCents,
} from "../../../../domain/shipping/shipping-policy.ts";
import type { CartTotals } from "../../cart/cart-totals.ts";

/** The shipping options of the chosen country with their costs for this cart. */
export function ShippingOptions({
  priced: { options, option: chosen, totals, discount },
  arrivals,
  isPriced,
  onChoose,
  error,
}: {
  priced: CartTotals;
  /** Option's id -> "Arrives Nov 27 - Dec 2" */
  arrivals: Record<string, string>;
  /** Whether the cart is known, and with it whether an option is free. */
  isPriced: boolean;
  onChoose: (id: string) => void;
  error?: string | undefined;
}) {
  return (
    <fieldset
      id="shippingOption"
      tabIndex={-1}
      className="min-w-0"
      aria-describedby={error && "shipping-error"}
    >
      <legend className="mb-4.5 type-display text-h3">Shipping Method</legend>
      {options.length === 0 && <p className="text-ink-muted">We don’t ship to this country yet.</p>}
      <div className="grid gap-2">
        {options.map((option) => {
          const isFree = discount?.kind === "free_shipping";
          const cost = isFree ? 0 : shippingPriceCents(option, totals.subtotal);
          return (
            <label
              key={option.id}
              className="grid min-h-14 cursor-pointer grid-cols-[auto_1fr_auto] items-center gap-3 rounded-sm border border-line-strong bg-surface px-3.5 py-2 text-ui has-checked:border-forest-800 has-checked:bg-cream-soft has-checked:inset-ring has-checked:inset-ring-forest-800"
            >
              <input
                type="radio"
                name="shippingOption"
                value={option.id}
                checked={option.id === chosen?.id}
                onChange={() => onChoose(option.id)}
                className="size-5 accent-forest-800"
              />
              <span>
                <span className="font-medium">{option.name}</span>
                <span className="block text-small text-ink-muted">
                  {[deliveryDays(option), arrivals[option.id]].filter(Boolean).join(" · ")}
                </span>
              </span>
              <span className="tabular-nums">
                {isPriced ? (
                  cost === 0 ? (
                    "Free"
                  ) : (
                    formatCents(cost)
                  )
                ) : (
                  <noscript>{priceText(option)}</noscript>
                )}
              </span>
            </label>
          );
        })}
      </div>
      {error && (
        <p id="shipping-error" className="mt-1.5 text-caption font-medium text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function priceText({ price, freeFrom }: ShippingOption): string {
  return freeFrom === null ? formatCents(price) : `${formatCents(price)}, free over ${formatCents(freeFrom)}`;
}
