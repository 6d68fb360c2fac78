import { readStoredJson, storeJson } from "../browser-storage.ts";
import { type CartItem, parseCart, serializeCart } from "../cart/cart-storage.ts";
import { type AddressForm, parseAddressForm } from "./address/address-form.ts";

const key = "checkout-order";

/** What this tab keeps of the order that waits for its payment: no secret of the payment, the server hands that out anew. */
export type KeptOrder = {
  paymentIntentId: string;
  items: readonly CartItem[];
  form: AddressForm;
  optionName: string;
  discountCode: string | null;
};

/** Null: there is none any more. */
export function keepOrder(order: KeptOrder | null): void {
  if (!order) return void storeJson("session", key, null);
  const { paymentIntentId, items, form, optionName, discountCode } = order;
  storeJson("session", key, {
    ...{ paymentIntentId, optionName, discountCode },
    items: serializeCart(items),
    form: JSON.stringify(form),
  });
}

export function readKeptOrder(): KeptOrder | null {
  const kept = readStoredJson("session", key);
  if (typeof kept !== "object" || kept === null) return null;
  const entries = new Map<string, unknown>(Object.entries(kept));
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
