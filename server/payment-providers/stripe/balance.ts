import type { Stripe } from "stripe";
import type { BalanceEntryKind } from "../../../domain/payments/providers.ts";
import type { BalanceEntry } from "../provider.ts";
import { type Call, jobTimeouts, permitted } from "./call.ts";
import { eachListed, seconds } from "./lists.ts";

/** By Stripe's reporting category; all others are `other`. */
const kinds: Record<string, BalanceEntryKind> = {
  charge: "charge",
  charge_failure: "charge",
  refund: "refund",
  refund_failure: "refund",
  partial_capture_reversal: "refund",
  dispute: "dispute",
  dispute_reversal: "dispute",
  fee: "fee",
  tax: "fee",
  payout: "payout",
  payout_reversal: "payout",
};

/** Every movement of the account's balance, page by page, newest first. */
export async function* stripeBalance(
  stripe: Stripe,
  call: Call,
  { from, to }: { from: Date; to: Date },
): AsyncIterable<BalanceEntry> {
  const created = { gte: seconds(from), lt: seconds(to) };
  const listed = eachListed((page) =>
    call("list_balance", jobTimeouts, (options) =>
      permitted(stripe.balanceTransactions.list({ created, expand: ["data.source"], ...page }, options)),
    ),
  );
  for await (const moved of listed) yield toBalanceEntry(moved);
}

function toBalanceEntry(moved: Stripe.BalanceTransaction): BalanceEntry {
  const source = typeof moved.source === "string" ? null : moved.source;
  const intent = source && "payment_intent" in source ? source.payment_intent : null;
  return {
    id: moved.id,
    kind: kinds[moved.reporting_category] ?? "other",
    amount: moved.amount,
    fee: moved.fee,
    currency: moved.currency.toUpperCase(),
    intentId: typeof intent === "string" ? intent : (intent?.id ?? null),
    sourceId: typeof moved.source === "string" ? moved.source : (moved.source?.id ?? null),
    description: moved.description,
    createdAt: new Date(moved.created * 1000),
    arrivesOn:
      source?.object === "payout" ? new Date(source.arrival_date * 1000).toISOString().slice(0, 10) : null,
  };
}
