import { formatCents } from "../../../domain/money.ts";
import type { ShopSettings } from "../../../domain/settings.ts";
import { deliveryDays, homeCountry, shippingOptionsFor } from "../../../domain/shipping-policy.ts";
import { Disclosure } from "./disclosure.tsx";

type Terms = Pick<ShopSettings, "shipping" | "returns">;

/** Shipping and returns in the words of the policy that checkout charges by. */
export function ShippingDetails({ shipping, returns }: Terms) {
  const elsewhere = shipping.zones.find(({ countries }) => countries === "*");
  const rows = [
    ...shippingOptionsFor(shipping, homeCountry).map((option) => ({ option, place: "US " })),
    ...(elsewhere?.options ?? []).map((option) => ({ option, place: "" })),
  ];
  return (
    <Disclosure title="Shipping & returns">
      <p>Shipped within 1-2 business days. Delivery after that:</p>
      <ul className="grid gap-1">
        {rows.map(({ option, place }) => (
          <li key={option.id}>
            {place}
            {option.name}: {deliveryDays(option)}, {formatCents(option.price)}
            {option.freeFrom !== null && `, free from ${formatCents(option.freeFrom)}`}
          </li>
        ))}
      </ul>
      <p>
        Returns within {returns.days} days when the bottle is at least {returns.minimumRemainingPercent}% full
        and in its original packaging.
      </p>
    </Disclosure>
  );
}
