import type { ShippingOption, ShippingPolicy } from "../../../../../domain/shipping/shipping-policy.ts";

/** A zone that its owner has yet to fill in. */
export function newZone(): ShippingPolicy["zones"][number] {
  return { id: newId("zone"), countries: [], options: [newOption()] };
}

export function newOption(): ShippingOption {
  return { id: newId("option"), name: "", price: 0, freeFrom: null, days: [3, 5] };
}

/** Never one that another option had before: orders and open checkouts remember theirs. */
function newId(kind: string): string {
  return `${kind}-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36)}`;
}
