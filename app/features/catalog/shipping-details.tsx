import { dispatchTime, returnsSentence } from "../../../domain/settings/facts.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { Disclosure } from "../../ui/disclosure.tsx";
import type { DeliveryFact } from "../shipping/delivery-facts.ts";

type Terms = Pick<ShopSettings, "returns"> & { delivery: DeliveryFact[] };

/** Shipping and returns in the words of the policy that checkout charges by. */
export function ShippingDetails({ delivery, returns }: Terms) {
  return (
    <Disclosure title="Shipping & returns">
      <p>Shipped within {dispatchTime}. Delivery after that:</p>
      <ul className="grid gap-1">
        {delivery.map(({ id, name, place, days, price, freeFrom }) => (
          <li key={id}>
            {name} to {place}: {days}, {price}
            {freeFrom !== null && `, free from ${freeFrom}`}
          </li>
        ))}
      </ul>
      <p>{returnsSentence(returns)}</p>
    </Disclosure>
  );
}
