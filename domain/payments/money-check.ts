import * as v from "valibot";
import { formatCents } from "../shared/money.ts";
import { daysFromTo, isDate } from "../shared/zoned-days.ts";

/**
 * `missing_order`: paid there, not booked here; `missing_payment`: booked here as paid, not there. `dispute_differs`: what
 * disputes have taken for good, fees and all.
 */
export type MoneyFindingKind =
  | "missing_order"
  | "missing_payment"
  | "amount_differs"
  | "refund_differs"
  | "dispute_differs";

/** One run of the check. Amounts in cents, times ISO 8601 UTC, days `YYYY-MM-DD` where the owner is. */
export type MoneyCheck = {
  id: number;
  /** First and last day. */
  from: string;
  to: string;
  requestedBy: "night" | "owner";
  status: "running" | "done" | "failed";
  problem: string | null;
  looked: number;
  matched: number;
  /** Payments of others, or given back whole without being booked: in none of the sums. */
  apart: number;
  apartCents: number;
  providerIn: number;
  providerRefunded: number;
  bookedIn: number;
  bookedRefunded: number;
  providerChargedBack: number;
  bookedChargedBack: number;
  /** What the provider took for disputes. */
  providerFees: number;
  bookedFees: number;
  /** Withheld until disputes are decided: in none of the other sums. */
  held: number;
  findings: number;
  openFindings: number;
  startedAt: string;
  finishedAt: string | null;
};

export type MoneyFinding = {
  id: number;
  kind: MoneyFindingKind;
  /** `#1001` where the order was booked as paid without any payment. */
  intentId: string;
  order: { id: string; number: number } | null;
  provider: number;
  booked: number;
  /** When both sides agreed again; null: it is open. */
  mendedAt: string | null;
  /** Whether a later run saw that, and nobody had to do anything. */
  byItself: boolean;
  /** Why the last try did not mend it. */
  outcome: string | null;
  /** The payment in the provider's own dashboard. */
  dashboardUrl: string | null;
};

export type MoneyCheckDetail = MoneyCheck & {
  items: MoneyFinding[];
  /** "Stripe", "the sandbox" */
  providerName: string;
};

export type MoneyCheckPage = {
  data: MoneyCheck[];
  nextCursor: string | null;
  /** Today's date where the owner is. */
  today: string;
};

/** A year and a day: enough for every year-end. */
const moneyCheckDaysMax = 366;

const day = v.pipe(v.string("Must be a date"), v.check(isDate, "Must be a date like 2026-11-20"));

export const moneyCheckSchema = v.pipe(
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

/** As they stand within a sentence. */
export const providerNames = { stripe: "Stripe", sandbox: "the sandbox" } as const;

/** What is wrong, in a sentence for the owner. */
export function findingText(
  { kind, provider, booked }: Pick<MoneyFinding, "kind" | "provider" | "booked">,
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
export const mendLabels: Record<MoneyFindingKind, string> = {
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
