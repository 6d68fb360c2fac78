import { maxQuantity } from "../../../../domain/cart/cart-limits.ts";
import type { Draft } from "../../../../domain/drafts/draft.ts";
import type { AdminOrder } from "../../../../domain/orders/admin-order.ts";
import type { ShopSettings } from "../../../../domain/settings/settings.ts";
import { homeCountry, shippingOptionsFor } from "../../../../domain/shipping/shipping-policy.ts";

export type DraftProduct = { id: number; name: string; price: number };

/** Initial contents of the form, from a saved draft or from the order that a new draft repeats. */
export type DraftContents = Pick<
  Draft,
  | "email"
  | "customerName"
  | "phone"
  | "shipping"
  | "shippingOption"
  | "shippingCents"
  | "items"
  | "discountCode"
  | "discountCents"
  | "note"
>;

const emptyAddress = { line1: "", line2: "", city: "", state: "", postalCode: "", country: homeCountry };

export function initialValues(draft: DraftContents | null, products: readonly DraftProduct[]) {
  const [firstProduct] = products;
  return {
    email: draft?.email ?? "",
    customerName: draft?.customerName ?? "",
    phone: draft?.phone ?? "",
    shipping: draft ? addressFields(draft.shipping) : emptyAddress,
    shippingOption: draft?.shippingOption ?? "",
    shippingCents: draft?.shippingCents ?? null,
    items: draft?.items ?? (firstProduct ? [newItem(firstProduct.id)] : []),
    discountCode: draft?.discountCode ?? "",
    discountCents: draft?.discountCents || null,
    note: draft?.note ?? "",
  };
}

export function addressFields({ line2, ...address }: Draft["shipping"]) {
  return { ...address, line2: line2 ?? "" };
}

export function newItem(productId: number): Draft["items"][number] {
  return { productId, quantity: 1, price: null };
}

/** A draft that repeats an order; products that are no longer sold are left out. */
export function draftContents(
  order: AdminOrder,
  products: readonly { id: number }[],
  policy: ShopSettings["shipping"],
): DraftContents {
  const units = new Map<number, number>();
  for (const { productId, quantity } of order.items) {
    if (!products.some(({ id }) => id === productId)) continue;
    units.set(productId, Math.min(maxQuantity, (units.get(productId) ?? 0) + quantity));
  }
  const country = order.shipping?.country ?? homeCountry;
  const isOffered = shippingOptionsFor(policy, country).some(({ id }) => id === order.shippingOption.id);
  return {
    email: order.email ?? "",
    customerName: order.customerName ?? "",
    phone: order.phone,
    shipping: order.shipping ?? { line1: "", line2: null, city: "", state: "", postalCode: "", country },
    shippingOption: isOffered ? order.shippingOption.id : null,
    shippingCents: null,
    items: [...units].map(([productId, quantity]) => ({ productId, quantity, price: null })),
    discountCode: null,
    discountCents: 0,
    note: null,
  };
}

type FormValues = ReturnType<typeof initialValues>;

/** The fields of a draft that its price depends on, in the API's format. */
export function pricedFields({
  items,
  shippingOption,
  shippingCents,
  discountCode,
  discountCents,
}: FormValues) {
  return {
    items,
    shippingOption: shippingOption || null,
    shippingCents,
    discountCode: discountCode || null,
    discountCents: discountCents ?? 0,
  };
}

export function previewRequest(values: FormValues, id: string | null) {
  const { country, state } = values.shipping;
  return { ...pricedFields(values), id, shipping: { country, state } };
}
