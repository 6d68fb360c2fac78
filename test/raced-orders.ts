import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Db } from "../server/platform/database/database.ts";
import type { FakeStripe } from "./fake-stripe.ts";
import { patienceMs } from "./patience.ts";

/** `tries`: number of attempts until the shop responded with something other than 5xx. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of every shape
type RepeatedResponse = { status: number; body: any; tries: number };
/** Repeats a call until the shop responds with something other than 5xx. */
export type RepeatedCall = (
  method: "GET" | "POST",
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<RepeatedResponse>;

/** The parties to an order. `deliverEventsFrom`: delivers the provider's events that an action causes to the shop. */
export type Parties = {
  owner: RepeatedCall;
  buyer: RepeatedCall;
  stripe: FakeStripe;
  deliverEventsFrom(action: () => unknown): void;
  random(): number;
};

/**
 * Refunds of an order with an unpaid edit: in full, in the panel or at the provider, or partly at the provider, so that the
 * items to remove are worth less than the agreed amount.
 */
export const pendingEditRefunds = ["by_owner", "at_provider", "in_part"] as const;
export type PendingEditRefund = (typeof pendingEditRefunds)[number];

export type RacedOrders = {
  /** An order of one bottle or more, paid a moment ago, is edited; it is refunded before or after the edit is paid. */
  refundWhileEditWaits(
    parties: Parties,
    order: { orderId: string; intentId: string },
    how: { refund: PendingEditRefund; isPaidFirst: boolean },
  ): Promise<void>;
  /** The owner records a cash payment of a draft at the moment its buyer opens the link and pays by card. */
  payDraftTwice(parties: Parties, email: string): Promise<void>;
  /** Number of edits and drafts so far. */
  count(): { edits: number; drafts: number };
  /** Payments that were neither delivered nor refunded, and unfinished work; called once the shop has finished. */
  problems(db: Db): Promise<string[]>;
};

type Edit = {
  stripe: FakeStripe;
  orderId: string;
  intentId: string;
  changeId: string;
  sessionId: string;
  refund: PendingEditRefund;
  /** Price of the edit. `refundedCents`: amount of the order that was refunded at the provider. */
  cents: number;
  refundedCents: number;
};
type Draft = { stripe: FakeStripe; email: string; cents: number; cashResponse: RepeatedResponse };

/** Orders that are paid and refunded at the same time. Throws on responses that the shop must never give. */
export function racedOrders(): RacedOrders {
  const edits: Edit[] = [];
  const drafts: Draft[] = [];
  let draftCount = 0;

  return {
    async refundWhileEditWaits(parties, { orderId, intentId }, { refund, isPaidFirst }) {
      const { owner, buyer, stripe, deliverEventsFrom, random } = parties;
      const changes =
        refund === "in_part"
          ? { remove: [{ productId: 1, quantity: 1 }], shipping: 4_000 }
          : { add: [{ productId: 1, quantity: 1 }] };
      const change = await edit(owner, orderId, changes);
      const { url: link } = (await postExpecting(owner, `${orderPath(orderId)}/items/${change.id}/link`, 200))
        .body;
      const token = new URL(link).searchParams.get("token") ?? "";
      const openPage = () => buyer("POST", `/api/pay-change/${change.id}`, { token });
      const opened = await openPage();
      const session = stripe.sessions().find(({ url }) => url !== null && url === opened.body.data?.url);
      if (!session) throw new Error(`The edit of ${orderId} cannot be paid: ${responseText(opened)}`);
      const paidCents = stripe.intent(intentId).amount_received;
      const refundedCents = { by_owner: 0, at_provider: paidCents, in_part: paidCents - 2_000 }[refund];
      const { id: sessionId } = session;
      edits.push({
        stripe,
        orderId,
        intentId,
        changeId: change.id,
        sessionId,
        refund,
        cents: change.difference,
        refundedCents,
      });

      const pay = () =>
        session.status === "open" && deliverEventsFrom(() => stripe.completeSession(sessionId));
      // The provider's page stays open until the buyer has paid.
      const release = stripe.hold({ path: `/v1/checkout/sessions/${sessionId}/expire` });
      try {
        if (isPaidFirst) pay();
        await delay(random() * 300);
        if (refund === "by_owner") await refundAll(owner, orderId, isPaidFirst);
        else deliverEventsFrom(() => stripe.refundFromDashboard(intentId, refundedCents));
        if (refund === "by_owner") {
          const reopened = await openPage();
          if (reopened.status !== 409)
            throw new Error(`${orderId} was refunded, but its edit: ${responseText(reopened)}`);
        }
        await delay(random() * 600);
        if (!isPaidFirst) pay();
      } finally {
        release();
      }
    },

    async payDraftTwice({ owner, buyer, stripe, deliverEventsFrom, random }, email) {
      const draft = (await postExpecting(owner, "/api/admin/drafts", 201, draftRequest(email))).body.data;
      const draftPath = `/api/admin/drafts/${draft.id}`;
      const { url: link } = (await postExpecting(owner, `${draftPath}/link`, 200)).body;
      const token = new URL(link).searchParams.get("token") ?? "";
      const { total } = draft.quote.totals;
      const recordCash = () =>
        owner("POST", `${draftPath}/paid`, {
          revision: draft.revision,
          method: "cash",
          reason: "At the market",
          amount: total,
        });
      const payByLink = async () => {
        const opened = await buyer("POST", `/api/pay/${draft.id}`, { token, total });
        const session = stripe.sessions().find(({ url }) => url !== null && url === opened.body.data?.url);
        await delay(random() * 20);
        if (session?.status === "open") deliverEventsFrom(() => stripe.completeSession(session.id));
        return opened;
      };
      // For every second draft, cash is recorded while the provider is still creating the page.
      const isPageSlow = draftCount % 2 === 0;
      draftCount += 1;
      const release = isPageSlow
        ? stripe.hold({ method: "POST", path: "/v1/checkout/sessions" })
        : () => undefined;
      const [cashResponse, opened] = await Promise.all([
        delay(isPageSlow ? 300 : random() * 60)
          .then(recordCash)
          .finally(release),
        delay(isPageSlow ? 0 : random() * 60).then(payByLink),
      ]);
      if (![200, 409].includes(cashResponse.status))
        throw new Error(`Cash for a draft: ${responseText(cashResponse)}`);
      if (![200, 409].includes(opened.status)) throw new Error(`A draft's link: ${responseText(opened)}`);
      drafts.push({ stripe, email, cents: total, cashResponse });
    },

    count: () => ({ edits: edits.length, drafts: drafts.length }),

    async problems(db) {
      const problems: string[] = [];
      for (const edit of edits) problems.push(...(await editProblems(db, edit)));
      for (const draft of drafts) problems.push(...(await draftProblems(db, draft)));
      return problems;
    },
  };
}

const orderPath = (orderId: string) => `/api/admin/orders/${orderId}`;

/** Previews and saves an edit as the panel does, once the shop has booked the payment. */
async function edit(
  owner: RepeatedCall,
  orderId: string,
  requested: object,
): Promise<{ id: string; difference: number }> {
  for (const deadline = Date.now() + patienceMs; ; await delay(100)) {
    const preview = await owner("POST", `${orderPath(orderId)}/items/preview`, requested);
    if (preview.status === 200) {
      const { version, difference } = preview.body.data;
      await owner("POST", `${orderPath(orderId)}/items`, { ...requested, version, difference });
    }
    // The edit may have been saved although the response was lost.
    const { changes } = (await owner("GET", orderPath(orderId))).body.data;
    if (changes.length > 0) return changes[0];
    if (Date.now() > deadline) throw new Error(`${orderId} cannot be edited: ${responseText(preview)}`);
  }
}

/** Refunds an order in full. After the response, no payment is requested for an edit of it. */
async function refundAll(owner: RepeatedCall, orderId: string, mayBeApplied: boolean): Promise<void> {
  const key = { "Idempotency-Key": `all of ${orderId}` };
  const response = await owner("POST", `${orderPath(orderId)}/refund`, {}, key);
  if (response.status > 202) throw new Error(`${orderId} cannot be refunded: ${responseText(response)}`);
  const { changes } = (await owner("GET", orderPath(orderId))).body.data;
  const allowedStatuses = mayBeApplied ? ["withdrawn", "applied"] : ["withdrawn"];
  if (!allowedStatuses.includes(changes[0].status)) {
    throw new Error(`${orderId} is refunded, but its edit is ${changes[0].status}`);
  }
}

async function editProblems(db: Db, edit: Edit): Promise<string[]> {
  const { stripe, orderId, intentId, changeId, refund, refundedCents } = edit;
  const { rows } = await db.execute<{ status: string }>(
    sql`select status from order_edits where id = ${changeId}`,
  );
  const status = rows[0]?.status;
  const session = stripe.session(edit.sessionId);
  const isApplied = status === "applied";
  const isPaid = session.payment_intent !== null;
  const paidCents = stripe.intent(intentId).amount_received;
  const keptCents = {
    order: remainingCents(stripe, intentId),
    edit: remainingCents(stripe, session.payment_intent),
  };
  const expectedCents =
    refund === "by_owner"
      ? { order: 0, edit: 0 }
      : { order: paidCents - refundedCents, edit: isApplied ? edit.cents : 0 };
  const problems: string[] = [];
  if (!isApplied && status !== "withdrawn") problems.push(`is ${status}`);
  if (isApplied && !isPaid) problems.push("was applied and not paid");
  if (session.status === "open") problems.push("can still be paid");
  if (keptCents.order !== expectedCents.order || keptCents.edit !== expectedCents.edit) {
    problems.push(`keeps ${JSON.stringify(keptCents)} instead of ${JSON.stringify(expectedCents)}`);
  }
  return problems.map((problem) => `the edit of ${orderId}, refunded ${refund}, ${status}, ${problem}`);
}

async function draftProblems(db: Db, { stripe, email, cents, cashResponse }: Draft): Promise<string[]> {
  const { rows: paid } = await db.execute<{ provider: string; status: string }>(
    sql`select p.provider, o.status from orders o join payments p on p.order_id = o.id and p.status = 'succeeded'
      where o.email = ${email} and o.paid_at is not null`,
  );
  const pages = stripe.sessions().filter(({ customer_email }) => customer_email === email);
  const cardCents = pages.reduce(
    (sum, { payment_intent }) => sum + remainingCents(stripe, payment_intent),
    0,
  );
  const providers = paid.map(({ provider }) => provider);
  const isPaidInCash = providers.includes("manual");
  const problems: string[] = [];
  if (paid.length > 1) problems.push(`was paid ${paid.length} times: ${providers.join(", ")}`);
  if (paid.some(({ status }) => status !== "completed")) problems.push(`is ${paid[0]?.status}`);
  if (cashResponse.status === 200 && !isPaidInCash)
    problems.push("recorded cash for an order that does not exist");
  // A repeated call after a lost response may report that cash was already recorded.
  if (cashResponse.status !== 200 && isPaidInCash && cashResponse.tries === 1)
    problems.push("recorded cash, but responded with an error");
  if (cardCents !== (providers.includes("stripe") ? cents : 0))
    problems.push(`keeps ${cardCents} cents of a card`);
  if (pages.some(({ status }) => status === "open")) problems.push("can still be paid");
  return problems.map((problem) => `the draft of ${email}, ${responseText(cashResponse)}, ${problem}`);
}

function remainingCents(stripe: FakeStripe, intentId: string | null): number {
  return intentId === null ? 0 : stripe.intent(intentId).amount_received - stripe.refundedAmount(intentId);
}

async function postExpecting(
  owner: RepeatedCall,
  path: string,
  status: number,
  body: object = {},
): Promise<RepeatedResponse> {
  const response = await owner("POST", path, body);
  if (response.status !== status) throw new Error(`${path}: ${responseText(response)}`);
  return response;
}

function responseText({ status, body }: RepeatedResponse): string {
  return `${status} ${body?.message ?? ""}`.trim();
}

function draftRequest(email: string) {
  return {
    email,
    customerName: "Ida Kern",
    phone: "512 555 0123",
    shipping: { line1: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" },
    shippingOption: "us-standard",
    items: [{ productId: 1, quantity: 1 }],
  };
}
