import * as v from "valibot";
import { formatCents } from "../shared/money.ts";
import { daysFromTo, isDate } from "../shared/zoned-days.ts";

/**
 * `missing_order`: paid at the provider, not booked here; `missing_payment`: booked as paid here, not at the provider.
 * `dispute_differs`: amounts that disputes took for good, fees included.
 */
export const discrepancyKinds = [
  "missing_order",
  "missing_payment",
  "amount_differs",
  "refund_differs",
  "dispute_differs",
] as const;
export type DiscrepancyKind = (typeof discrepancyKinds)[number];

const checkEntries = {
  id: v.number(),
  /** First and last day. */
  from: v.string(),
  to: v.string(),
  requestedBy: v.picklist(["night", "owner"]),
  status: v.picklist(["running", "done", "failed"]),
  problem: v.nullable(v.string()),
  looked: v.number(),
  matched: v.number(),
  /** Payments of other programs, or refunded in full without being booked: in none of the sums. */
  apart: v.number(),
  apartCents: v.number(),
  providerIn: v.number(),
  providerRefunded: v.number(),
  bookedIn: v.number(),
  bookedRefunded: v.number(),
  providerChargedBack: v.number(),
  bookedChargedBack: v.number(),
  /** The provider's fees for disputes. */
  providerFees: v.number(),
  bookedFees: v.number(),
  /** Withheld by undecided disputes: in none of the other sums. */
  held: v.number(),
  findings: v.number(),
  openFindings: v.number(),
  startedAt: v.string(),
  finishedAt: v.nullable(v.string()),
};

/** One run of the check. Amounts in cents, times ISO 8601 UTC, days `YYYY-MM-DD` in the shop's time zone. */
export const moneyCheckSchema = v.object(checkEntries);
export type MoneyCheck = v.InferOutput<typeof moneyCheckSchema>;

export const discrepancySchema = v.object({
  id: v.number(),
  kind: v.picklist(discrepancyKinds),
  /** `#1001` if the order was booked as paid without a payment. */
  intentId: v.string(),
  order: v.nullable(v.object({ id: v.string(), number: v.number() })),
  provider: v.number(),
  booked: v.number(),
  /** When both sides agreed again; null: it is open. */
  mendedAt: v.nullable(v.string()),
  /** Whether the discrepancy was resolved without a repair, as a later run found. */
  byItself: v.boolean(),
  /** Why the last repair failed. */
  outcome: v.nullable(v.string()),
  /** The payment in the provider's own dashboard. */
  dashboardUrl: v.nullable(v.string()),
});
export type Discrepancy = v.InferOutput<typeof discrepancySchema>;

export const moneyCheckDetailSchema = v.object({
  ...checkEntries,
  items: v.array(discrepancySchema),
  /** "Stripe", "the sandbox" */
  providerName: v.string(),
});
export type MoneyCheckDetail = v.InferOutput<typeof moneyCheckDetailSchema>;

export const moneyCheckPageSchema = v.object({
  data: v.array(moneyCheckSchema),
  nextCursor: v.nullable(v.string()),
  /** Today's date in the shop's time zone. */
  today: v.string(),
});
export type MoneyCheckPage = v.InferOutput<typeof moneyCheckPageSchema>;

/** A year and a day, enough for every end of a year. */
const moneyCheckDaysMax = 366;

const day = v.pipe(v.string("Must be a date"), v.check(isDate, "Must be a date like 2026-11-20"));

export const moneyCheckPeriodSchema = v.pipe(
  v.object({ from: day, to: day }),
  v.forward(
    v.partialCheck([["from"], ["to"]], ({ from, to }) => from <= to, "Must not be before the first day"),
    ["to"],
  ),
  v.forward(
    v.partialCheck(
      [["from"], ["to"]],
      ({ from, to }) => daysFromTo(from, to) <= moneyCheckDaysMax,
      `Check at most ${moneyCheckDaysMax} days at a time`,
    ),
    ["from"],
  ),
);

/** The discrepancy in a sentence for the owner. */
export function discrepancyText(
  { kind, provider, booked }: Pick<Discrepancy, "kind" | "provider" | "booked">,
  providerName: string,
): string {
  const name = capitalized(providerName);
  const [there, here] = [formatCents(provider), formatCents(booked)];
  switch (kind) {
    case "missing_order":
      return `${name} took ${there}, and no order here is booked as paid by it.`;
    case "missing_payment":
      return `The order is booked as paid with ${here}, and ${providerName} has no such payment.`;
    case "amount_differs":
      return booked === 0
        ? `${name} took ${there}, which is not what the order costs, so it was not booked.`
        : `${name} took ${there}, the order is booked with ${here}.`;
    case "refund_differs":
      if (booked === 0) return `${name} gave ${there} back, and the order shows no refund.`;
      return provider === 0
        ? `The order shows ${here} refunded, and ${providerName} gave nothing back.`
        : `${name} gave ${there} back, the order shows ${here} refunded.`;
    case "dispute_differs":
      return `Disputes have cost ${there} at ${providerName}, fees and all; the order shows ${here}.`;
  }
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Label of the button that repairs it. */
export const repairLabels: Record<DiscrepancyKind, string> = {
  missing_order: "Book the payment",
  missing_payment: "Ask again",
  amount_differs: "Ask again",
  refund_differs: "Take over the refunds",
  dispute_differs: "Take over the disputes",
};

/** Payments less refunds and disputes, at the provider and in the books, and their difference. Cents. */
export function moneyCheckTotals(
  check: Pick<
    MoneyCheck,
    | "providerIn"
    | "providerRefunded"
    | "providerChargedBack"
    | "providerFees"
    | "bookedIn"
    | "bookedRefunded"
    | "bookedChargedBack"
    | "bookedFees"
  >,
): { provider: number; booked: number; difference: number } {
  const provider = check.providerIn - check.providerRefunded - check.providerChargedBack - check.providerFees;
  const booked = check.bookedIn - check.bookedRefunded - check.bookedChargedBack - check.bookedFees;
  return { provider, booked, difference: provider - booked };
}
