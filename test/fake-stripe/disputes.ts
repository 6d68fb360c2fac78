import { find, newId, nowSeconds } from "./kept.ts";
import type {
  FakeBalanceTransaction,
  FakeDispute,
  FakeEvent,
  FakeFraudWarning,
  FakeIntent,
  FakeReview,
} from "./objects.ts";

export type NewDispute = {
  /** Cents; missing: all that was paid and not given back. */
  amount?: number;
  /** What Stripe takes for it, in cents. */
  fee?: number;
  reason?: string;
  /** When it has to be answered, in seconds; missing: in a week. */
  dueBy?: number | null;
  /** The bank only asks; no money has left yet. */
  isInquiry?: boolean;
};

const weekSeconds = 7 * 24 * 3600;

type Told = { tell(type: string, object: object): FakeEvent; refundedOf(intentId: string): number };

/** What buyers' banks do about payments, and what Stripe thinks of them. */
export function createDisputes({ tell, refundedOf }: Told, livemode: boolean) {
  const disputes = new Map<string, FakeDispute>();
  const fraudWarnings = new Map<string, FakeFraudWarning>();
  const reviews = new Map<string, FakeReview>();

  function ofIntent(intentId: string): FakeDispute[] {
    return [...disputes.values()].filter(({ payment_intent }) => payment_intent === intentId);
  }

  /** Answers the event of its creation. */
  function openDispute(intent: FakeIntent, given: NewDispute = {}): FakeEvent {
    const { reason = "fraudulent", dueBy = nowSeconds() + weekSeconds, isInquiry = false } = given;
    const before = ofIntent(intent.id).length;
    const dispute: FakeDispute = {
      id: `${intent.id.replace("pi", "dp")}${before === 0 ? "" : `_${before}`}`,
      object: "dispute",
      amount: given.amount ?? intent.amount_received - refundedOf(intent.id),
      balance_transactions: [],
      charge: intent.id.replace("pi", "ch"),
      created: nowSeconds(),
      currency: intent.currency,
      evidence_details: { due_by: dueBy, has_evidence: false, past_due: false, submission_count: 0 },
      is_charge_refundable: isInquiry,
      livemode,
      metadata: {},
      payment_intent: intent.id,
      reason,
      status: isInquiry ? "warning_needs_response" : "needs_response",
    };
    disputes.set(dispute.id, dispute);
    if (isInquiry) return tell("charge.dispute.created", dispute);
    move(dispute, -dispute.amount, given.fee ?? 1500);
    const created = tell("charge.dispute.created", dispute);
    tell("charge.dispute.funds_withdrawn", dispute);
    return created;
  }

  function move(dispute: FakeDispute, amount: number, fee: number): void {
    const moved: FakeBalanceTransaction = {
      id: newId("txn"),
      object: "balance_transaction",
      amount,
      created: nowSeconds(),
      currency: dispute.currency,
      exchange_rate: null,
      fee,
      net: amount - fee,
      reporting_category: amount < 0 ? "dispute" : "dispute_reversal",
      source: dispute.id,
      type: "adjustment",
    };
    dispute.balance_transactions.push(moved);
  }

  /** The bank was not content with the answer to its question: now the money leaves. */
  function escalate(dispute: FakeDispute, fee = 1500): FakeEvent {
    dispute.status = "needs_response";
    dispute.is_charge_refundable = false;
    move(dispute, -dispute.amount, fee);
    return tell("charge.dispute.funds_withdrawn", dispute);
  }

  /** The owner has sent evidence. */
  function answer(dispute: FakeDispute): FakeEvent {
    dispute.status = dispute.status === "warning_needs_response" ? "warning_under_review" : "under_review";
    dispute.evidence_details = { ...dispute.evidence_details, has_evidence: true, submission_count: 1 };
    return tell("charge.dispute.updated", dispute);
  }

  /** `feeBack`: the part of the fee that comes back with the money. Answers the event of its end. */
  function close(dispute: FakeDispute, status: "won" | "lost" | "warning_closed", feeBack = 0): FakeEvent {
    dispute.status = status;
    dispute.is_charge_refundable = status !== "lost";
    if (status === "won") {
      move(dispute, dispute.amount, -feeBack);
      tell("charge.dispute.funds_reinstated", dispute);
    }
    return tell("charge.dispute.closed", dispute);
  }

  function warnOfFraud(intent: FakeIntent, fraudType: string): FakeEvent {
    const warning: FakeFraudWarning = {
      id: newId("issfr"),
      object: "radar.early_fraud_warning",
      actionable: true,
      charge: intent.id.replace("pi", "ch"),
      created: nowSeconds(),
      fraud_type: fraudType,
      livemode,
      payment_intent: intent.id,
    };
    fraudWarnings.set(warning.id, warning);
    return tell("radar.early_fraud_warning.created", warning);
  }

  function openReview(intent: FakeIntent): FakeEvent {
    const review: FakeReview = {
      id: newId("prv"),
      object: "review",
      charge: intent.id.replace("pi", "ch"),
      closed_reason: null,
      created: nowSeconds(),
      livemode,
      open: true,
      opened_reason: "rule",
      payment_intent: intent.id,
      reason: "rule",
    };
    reviews.set(review.id, review);
    return tell("review.opened", review);
  }

  function closeReview(review: FakeReview, reason: string): FakeEvent {
    Object.assign(review, { open: false, closed_reason: reason, reason });
    return tell("review.closed", review);
  }

  return {
    disputes,
    ofIntent,
    openDispute,
    escalate,
    answer,
    close,
    warnOfFraud,
    openReview,
    closeReview,
    dispute: (id: string) => find(disputes, id, "dispute"),
    fraudWarning: (id: string) => find(fraudWarnings, id, "early_fraud_warning"),
    review: (id: string) => find(reviews, id, "review"),
    /** Cents on the balance that disputes have moved so far (negative), their fees apart. */
    moved: () => sum(({ amount }) => amount),
    fees: () => sum(({ fee }) => fee),
  };

  function sum(of: (moved: FakeBalanceTransaction) => number): number {
    return [...disputes.values()]
      .flatMap((dispute) => dispute.balance_transactions)
      .reduce((cents, moved) => cents + of(moved), 0);
  }
}

export type Disputes = ReturnType<typeof createDisputes>;
