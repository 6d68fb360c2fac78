import * as v from "valibot";
import { formatCents } from "../shared/money.ts";
import { daysFromTo, isDate } from "../shared/zoned-days.ts";

/**
 * `missing_order`: paid there, not booked here; `missing_payment`: booked here as paid, not there. `dispute_differs`: what
 * disputes have taken for good, fees and all.
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
  /** Payments of others, or given back whole without being booked: in none of the sums. */
  apart: v.number(),
  apartCents: v.number(),
  providerIn: v.number(),
  providerRefunded: v.number(),
  bookedIn: v.number(),
  bookedRefunded: v.number(),
  providerChargedBack: v.number(),
  bookedChargedBack: v.number(),
  /** What the provider took for disputes. */
  providerFees: v.number(),
  bookedFees: v.number(),
  /** Withheld until disputes are decided: in none of the other sums. */
  held: v.number(),
  findings: v.number(),
  openFindings: v.number(),
  startedAt: v.string(),
  finishedAt: v.nullable(v.string()),
};

/** One run of the check. Amounts in cents, times ISO 8601 UTC, days `YYYY-MM-DD` where the owner is. */
export const moneyCheckSchema = v.object(checkEntries);
export type MoneyCheck = v.InferOutput<typeof moneyCheckSchema>;

export const discrepancySchema = v.object({
  id: v.number(),
  kind: v.picklist(discrepancyKinds),
  /** `#1001` where the order was booked as paid without any payment. */
  intentId: v.string(),
  order: v.nullable(v.object({ id: v.string(), number: v.number() })),
  provider: v.number(),
  booked: v.number(),
  /** When both sides agreed again; null: it is open. */
  mendedAt: v.nullable(v.string()),
  /** Whether a later run saw that, and nobody had to do anything. */
  byItself: v.boolean(),
  /** Why the last attempt did not repair it. */
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
  /** Today's date where the owner is. */
  today: v.string(),
});
export type MoneyCheckPage = v.InferOutput<typeof moneyCheckPageSchema>;

/** A year and a day: enough for every year-end. */
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

/** What is wrong, in a sentence for the owner. */
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

/** What the button does about it. */
export const repairLabels: Record<DiscrepancyKind, string> = {
  missing_order: "Book the payment",
  missing_payment: "Ask again",
  amount_differs: "Ask again",
  refund_differs: "Take over the refunds",
  dispute_differs: "Take over the disputes",
};

/** What came in less what was given back or taken by disputes, on both sides, and what lies between them. Cents. */
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
