import * as v from "valibot";
import { capitalize } from "../shared/capitalize.ts";
import { formatCents } from "../shared/money.ts";
import { inclusiveDays, isDate } from "../shared/zoned-days.ts";

/**
 * `missing_order`: paid at the provider, not booked here; `missing_payment`: booked as paid here, not at the provider.
 * `dispute_differs`: the money finally lost to disputes, including fees.
 */
const discrepancyKinds = [
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
  /** Number of payments compared so far, and how many of them agree with the orders. */
  looked: v.number(),
  matched: v.number(),
  /** Payments left out of all sums: made by another program, or fully refunded and never booked. */
  apart: v.number(),
  apartCents: v.number(),
  providerIn: v.number(),
  providerRefunded: v.number(),
  bookedIn: v.number(),
  bookedRefunded: v.number(),
  providerChargedBack: v.number(),
  bookedChargedBack: v.number(),
  providerFees: v.number(),
  bookedFees: v.number(),
  /** Cents withheld by undecided disputes; included in no other sum. */
  held: v.number(),
  /** Number of discrepancies found by this run, and how many of them are still open. */
  findings: v.number(),
  openFindings: v.number(),
  startedAt: v.string(),
  finishedAt: v.nullable(v.string()),
};

/** One run of the check. Amounts in cents, times ISO 8601 UTC, days `YYYY-MM-DD` in the shop's time zone. */
const moneyCheckSchema = v.object(checkEntries);
export type MoneyCheck = v.InferOutput<typeof moneyCheckSchema>;

const discrepancySchema = v.object({
  id: v.number(),
  kind: v.picklist(discrepancyKinds),
  /** `#1001` if the order was booked as paid without a payment. */
  intentId: v.string(),
  order: v.nullable(v.object({ id: v.string(), number: v.number() })),
  provider: v.number(),
  booked: v.number(),
  /** When both sides were found to agree again; null if the discrepancy is open. */
  mendedAt: v.nullable(v.string()),
  /** Whether it disappeared without a repair: a later run no longer found it. */
  byItself: v.boolean(),
  /** Why the last repair failed; null if it was not tried, or succeeded. */
  outcome: v.nullable(v.string()),
  /** URL of the payment in the provider's dashboard. */
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

/** The days of a leap year. */
const maxMoneyCheckDays = 366;

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
      ({ from, to }) => inclusiveDays(from, to) <= maxMoneyCheckDays,
      `Check at most ${maxMoneyCheckDays} days at a time`,
    ),
    ["from"],
  ),
);

/** Describes a discrepancy to the owner. */
export function discrepancyText(
  { kind, provider, booked }: Pick<Discrepancy, "kind" | "provider" | "booked">,
  providerName: string,
): string {
  const name = capitalize(providerName);
  const [providerAmount, bookedAmount] = [formatCents(provider), formatCents(booked)];
  switch (kind) {
    case "missing_order":
      return `${name} took ${providerAmount}, but no order here is booked as paid by this payment.`;
    case "missing_payment":
      return `The order is booked as paid with ${bookedAmount}, but ${providerName} has no such payment.`;
    case "amount_differs":
      return booked === 0
        ? `${name} took ${providerAmount}. The order costs a different amount, so the payment was not booked.`
        : `${name} took ${providerAmount}, but the order is booked with ${bookedAmount}.`;
    case "refund_differs":
      if (booked === 0) return `${name} refunded ${providerAmount}, but the order shows no refund.`;
      return provider === 0
        ? `The order shows ${bookedAmount} refunded, but ${providerName} refunded nothing.`
        : `${name} refunded ${providerAmount}, but the order shows ${bookedAmount} refunded.`;
    case "dispute_differs":
      return `Disputes have cost ${providerAmount} at ${providerName}, fees included, but the order shows ${bookedAmount}.`;
  }
}

export const repairLabels: Record<DiscrepancyKind, string> = {
  missing_order: "Book the payment",
  missing_payment: "Check again",
  amount_differs: "Check again",
  refund_differs: "Record the missing refunds",
  dispute_differs: "Record the missing disputes",
};

/** Sums at the provider and in the books (payments less refunds, chargebacks and fees), and their difference. Cents. */
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
