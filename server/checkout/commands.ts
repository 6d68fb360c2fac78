import { quantityMax } from "../../domain/cart-limits.ts";
import type { CheckoutRequest } from "../../domain/checkout.ts";
import { countryCode, countryName } from "../../domain/country.ts";
import { discountSentences } from "../../domain/discount-terms.ts";
import { orderTotalMaxCents } from "../../domain/money.ts";
import { joinAddress } from "../../domain/order.ts";
import { homeCountry } from "../../domain/shipping-policy.ts";
import type { Totals } from "../../domain/totals.ts";
import { findSellable } from "../catalog/queries.ts";
import type { UseResult } from "../discounts/uses.ts";
import { allowVisitor, createOrder, type NewOrder, type PlacedOrder } from "../orders/commands.ts";
import { giveUpOthers } from "../payments/close.ts";
import type { VisitorId } from "../platform/viewer.ts";
import type { CheckoutParts } from "./parts.ts";
import { type OpenedPayment, openPayment } from "./payment.ts";
import { type PricedQuote, quoteCart } from "./quote.ts";
import { findRepeat, hashRequest, ownKey } from "./repeat.ts";

export type CheckoutInput = {
  visitorId: VisitorId;
  /** Whether the caller came with its visitor cookie, or was given one just now. */
  isKnownVisitor: boolean;
  idempotencyKey: string | null;
  kind: "intent" | "session";
  request: CheckoutRequest;
};

export type CheckoutResult =
  | { ok: true; order: PlacedOrder; totals: Totals; payment: OpenedPayment }
  | { ok: false; reason: "price_changed"; total: number }
  | { ok: false; reason: "out_of_stock"; available: Record<string, number> }
  | { ok: false; reason: "invalid"; fields: Record<string, string>; isCodeUnknown?: boolean }
  | { ok: false; reason: "key_reused" | "order_closed" | "provider_unavailable" | "provider_refused" };

/**
 * Turns a cart into a pending order with its units reserved, and opens its payment at the provider. The server's own
 * prices decide; the caller's are only compared (decisions M4). A repeated request comes to the same order.
 */
export async function startCheckout(parts: CheckoutParts, input: CheckoutInput): Promise<CheckoutResult> {
  const repeated = await findRepeat(parts, input);
  if (repeated) return resume(parts, input, repeated);
  const drafted = await draftOrder(parts, input);
  if (!drafted.ok) return drafted;
  const { draft } = drafted;
  let created = await createOrder(parts.db, draft);
  if (!created.ok && created.reason !== "duplicate") {
    // The units or the use may be held by the very same shopper, in an order given up for this one.
    const { looked } = await giveUpOthers(parts, { ...draft, orderId: null });
    if (looked > 0) created = await createOrder(parts.db, draft);
  }
  if (created.ok) return open(parts, input, created.order, true);
  if (created.reason === "out_of_stock") return outOfStock(parts, draft.lines);
  if (created.reason !== "duplicate") return discountRefused(created.reason);
  // A call that came at the same time was faster; the order it wrote is the answer.
  const winner = await findRepeat(parts, input);
  return winner ? resume(parts, input, winner) : { ok: false, reason: "order_closed" };
}

/** The order as the shop's own prices, stock, policy and taxes make it, or what is wrong with the request. */
async function draftOrder(
  parts: CheckoutParts,
  input: CheckoutInput,
): Promise<{ ok: true; draft: NewOrder } | Extract<CheckoutResult, { ok: false }>> {
  const { metadata, shipping, shippingOption, orderItems, amount, discountCode } = input.request;
  const lines = mergeLines(orderItems);
  const productIds = lines.map(({ productId }) => productId);
  const [products, settings, discount] = await Promise.all([
    findSellable(parts.db, productIds),
    parts.settings(),
    discountCode ? parts.askForDiscount({ code: discountCode, visitorId: input.visitorId }) : null,
  ]);
  const priced = quoteCart(
    { items: lines, ...destinationOf(input.request), shippingOptionId: shippingOption, discount },
    products,
    settings,
    parts.thumbnail,
  );
  const { totals } = priced.quote;
  const fields = problemsOf(input.request, lines, products, priced);
  if (priced.option === null || Object.keys(fields).length > 0)
    return { ok: false, reason: "invalid", fields, isCodeUnknown: priced.isCodeUnknown };
  if ([...products.values()].some(({ isPublished }) => !isPublished)) return outOfStock(parts, lines);
  const isPriceSame = orderItems.every(
    ({ productId, price }) => products.get(productId)?.priceCents === price,
  );
  if (!isPriceSame || amount !== totals.total)
    return { ok: false, reason: "price_changed", total: totals.total };
  return {
    ok: true,
    draft: {
      visitorId: input.visitorId,
      email: metadata.email,
      customerName: metadata.customerName,
      phone: metadata.phone,
      shippingAddress: shipping
        ? joinAddress(shipping, countryName(shipping.country) ?? "")
        : metadata.shippingAddress,
      shipping,
      shippingOption: priced.option,
      discount:
        priced.quote.discount && discount?.id ? { id: discount.id, code: priced.quote.discount.code } : null,
      givingPercent: settings.givingPercent,
      lines: priced.quote.items.map((line, index) => ({
        productId: line.productId,
        name: line.name,
        image: products.get(line.productId)?.imageFile ?? null,
        quantity: line.quantity,
        unitPriceCents: line.price,
        discountCents: priced.lineTotals[index]?.discount ?? 0,
        taxCents: priced.lineTotals[index]?.tax ?? 0,
      })),
      totals,
      idempotencyKey: ownKey(input),
      requestHash: hashRequest(input),
      now: parts.now(),
      reservationSeconds: parts.reservationSeconds,
    },
  };
}

async function resume(
  parts: CheckoutParts,
  input: CheckoutInput,
  order: PlacedOrder,
): Promise<CheckoutResult> {
  if (!order.requestHash.equals(hashRequest(input))) return { ok: false, reason: "key_reused" };
  if (order.status === "cancelled") return { ok: false, reason: "order_closed" };
  // Repeated without the cookie that came with the first answer: this browser must see its order, too.
  if (order.visitorId !== input.visitorId) await allowVisitor(parts.db, order.id, input.visitorId);
  return open(parts, input, order, false);
}

async function open(
  parts: CheckoutParts,
  input: CheckoutInput,
  order: PlacedOrder,
  isNew: boolean,
): Promise<CheckoutResult> {
  const opened = await openPayment(parts, order, input.kind, isNew);
  if (!opened.ok) return { ok: false, reason: opened.reason };
  const totals = {
    subtotal: order.subtotalCents,
    discount: order.discountCents,
    shipping: order.shippingCents,
    tax: order.taxCents,
    total: order.totalCents,
    currency: order.currency,
  };
  return { ok: true, order, totals, payment: opened.payment };
}

/** Its last use went to somebody else between the pricing and the writing, or this buyer has had theirs. */
function discountRefused(
  reason: Exclude<UseResult, "taken">,
): Extract<CheckoutResult, { reason: "invalid" }> {
  const sentences = {
    gone: discountSentences.unknown,
    used_up: discountSentences.usedUp,
    used_by_customer: discountSentences.usedByCustomer,
  };
  return { ok: false, reason: "invalid", fields: { discountCode: sentences[reason] } };
}

async function outOfStock(
  parts: CheckoutParts,
  lines: readonly { productId: number }[],
): Promise<Extract<CheckoutResult, { ok: false }>> {
  const productIds = lines.map(({ productId }) => productId);
  const left = await findSellable(parts.db, productIds);
  const available = Object.fromEntries(
    productIds.map((id) => [String(id), Math.max(0, left.get(id)?.free ?? 0)]),
  );
  return { ok: false, reason: "out_of_stock", available };
}

function mergeLines(items: CheckoutRequest["orderItems"]): { productId: number; quantity: number }[] {
  const quantities = new Map<number, number>();
  for (const { productId, quantity } of items)
    quantities.set(productId, (quantities.get(productId) ?? 0) + quantity);
  return [...quantities].map(([productId, quantity]) => ({ productId, quantity }));
}

/** Country and state to ship and tax by. The older client's body has only a joined line: its last part may name one. */
function destinationOf({ shipping, metadata }: CheckoutRequest): { country: string; state: string | null } {
  if (shipping) return { country: shipping.country, state: shipping.state || null };
  const lastPart = metadata.shippingAddress.split(",").at(-1) ?? "";
  return {
    country: countryCode(metadata.country ?? "") ?? countryCode(lastPart) ?? homeCountry,
    state: null,
  };
}

function problemsOf(
  request: CheckoutRequest,
  lines: readonly { productId: number; quantity: number }[],
  products: ReadonlyMap<number, unknown>,
  { quote, option, isOptionUnknown }: PricedQuote,
): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { productId, quantity } of lines) {
    const index = request.orderItems.findIndex((item) => item.productId === productId);
    if (!products.has(productId)) fields[`orderItems.${index}.productId`] = "This product is no longer sold";
    if (quantity > quantityMax)
      fields[`orderItems.${index}.quantity`] = `At most ${quantityMax} of one product`;
  }
  if (isOptionUnknown) fields.shippingOption = "This shipping option is not available for the address";
  if (option === null && !isOptionUnknown) fields["shipping.country"] = "We don’t ship to this country";
  if (quote.totals.total > orderTotalMaxCents) {
    fields.orderItems = "This order is too large to be paid in one payment";
  }
  if (quote.totals.total === 0) fields.orderItems = "There is nothing to pay";
  if (quote.discountProblem !== null) fields.discountCode = quote.discountProblem;
  return fields;
}
