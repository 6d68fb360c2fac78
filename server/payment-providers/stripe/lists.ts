import type { Stripe } from "stripe";
import type { BalanceEntryKind } from "../../../domain/payments/providers.ts";
import { pick } from "../../../domain/shared/pick.ts";
import type { BalanceEntry, Intent, PaymentProvider, Session } from "../provider.ts";
import { type Call, jobTimeouts, refusingForbidden } from "./call.ts";
import { neededEventTypes, toEvent } from "./event.ts";
import { toIntent, toRefund, toSession } from "./from-stripe.ts";
import { orderIdIn, type ShopId } from "./metadata.ts";

export const unixSeconds = (at: Date) => Math.floor(at.getTime() / 1000);

/** All entries of a list, newest first. Each page is a call with its own timeout, which auto-paging would not have. */
export async function* listAll<T extends { id: string }>(
  list: (page: { limit: number; starting_after?: string }) => Promise<{ data: T[]; has_more: boolean }>,
): AsyncGenerator<T> {
  let after: { starting_after?: string } = {};
  for (;;) {
    const page = await list({ limit: 100, ...after });
    yield* page.data;
    const last = page.data.at(-1);
    if (!page.has_more || !last) return;
    after = { starting_after: last.id };
  }
}

/** Stripe's lists over all payments, read page by page with a timeout for each. */
export function stripeLists(stripe: Stripe, call: Call, shopId: ShopId) {
  return {
    async listEvents({ from, to, after }) {
      const params = {
        created: { gte: unixSeconds(from), lt: unixSeconds(to) },
        types: neededEventTypes,
        limit: 100,
        ...(after === null ? {} : { starting_after: after }),
      };
      const page = await refusingForbidden(call)("list_events", jobTimeouts, (options) =>
        stripe.events.list(params, options),
      );
      return {
        events: page.data.flatMap((event) => toEvent(event, shopId) ?? []),
        next: page.has_more ? (page.data.at(-1)?.id ?? null) : null,
      };
    },
    async *listRefundsSince(from) {
      const created = { gte: unixSeconds(from) };
      const refunds = listAll((page) =>
        call("list_refunds", jobTimeouts, (options) => stripe.refunds.list({ created, ...page }, options)),
      );
      for await (const refund of refunds) yield toRefund(refund);
    },
    async *listSucceededIntents({ from, to }) {
      const created = { gte: unixSeconds(from), ...(to ? { lt: unixSeconds(to) } : {}) };
      const expand = ["data.latest_charge"];
      const intents = listAll((page) =>
        call("list_intents", jobTimeouts, (options) =>
          stripe.paymentIntents.list({ created, expand, ...page }, options),
        ),
      );
      for await (const intent of intents) if (intent.status === "succeeded") yield toIntent(intent, shopId);
    },
    async listOrderIntents(orderId, from) {
      const created = { gte: unixSeconds(from) };
      const listedIntents = listAll((page) =>
        call("list_intents", jobTimeouts, (options) =>
          stripe.paymentIntents.list({ created, ...page }, options),
        ),
      );
      const intents: Intent[] = [];
      for await (const intent of listedIntents) {
        if (orderIdIn(intent.metadata, shopId) === orderId) intents.push(toIntent(intent, shopId));
      }
      return intents;
    },
    async listOrderSessions(orderId, from) {
      const created = { gte: unixSeconds(from) };
      const listedSessions = listAll((page) =>
        call("list_sessions", jobTimeouts, (options) =>
          stripe.checkout.sessions.list({ created, ...page }, options),
        ),
      );
      const sessions: Session[] = [];
      for await (const session of listedSessions) {
        if (orderIdIn(session.metadata, shopId) === orderId) sessions.push(toSession(session, shopId));
      }
      return sessions;
    },
  } satisfies Partial<PaymentProvider>;
}

/** Kinds of balance entries by Stripe's reporting category; all other categories are of the kind `other`. */
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
  const created = { gte: unixSeconds(from), lt: unixSeconds(to) };
  const movements = listAll((page) =>
    refusingForbidden(call)("list_balance", jobTimeouts, (options) =>
      stripe.balanceTransactions.list({ created, expand: ["data.source"], ...page }, options),
    ),
  );
  for await (const movement of movements) yield toBalanceEntry(movement);
}

function toBalanceEntry(movement: Stripe.BalanceTransaction): BalanceEntry {
  const source = typeof movement.source === "string" ? null : movement.source;
  const intent = source && "payment_intent" in source ? source.payment_intent : null;
  return {
    ...pick(movement, "id", "amount", "fee", "description"),
    kind: kinds[movement.reporting_category] ?? "other",
    currency: movement.currency.toUpperCase(),
    intentId: typeof intent === "string" ? intent : (intent?.id ?? null),
    sourceId: typeof movement.source === "string" ? movement.source : (movement.source?.id ?? null),
    createdAt: new Date(movement.created * 1000),
    arrivesOn:
      source?.object === "payout" ? new Date(source.arrival_date * 1000).toISOString().slice(0, 10) : null,
  };
}
