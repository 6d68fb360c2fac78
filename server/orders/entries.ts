import { erasedAddressLine, erasedEmail, erasedShipping, erasedText } from "../../domain/privacy/erasure.ts";
import type { OrderRow } from "./lifecycle.ts";

/** The buyer’s entries at checkout, in columns of the order. */
export type OrderEntries = Pick<
  OrderRow,
  "email" | "customerName" | "phone" | "shippingAddress" | "shipping" | "gift"
>;

/** The entries in an order's answer. */
export function shownEntries(order: OrderEntries): OrderEntries {
  const { email, customerName, phone, shippingAddress, shipping, gift } = order;
  return { email, customerName, phone, shippingAddress, shipping, gift };
}

/** The entries without personal data; country and state stay, as tax law requires them. */
export function erasedEntries({ id, shipping, gift }: OrderEntries & { id: string }): OrderEntries {
  return {
    email: erasedEmail(id),
    customerName: erasedText,
    phone: null,
    shippingAddress: erasedAddressLine(shipping),
    shipping: shipping && erasedShipping(shipping),
    gift: gift && { from: null, note: null },
  };
}
