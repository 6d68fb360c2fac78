import { and, desc, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Logger } from "pino";
import { pick } from "../../../domain/shared/pick.ts";
import type { Database, Db } from "../../platform/database/database.ts";
import {
  type BalanceEntry,
  type CreateIntent,
  type EventPage,
  type EventPageQuery,
  type Intent,
  type PaymentProvider,
  type Period,
  type ProviderRefund,
  ProviderRefused,
  type Session,
  UnknownPayment,
} from "../provider.ts";
import { neededEventTypes, parseStripeEvent, toEvent } from "../stripe/event.ts";
import { sandboxEvents, sandboxIntents, sandboxRefunds } from "../tables.ts";
import { type Confirmation, type ConfirmResult, confirmPayment } from "./confirm.ts";
import { createDelivery, type DeliveryMode, eventJson } from "./delivery.ts";
import {
  type Change,
  cancelIntent,
  findIntent,
  findIntentById,
  findOrderIntents,
  insertIntent,
  type SandboxIntent,
} from "./intents.ts";
import { insertRefund, listIntentRefunds, type SandboxRefund } from "./refunds.ts";

export type { SandboxCheckout };

type PostEvent = (rawBody: string, signature: string) => Promise<number>;

/** Simulated payments, stored in PostgreSQL, with the same interface, states, test cards and signed events as Stripe. */
export type SandboxProvider = PaymentProvider & {
  /** Confirms a payment, as Stripe's card form does from the browser. */
  confirm(input: Confirmation): Promise<ConfirmResult>;
  /** A hosted page's data by its session id; null if the id is unknown. */
  session(sessionId: string): Promise<SandboxCheckout | null>;
  /** Sets the function that posts signed events to the webhook and returns its status. Called once the shop can accept events. */
  deliverTo(post: PostEvent): void;
  /** Posts the events that the webhook has not accepted once more. Returns the number of events that it accepts. */
  deliverPending(): Promise<number>;
  /** Waits for the events being posted, and stops posting. */
  drain(): Promise<void>;
};

export function createSandboxProvider({
  db,
  webhookSecret,
  publicUrl,
  log,
  events,
}: {
  db: Database;
  webhookSecret: string;
  publicUrl: string;
  log: Logger;
  events: DeliveryMode;
}): SandboxProvider {
  let post: PostEvent = async () => {
    throw new Error("the shop does not accept events yet");
  };
  const deliver: PostEvent = (rawBody, signature) => post(rawBody, signature);
  const delivery = createDelivery({ db, webhookSecret, log, deliver, mode: events });
  // The real webhook does not subscribe to `payment_intent.created`. It is sent only while problems of webhooks are simulated, as
  // an example of an event that the shop ignores.
  const withEvent = events !== "at_once";

  function sendEvents({ intent, events }: Change): SandboxIntent | null {
    delivery.send(events);
    return intent;
  }

  async function create(
    { orderId, orderNumber, amount, idempotencyKey, ...input }: CreateIntent,
    page?: { successUrl: string; cancelUrl: string; expiresAt: Date },
  ): Promise<SandboxIntent> {
    const currency = input.currency.toLowerCase();
    const values = { orderId, orderNumber, amount, currency, idempotencyKey };
    const inserted = sendEvents(
      await insertIntent(db, { ...values, ...(page ? { page } : {}) }, { withEvent }),
    );
    if (inserted) return inserted;
    const existing = await findExisting(
      findIntent(db, eq(sandboxIntents.idempotencyKey, idempotencyKey)),
      "payment_intent",
      idempotencyKey,
    );
    if (existing.orderId !== orderId || existing.amount !== amount || existing.currency !== currency) {
      throw new ProviderRefused("idempotency_error", "The idempotency key was used for another payment.");
    }
    return existing;
  }

  async function findExisting(
    search: Promise<SandboxIntent | null>,
    kind: string,
    id: string,
  ): Promise<SandboxIntent> {
    const intent = await search;
    if (!intent) throw new UnknownPayment(`No such ${kind}: '${id}'`);
    return intent;
  }

  const intentById = (id: string) => findExisting(findIntentById(db, id), "payment_intent", id);
  const sessionById = (id: string) =>
    findExisting(findIntent(db, eq(sandboxIntents.sessionId, id)), "checkout.session", id);

  return {
    name: "sandbox",
    mode: "sandbox",
    account: null,
    loadAccount: async () => {},
    publishableKey: null,
    createIntent: async (input) => toIntent(await create(input)),
    retrieveIntent: async (id) => toIntent(await intentById(id)),
    cancelIntent: async (intentId) =>
      toIntent(sendEvents(await cancelIntent(db, intentId)) ?? (await intentById(intentId))),
    createSession: async ({ successUrl, cancelUrl, expiresAt, ...input }) =>
      toSession(await create(input, { successUrl, cancelUrl, expiresAt }), publicUrl),
    retrieveSession: async (id) => toSession(await sessionById(id), publicUrl),
    expireSession: async (sessionId) =>
      toSession(sendEvents(await cancelIntent(db, sessionId)) ?? (await sessionById(sessionId)), publicUrl),
    async createRefund(input) {
      const { refund, events } = await insertRefund(db, input);
      delivery.send(events);
      return toRefund(refund);
    },
    listRefunds: async (intentId) => (await listIntentRefunds(db, intentId)).map(toRefund),
    listSucceededIntents: (period) => listSucceededIntents(db, period),
    listOrderIntents: async (orderId) => (await findOrderIntents(db, orderId)).map(toIntent),
    listOrderSessions: async (orderId) =>
      (await findOrderIntents(db, orderId)).flatMap((intent) =>
        intent.sessionId === null ? [] : [toSession(intent, publicUrl)],
      ),
    ...noDisputes,
    listEvents: (page) => sandboxEventPage(db, page),
    listRefundsSince: (from) => sandboxRefundsSince(db, from),
    listBalance: (period) => sandboxBalance(db, period),
    dashboardUrl: () => null,
    ping: async () => true,
    parseEvent: (rawBody, header) =>
      parseStripeEvent(rawBody, header("stripe-signature") ?? "", { webhookSecret, isLive: false }),

    confirm: (input) => confirmPayment(db, delivery, input),
    async session(id) {
      const intent = await findIntent(db, eq(sandboxIntents.sessionId, id));
      return intent ? toHostedPage(intent, publicUrl) : null;
    },
    deliverTo(postEvent) {
      post = postEvent;
    },
    deliverPending: delivery.deliverPending,
    drain: delivery.drain,
  };
}

/** Simulated payments are never disputed. */
const noDisputes = {
  retrieveDispute: (id) => Promise.reject(missingError("dispute", id)),
  listIntentDisputes: async () => [],
  async *listDisputes() {},
  uploadEvidence: ({ name }) => Promise.reject(missingError("file", name)),
  answerDispute: ({ disputeId }) => Promise.reject(missingError("dispute", disputeId)),
  acceptDispute: (id) => Promise.reject(missingError("dispute", id)),
  disputeUrl: () => null,
  retrieveFraudWarning: (id) => Promise.reject(missingError("early_fraud_warning", id)),
  retrieveReview: (id) => Promise.reject(missingError("review", id)),
} satisfies Partial<PaymentProvider>;

function missingError(kind: string, id: string): ProviderRefused {
  return new ProviderRefused("resource_missing", `No such ${kind}: '${id}'`);
}

const maxPageSize = 100;

/** A page of the events that the webhook has not accepted yet, which are the only ones that the sandbox stores. */
async function sandboxEventPage(db: Db, { from, to, after }: EventPageQuery): Promise<EventPage> {
  const position = sql`(${sandboxEvents.createdAt}, ${sandboxEvents.id})`;
  if (after !== null && (await db.$count(sandboxEvents, eq(sandboxEvents.id, after))) === 0) {
    throw new ProviderRefused("resource_missing", `No such event: '${after}'`);
  }
  const rows = await db
    .select()
    .from(sandboxEvents)
    .where(
      and(
        gte(sandboxEvents.createdAt, from),
        lt(sandboxEvents.createdAt, to),
        inArray(sandboxEvents.type, neededEventTypes),
        after === null
          ? undefined
          : sql`${position} < (select created_at, id from ${sandboxEvents} where id = ${after})`,
      ),
    )
    .orderBy(desc(sandboxEvents.createdAt), desc(sandboxEvents.id))
    .limit(maxPageSize);
  return {
    events: rows.flatMap((row) => toEvent(eventJson(row), null) ?? []),
    next: rows.length < maxPageSize ? null : (rows.at(-1)?.id ?? null),
  };
}

async function* sandboxRefundsSince(db: Db, from: Date): AsyncIterable<ProviderRefund> {
  const rows = await db.select().from(sandboxRefunds).where(gte(sandboxRefunds.createdAt, from));
  yield* rows.map(toRefund);
}

/** Card fee, as Stripe charges in the US. */
const fee = sql`round(i.amount_received * 0.029)::int + 30`;

type Row = {
  id: string;
  intent: string;
  kind: "charge" | "refund";
  amount: number;
  fee: number;
  currency: string;
  at: string;
};

/**
 * Balance movements of the simulated payments: charges with a fee, refunds without one, and at the end of each day (UTC) a payout
 * of the day's balance.
 */
async function* sandboxBalance(db: Db, { from, to }: { from: Date; to: Date }): AsyncIterable<BalanceEntry> {
  const dayMs = 24 * 60 * 60 * 1000;
  // A payout covers the previous day, so that whole day is read.
  const startsAt = new Date(Math.floor(from.getTime() / dayMs) * dayMs - dayMs);
  const { rows } = await db.execute<Row>(sql`
    select 'txn_' || i.id as id, i.id as intent, 'charge' as kind, i.amount_received as amount, ${fee} as fee,
      upper(i.currency) as currency, to_json(i.created_at) #>> '{}' as at
    from ${sandboxIntents} i
    where i.status = 'succeeded' and i.created_at >= ${startsAt.toISOString()}::timestamptz and i.created_at < ${to.toISOString()}::timestamptz
    union all
    select 'txn_' || r.id, r.intent_id, 'refund', -r.amount, 0, upper(i.currency), to_json(r.created_at) #>> '{}'
    from ${sandboxRefunds} r join ${sandboxIntents} i on i.id = r.intent_id
    where r.created_at >= ${startsAt.toISOString()}::timestamptz and r.created_at < ${to.toISOString()}::timestamptz
    order by at desc, id desc`);
  /** Balance of each day, counted from 1970-01-01. */
  const balanceByDay = new Map<number, { cents: number; currency: string }>();
  for (const row of rows) {
    const day = Math.floor(Date.parse(row.at) / dayMs);
    const { cents = 0 } = balanceByDay.get(day) ?? {};
    balanceByDay.set(day, { cents: cents + row.amount - row.fee, currency: row.currency });
  }
  for (const [day, { cents, currency }] of balanceByDay) {
    const createdAt = new Date((day + 1) * dayMs);
    if (cents <= 0 || createdAt < from || createdAt >= to) continue;
    const arrivesOn = new Date((day + 3) * dayMs).toISOString().slice(0, 10);
    const id = `po_sandbox_${createdAt.toISOString().slice(0, 10)}`;
    const payout = { kind: "payout" as const, amount: -cents, fee: 0, currency, description: "Payout" };
    yield { ...payout, id: `txn_${id}`, intentId: null, sourceId: id, createdAt, arrivesOn };
  }
  for (const { id, intent, at, ...row } of rows) {
    const createdAt = new Date(at);
    if (createdAt < from) continue;
    yield { ...row, id, intentId: intent, sourceId: intent, description: null, createdAt, arrivesOn: null };
  }
}

/** Data of the hosted payment page. */
type SandboxCheckout = Session & {
  intentId: string;
  clientSecret: string;
  orderNumber: number;
  successUrl: string;
  cancelUrl: string;
};

const maxListPageSize = 100;

function toIntent(row: SandboxIntent): Intent {
  return {
    intentId: row.id,
    status: row.status === "succeeded" || row.status === "canceled" ? row.status : "requires_payment",
    providerStatus: row.status,
    ...pick(row, "amount", "amountReceived", "amountRefunded", "currency", "clientSecret", "orderId"),
    createdAt: row.createdAt,
    paidWith: row.status === "succeeded" ? "Test card" : null,
    isDisputed: false,
    declinedChargeId: row.failedAttempts > 0 ? `ch_${row.id}_${row.failedAttempts}` : null,
  };
}

/** Unlike a page of Stripe, a page of the sandbox has an intent from the start. */
function toSession(row: SandboxIntent, publicUrl: string): Session {
  return toHostedPage(row, publicUrl);
}

function toHostedPage(row: SandboxIntent, publicUrl: string): SandboxCheckout {
  if (row.sessionId === null || row.successUrl === null || row.cancelUrl === null) {
    throw new ProviderRefused(
      "idempotency_error",
      "The idempotency key belongs to a payment without a hosted page.",
    );
  }
  const status =
    row.status === "succeeded"
      ? "complete"
      : row.status === "canceled" || isExpired(row)
        ? "expired"
        : "open";
  return {
    id: row.sessionId,
    url: status === "open" ? `${publicUrl}/sandbox/checkout/${row.sessionId}` : null,
    status,
    intentId: row.id,
    ...pick(row, "clientSecret", "orderId", "orderNumber", "amount", "currency"),
    cancelUrl: row.cancelUrl,
    successUrl: row.successUrl.replace("{CHECKOUT_SESSION_ID}", row.sessionId),
  };
}

function toRefund({ id, refundId, intentId, amount, createdAt }: SandboxRefund): ProviderRefund {
  return { id, refundId, intentId, amount, status: "succeeded", failure: null, createdAt };
}

async function* listSucceededIntents(db: Database, { from, to }: Period): AsyncIterable<Intent> {
  let isAfterLast: SQL | undefined;
  for (;;) {
    const rows = await db
      .select()
      .from(sandboxIntents)
      .where(
        and(
          eq(sandboxIntents.status, "succeeded"),
          gte(sandboxIntents.createdAt, from),
          to && lt(sandboxIntents.createdAt, to),
          isAfterLast,
        ),
      )
      .orderBy(desc(sandboxIntents.createdAt), desc(sandboxIntents.id))
      .limit(maxListPageSize);
    yield* rows.map(toIntent);
    const last = rows.at(-1);
    if (rows.length < maxListPageSize || !last) return;
    // Compares with the stored row, whose timestamp is more precise than a Date.
    isAfterLast = sql`(${sandboxIntents.createdAt}, ${sandboxIntents.id}) < (
      select created_at, id from ${sandboxIntents} where id = ${last.id})`;
  }
}

function isExpired({ expiresAt }: SandboxIntent): boolean {
  return expiresAt !== null && expiresAt <= new Date();
}
