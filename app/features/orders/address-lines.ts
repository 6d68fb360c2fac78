import type { Order } from "../../../domain/orders/order.ts";
import { countryName } from "../../../domain/shared/country.ts";

/** An order's address as it is written on a parcel, the name first. */
export function addressLines({
  customerName,
  shipping,
  shippingAddress,
}: Pick<Order, "customerName" | "shipping" | "shippingAddress">): string[] {
  if (!shipping) return [customerName, shippingAddress];
  const { line1, line2, city, state, postalCode, country } = shipping;
  const place = [city, [state, postalCode].filter(Boolean).join(" ")].filter(Boolean).join(", ");
  return [customerName, line1, line2 ?? "", place, countryName(country) ?? country].filter(Boolean);
}
