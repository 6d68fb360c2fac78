import { erasedAddressLine, erasedEmail, erasedShipping, erasedText } from "../../domain/privacy/erasure.ts";
import type { OrderRow } from "./lifecycle.ts";

/** The order's columns with what the buyer entered at checkout. */
export type OrderEntries = Pick<
  OrderRow,
  "email" | "customerName" | "phone" | "shippingAddress" | "shipping" | "gift"
>;

/** Only the entries of an order. */
export function orderEntries(order: OrderEntries): OrderEntries {
  const { email, customerName, phone, shippingAddress, shipping, gift } = order;
  return { email, customerName, phone, shippingAddress, shipping, gift };
}

/** The entries without personal data. Country and state are kept, because tax law requires them. */
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
