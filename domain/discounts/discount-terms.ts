import { formatCents, formatCentsShort, minOrderTotalCents } from "../shared/money.ts";
import { type Discount, discountLabel, isDiscounted } from "./discount.ts";

/** Conditions that a cart must meet for a discount. If `productIds` is empty, any product counts. */
type DiscountConditions = {
  productIds: readonly number[];
  /** Minimum price of the goods, in cents, before the discount; 0 if there is none. */
  minimumSubtotal: number;
  /** Minimum units of the products in `productIds`; 0 if there is none. */
  minimumUnits: number;
};

/** A discount that needs no code, with all that pages need to compute prices with it. */
export type AutomaticDiscount = Discount & DiscountConditions;

/** A discount with its conditions. Amounts in cents, times ISO 8601 UTC; a limit that is null does not exist. */
export type DiscountTerms = AutomaticDiscount & {
  /** Applies without a code; `code` is then the name that shoppers see. */
  automatic: boolean;
  productIds: number[];
  /** Names of the products of `productIds`; for shoppers, of the published ones. */
  productNames: string[];
  startsAt: string | null;
  /** The first moment at which the discount no longer applies. */
  endsAt: string | null;
  limitTotal: number | null;
  limitPerCustomer: number | null;
  /** Only for buyers without an earlier order, by their e-mail address. */
  firstOrderOnly: boolean;
  active: boolean;
};

/** A code entered by a shopper, with its terms and uses. */
export type DiscountLookup = {
  /** Null if there is no such code, or it is switched off or belongs to an automatic discount; shoppers see no difference. */
  terms: DiscountTerms | null;
  /** Number of orders that use it, without this shopper's own unpaid ones. */
  used: number;
  now: Date;
  /** IANA name of the shop's time zone, for dates in sentences. */
  timeZone: string;
};

/** Goods to which a discount may apply; `subtotal` in cents, after bundles. */
export type DiscountedGoods = {
  subtotal: number;
  lines: readonly { productId?: number; quantity: number }[];
};

function unitsFor(terms: DiscountConditions, { lines }: DiscountedGoods): number {
  return lines.reduce(
    (units, { productId, quantity }) => units + (isDiscounted(terms, productId) ? quantity : 0),
    0,
  );
}

export function meetsConditions(terms: DiscountConditions, goods: DiscountedGoods): boolean {
  return goods.subtotal >= terms.minimumSubtotal && unitsFor(terms, goods) >= Math.max(1, terms.minimumUnits);
}

/** Why a code does not apply to these goods, for the shopper; null if it applies. */
export function discountProblem(lookup: DiscountLookup, goods: DiscountedGoods): string | null {
  const { subtotal } = goods;
  const { terms, used, timeZone } = lookup;
  if (terms === null) return discountSentences.unknown;
  const nowIso = lookup.now.toISOString();
  if (terms.startsAt !== null && nowIso < terms.startsAt) {
    return `This discount code is valid from ${day(terms.startsAt, timeZone)}.`;
  }
  if (terms.endsAt !== null && nowIso >= terms.endsAt) {
    return `This discount code was valid until ${lastDay(terms.endsAt, timeZone)}.`;
  }
  if (terms.limitTotal !== null && used >= terms.limitTotal) return discountSentences.usedUp;
  if (subtotal < terms.minimumSubtotal) {
    const missingAmount = formatCents(terms.minimumSubtotal - subtotal);
    return `This discount code is for orders of ${formatCentsShort(terms.minimumSubtotal)} or more. Add ${missingAmount} to use it.`;
  }
  const units = unitsFor(terms, goods);
  const names = orList.format(terms.productNames);
  if (units === 0) return `This discount code is for ${names || "other products"} only.`;
  if (units < terms.minimumUnits) {
    const ofNames = names === "" ? " items" : ` of ${names}`;
    return `This discount code is for ${terms.minimumUnits} or more${ofNames}. Add ${terms.minimumUnits - units} more to use it.`;
  }
  return null;
}

/** Reasons why a discount does not apply, found while an order is priced or created. */
export const discountSentences = {
  unknown: "This discount code is not valid. Please check its spelling.",
  usedUp: "This discount code has been used up.",
  usedByCustomer: "This discount code has been used with this email address already.",
  notFirstOrder:
    "This discount code is for a first order only, and there is an order with this email address already.",
  savesNoMore: (name: string) =>
    `“${name}” applies automatically and saves you as much or more. One discount per order.`,
  shipsFreeAlready: "This order ships free already, so this discount code takes nothing off.",
  // Card providers require a minimum amount, and orders without a payment are not supported.
  leavesTooLittle: `With this discount code, less than ${formatCents(minOrderTotalCents)} would be left to pay, and no card can be charged so little. Add something to your cart, or order without the code.`,
};

/** The note below a cart's amounts if an automatic discount applies. */
export function automaticText(name: string): string {
  return `“${name}” applies automatically. Codes don’t add to it: you get whichever saves more.`;
}

/** The receipt's note if both a discount and bundle prices apply; null if only one of them does, or none. */
export function combinedNote(order: {
  discountCode: string | null;
  items: readonly { bundles: readonly unknown[] }[];
}): string | null {
  const isCombined = order.discountCode !== null && order.items.some(({ bundles }) => bundles.length > 0);
  return isCombined ? "One discount per order, on top of bundle prices." : null;
}

/** The terms in a sentence for shoppers: "10% off orders of $40 or more, until Dec 31, 2026." */
export function discountSentence(
  terms: Omit<DiscountTerms, "code" | "active" | "automatic">,
  timeZone: string,
): string {
  const { kind, minimumSubtotal, minimumUnits, startsAt, endsAt, limitPerCustomer, firstOrderOnly } = terms;
  const names = andList.format(terms.productNames) || (terms.productIds.length > 0 ? "some products" : "");
  const minimumText = [
    ...(minimumUnits > 1 && names === "" ? [`${minimumUnits} items`] : []),
    ...(minimumSubtotal > 0 ? [formatCentsShort(minimumSubtotal)] : []),
  ].join(" and ");
  const [one, many] = firstOrderOnly ? ["your first order", "a first order"] : ["any order", "orders"];
  const orders = minimumText === "" ? one : `${many} of ${minimumText} or more`;
  const goods = minimumUnits > 1 ? `${minimumUnits} or more of ${names}` : names;
  const isAnyOrder = minimumText === "" && !firstOrderOnly;
  const dates = [
    ...(startsAt === null ? [] : [`from ${day(startsAt, timeZone)}`]),
    ...(endsAt === null ? [] : [`until ${lastDay(endsAt, timeZone)}`]),
  ];
  const isFree = kind === "free_shipping";
  const offer =
    names === ""
      ? `${discountLabel(terms)} ${isFree ? "on " : ""}${orders}`
      : `${discountLabel(terms)} ${isFree ? "with " : ""}${goods}${isAnyOrder ? "" : ` on ${orders}`}`;
  const offerSentence = `${[offer, dates.join(" ")].filter(Boolean).join(", ")}.`;
  if (limitPerCustomer === null) return offerSentence;
  return `${offerSentence} ${limitPerCustomer === 1 ? "Once" : `${limitPerCustomer} times`} per customer.`;
}

export type DiscountState = "off" | "upcoming" | "ended" | "used_up" | "running";

/** Only a `running` code can be used. */
export function discountState(terms: DiscountTerms & { used: number }, now: Date): DiscountState {
  const nowIso = now.toISOString();
  if (!terms.active) return "off";
  if (terms.endsAt !== null && nowIso >= terms.endsAt) return "ended";
  if (terms.limitTotal !== null && terms.used >= terms.limitTotal) return "used_up";
  return terms.startsAt !== null && nowIso < terms.startsAt ? "upcoming" : "running";
}

/** British English has no comma before the last "and" or "or". */
const andList = new Intl.ListFormat("en-GB", { type: "conjunction" });
const orList = new Intl.ListFormat("en-GB", { type: "disjunction" });

function day(iso: string | number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone }).format(new Date(iso));
}

/** The last day on which it applies: an end at midnight belongs to the day before. */
function lastDay(iso: string, timeZone: string): string {
  return day(new Date(iso).getTime() - 1, timeZone);
}
