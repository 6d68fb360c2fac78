import { formatCents, formatCentsShort, orderTotalMinCents } from "../shared/money.ts";
import { type Discount, discountLabel } from "./discount.ts";

/** A discount with its conditions. Amounts in cents, times ISO 8601 UTC; null: no limit. */
export type DiscountTerms = Discount & {
  /** Minimum price of the goods before the discount; 0: none. */
  minimumSubtotal: number;
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
  /** Null: there is no such code, or it is switched off; shoppers see no difference. */
  terms: DiscountTerms | null;
  /** Orders using it, without this shopper's own unpaid ones. */
  used: number;
  now: Date;
  /** IANA name of the shop's time zone, for dates in sentences. */
  timeZone: string;
};

/** Why a code does not apply to goods of this price, for the shopper; null: it applies. */
export function discountProblem(lookup: DiscountLookup, subtotal: number): string | null {
  const { terms, used, timeZone } = lookup;
  if (terms === null) return discountSentences.unknown;
  const now = lookup.now.toISOString();
  if (terms.startsAt !== null && now < terms.startsAt) {
    return `This discount code is valid from ${day(terms.startsAt, timeZone)}.`;
  }
  if (terms.endsAt !== null && now >= terms.endsAt) {
    return `This discount code was valid until ${lastDay(terms.endsAt, timeZone)}.`;
  }
  if (terms.limitTotal !== null && used >= terms.limitTotal) return discountSentences.usedUp;
  if (subtotal < terms.minimumSubtotal) {
    const missing = formatCents(terms.minimumSubtotal - subtotal);
    return `This discount code is for orders of ${formatCentsShort(terms.minimumSubtotal)} or more. Add ${missing} to use it.`;
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
  shipsFreeAlready: "This order ships free already, so this discount code takes nothing off.",
  // Card providers require a minimum amount, and orders without a payment are not supported.
  leavesTooLittle: `With this discount code, less than ${formatCents(orderTotalMinCents)} would be left to pay, and no card can be charged so little. Add something to your cart, or order without the code.`,
};

/** The terms as a sentence for shoppers: "10% off orders of $40 or more, until Dec 31, 2026." */
export function discountSentence(terms: Omit<DiscountTerms, "code" | "active">, timeZone: string): string {
  const { kind, minimumSubtotal, startsAt, endsAt, limitPerCustomer, firstOrderOnly } = terms;
  const [one, many] = firstOrderOnly ? ["your first order", "a first order"] : ["any order", "orders"];
  const orders = minimumSubtotal > 0 ? `${many} of ${formatCentsShort(minimumSubtotal)} or more` : one;
  const dates = [
    ...(startsAt === null ? [] : [`from ${day(startsAt, timeZone)}`]),
    ...(endsAt === null ? [] : [`until ${lastDay(endsAt, timeZone)}`]),
  ];
  const offer = `${discountLabel(terms)} ${kind === "free_shipping" ? "on " : ""}${orders}`;
  const first = `${[offer, dates.join(" ")].filter(Boolean).join(", ")}.`;
  if (limitPerCustomer === null) return first;
  return `${first} ${limitPerCustomer === 1 ? "Once" : `${limitPerCustomer} times`} per customer.`;
}

export type DiscountState = "off" | "upcoming" | "ended" | "used_up" | "running";

/** Only a `running` code can be used. */
export function discountState(terms: DiscountTerms & { used: number }, now: Date): DiscountState {
  const at = now.toISOString();
  if (!terms.active) return "off";
  if (terms.endsAt !== null && at >= terms.endsAt) return "ended";
  if (terms.limitTotal !== null && terms.used >= terms.limitTotal) return "used_up";
  return terms.startsAt !== null && at < terms.startsAt ? "upcoming" : "running";
}

function day(iso: string | number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone }).format(new Date(iso));
}

/** The last whole day: an end at midnight belongs to the day before. */
function lastDay(iso: string, timeZone: string): string {
  return day(new Date(iso).getTime() - 1, timeZone);
}
