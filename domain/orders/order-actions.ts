import * as v from "valibot";
import { taxRateFor } from "../checkout/tax.ts";
import { dispatchDays, withdrawalDays } from "../settings/facts.ts";
import type { ShopSettings } from "../settings/settings.ts";
import { countryCode } from "../shared/country.ts";
import { shippingOptionsFor } from "../shipping/shipping-policy.ts";
import { countUnits, type Order, type OrderItem, orderSchema } from "./order.ts";
import { isOpen, isRefunded, type ReturnKind } from "./order-return.ts";

/**
 * Actions that a buyer may take now. Times are ISO 8601 UTC: the end of the last day in the westernmost time zone, or
 * null if the action is not possible.
 */
const orderActionsSchema = v.object({
  cancel: v.boolean(),
  changeAddress: v.boolean(),
  returnUntil: v.nullable(v.string()),
  withdrawUntil: v.nullable(v.string()),
});
export type OrderActions = v.InferOutput<typeof orderActionsSchema>;

export const noActions: OrderActions = {
  cancel: false,
  changeAddress: false,
  returnUntil: null,
  withdrawUntil: null,
};

/** An order with its buyer's actions; other viewers have none. `needsAttention` is for admins only. */
export const shownOrderSchema = v.object({
  ...orderSchema.entries,
  actions: orderActionsSchema,
  needsAttention: v.optional(v.nullable(v.string())),
});
export type ShownOrder = v.InferOutput<typeof shownOrderSchema>;

/** Maximum number of requests of one kind per order, declined ones included. */
const maxRequests = 3;
/** For withdrawals, a parcel without a recorded delivery counts as delivered this long after shipment. */
const assumedDeliveryDays = 90;

const dayMs = 24 * 60 * 60 * 1000;

type OrderForActions = Pick<
  Order,
  | "status"
  | "payment"
  | "totals"
  | "shipping"
  | "shippingAddress"
  | "shippingOption"
  | "fulfilment"
  | "shipments"
  | "returns"
  | "exchanges"
  | "refunds"
  | "cancelledAt"
  | "allBackAt"
  | "erasedAt"
> & { items: readonly Pick<OrderItem, "quantity">[] };

export function orderActions(
  order: OrderForActions,
  settings: Pick<ShopSettings, "returns" | "shipping">,
  now: Date,
): OrderActions {
  const stillOpen = (until: Date | null) => (until && now <= until ? until.toISOString() : null);
  return {
    cancel: canCancel(order),
    changeAddress: canChangeAddress(order),
    returnUntil: stillOpen(returnUntil(order, settings)),
    withdrawUntil: stillOpen(withdrawUntil(order, settings, now)),
  };
}

/** Unshipped orders can be cancelled, paid or not, except while a payment is being processed, which cannot be stopped. */
function canCancel({
  status,
  payment,
  fulfilment,
  shipments,
  cancelledAt,
  erasedAt,
}: OrderForActions): boolean {
  if (fulfilment !== null || shipments.length > 0 || cancelledAt !== null || erasedAt !== null) return false;
  if (status === "pending") return payment !== "processing";
  return status === "completed" || status === "partially_refunded";
}

/**
 * Whether the panel can correct the contact. Before the payment, buyers do so at checkout, except for a replacement or an
 * exchange, which has no checkout.
 */
export function hasContactToCorrect({
  status,
  paidAt,
  replaces,
  exchangeOf,
  erasedAt,
}: Pick<Order, "status" | "paidAt" | "replaces" | "exchangeOf" | "erasedAt">): boolean {
  const isMadeByShop = replaces !== null || (exchangeOf !== null && status !== "cancelled");
  return erasedAt === null && (paidAt !== null || isMadeByShop);
}

/** The address can be changed between payment and shipment; before, checkout asks for it. One-line addresses cannot be compared. */
function canChangeAddress(order: OrderForActions): boolean {
  const { status, shipping, allBackAt } = order;
  return status !== "pending" && shipping !== null && allBackAt === null && canCancel(order);
}

/**
 * Whether shipping and tax to another address cost what was paid: the same shipping option at the same price, and the same
 * tax. Another zone may have an option of the same name at another price.
 */
export function costsTheSame(
  { shipping: from, shippingOption }: Pick<Order, "shipping" | "shippingOption">,
  to: { country: string; state: string },
  { shipping, tax }: Pick<ShopSettings, "shipping" | "tax">,
): boolean {
  if (from === null) return false;
  const shippingTerms = ({ country, state }: { country: string; state: string }) => {
    const { price, freeFrom } =
      shippingOptionsFor(shipping, country).find(({ id }) => id === shippingOption.id) ?? {};
    const rate = taxRateFor(tax, country, state || null);
    const taxTerms = rate?.percent ? [rate.percent, rate.onShipping, rate.included] : [];
    return price === undefined ? null : [price, freeFrom, ...taxTerms];
  };
  const terms = shippingTerms(to);
  return terms !== null && JSON.stringify(terms) === JSON.stringify(shippingTerms(from));
}

/** The end of returns by the shop's policy: a number of days after delivery. */
function returnUntil(
  order: OrderForActions,
  { returns, shipping }: Pick<ShopSettings, "returns" | "shipping">,
): Date | null {
  if (order.fulfilment === null || isCancelledOrRefunded(order) || returns.days === 0) return null;
  if (order.returns.some(isOpen) || isExhausted(order, "return") || isAllReturned(order)) return null;
  const { shippedAt, deliveredAt } = order.fulfilment;
  const deliveryTime = deliveredAt ?? afterBusinessDays(shippedAt, latestDeliveryDays(order, shipping));
  return endOfDay(deliveryTime, returns.days);
}

/** The end of the right of withdrawal: 14 days after delivery. Withdrawing is possible before delivery and during a return, too. */
function withdrawUntil(
  order: OrderForActions,
  { shipping }: Pick<ShopSettings, "shipping">,
  now: Date,
): Date | null {
  if (isCancelledOrRefunded(order) || order.status === "cancelled" || !isWithdrawable(order)) return null;
  if (order.fulfilment === null) {
    const days = dispatchDays[1] + latestDeliveryDays(order, shipping);
    return endOfPeriod(afterBusinessDays(now.toISOString(), days));
  }
  const { shippedAt, deliveredAt } = order.fulfilment;
  const assumedDeliveryAt = new Date(Date.parse(shippedAt) + assumedDeliveryDays * dayMs);
  return endOfPeriod(deliveredAt ?? assumedDeliveryAt.toISOString());
}

function isWithdrawable({ returns, ...order }: OrderForActions): boolean {
  const country = order.shipping?.country ?? countryCode(order.shippingAddress.split(",").at(-1) ?? "");
  if (country === null || !withdrawalCountries.has(country)) return false;
  if (isExhausted({ returns }, "withdrawal")) return false;
  return !returns.some(({ kind, status }) => kind === "withdrawal" && status !== "declined");
}

/** Whether the order is cancelled, erased or refunded in full. */
function isCancelledOrRefunded({ totals, cancelledAt, erasedAt }: OrderForActions): boolean {
  return cancelledAt !== null || erasedAt !== null || totals.refunded + totals.chargedBack >= totals.total;
}

/**
 * Whether every unit has been returned for an exchange or a refund. The number of units in a return for a refund is unknown; it
 * counts as one.
 */
function isAllReturned(order: OrderForActions): boolean {
  const receivedExchanges = order.exchanges.filter(({ receivedAt }) => receivedAt !== null);
  const refundedReturns = order.returns.filter(
    (request) =>
      isRefunded(request, order) && !receivedExchanges.some(({ returnId }) => returnId === request.id),
  );
  return (
    countUnits(receivedExchanges.flatMap(({ returned }) => returned)) + refundedReturns.length >=
    countUnits(order.items)
  );
}

function isExhausted({ returns }: Pick<OrderForActions, "returns">, kind: ReturnKind): boolean {
  return returns.filter((request) => request.kind === kind).length >= maxRequests;
}

/**
 * The longest delivery time of the order's shipping option; if that was removed from the settings, of the slowest option.
 */
function latestDeliveryDays(
  { shippingOption }: OrderForActions,
  { zones }: ShopSettings["shipping"],
): number {
  const options = zones.flatMap((zone) => zone.options);
  const chosenOptions = options.filter(({ id }) => id === shippingOption.id);
  return Math.max(...(chosenOptions.length > 0 ? chosenOptions : options).map(({ days }) => days[1]));
}

/** Business days are Monday to Friday. */
function afterBusinessDays(from: string, days: number): string {
  const at = new Date(from);
  for (let remaining = days; remaining > 0; ) {
    at.setTime(at.getTime() + dayMs);
    if (!isWeekend(at)) remaining -= 1;
  }
  return at.toISOString();
}

function isWeekend(at: Date): boolean {
  return at.getUTCDay() === 0 || at.getUTCDay() === 6;
}

/** The legal period ends with a whole day, never on a weekend (Regulation 1182/71). */
function endOfPeriod(deliveryTime: string): Date {
  let days = withdrawalDays;
  while (isWeekend(new Date(Date.parse(deliveryTime) + days * dayMs))) days += 1;
  return endOfDay(deliveryTime, days);
}

/** End of the day in UTC-12, where it ends last. */
function endOfDay(from: string, days: number): Date {
  const at = new Date(Date.parse(from) + days * dayMs);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1, 12) - 1);
}

/**
 * ISO 3166 codes of countries with a right to withdraw from distance purchases within 14 days: the EU with its regions that
 * have codes, the rest of the EEA, and the UK.
 */
const withdrawalCountries = new Set(
  [
    "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK",
    "AX GF GP MF MQ RE YT",
    "IS LI NO",
    "GB",
  ].flatMap((codes) => codes.split(" ")),
);
