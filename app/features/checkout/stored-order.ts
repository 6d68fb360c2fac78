import { readStoredJson, storeJson } from "../browser-storage.ts";
import { type CartItem, parseCart, serializeCart } from "../cart/cart-storage.ts";
import { type AddressForm, parseAddressForm } from "./address/address-form.ts";

const key = "checkout-order";

/** The unpaid order of this tab, without the payment's secret, which the server issues again. */
export type StoredOrder = {
  paymentIntentId: string;
  items: readonly CartItem[];
  form: AddressForm;
  optionName: string;
  discountCode: string | null;
};

/** Stores the order, or deletes it (null). */
export function storeOrder(order: StoredOrder | null): void {
  if (!order) return void storeJson("session", key, null);
  const { paymentIntentId, items, form, optionName, discountCode } = order;
  storeJson("session", key, {
    paymentIntentId,
    optionName,
    discountCode,
    items: serializeCart(items),
    form: JSON.stringify(form),
  });
}

export function readStoredOrder(): StoredOrder | null {
  const stored = readStoredJson("session", key);
  if (typeof stored !== "object" || stored === null) return null;
  const entries = new Map<string, unknown>(Object.entries(stored));
  const text = (name: string) => {
    const value = entries.get(name);
    return typeof value === "string" ? value : "";
  };
  if (text("paymentIntentId") === "") return null;
  return {
    paymentIntentId: text("paymentIntentId"),
    items: parseCart(text("items")).items,
    form: parseAddressForm(text("form")),
    optionName: text("optionName"),
    discountCode: text("discountCode") || null,
  };
}
