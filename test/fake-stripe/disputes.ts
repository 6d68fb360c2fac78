import { find, newId, nowSeconds } from "./collection.ts";
import type {
  FakeBalanceTransaction,
  FakeDispute,
  FakeEvent,
  FakeFile,
  FakeFraudWarning,
  FakeIntent,
  FakeReview,
} from "./objects.ts";
import { StripeProblem } from "./problem.ts";

export type NewDispute = {
  /** Cents; by default the paid amount less refunds. */
  amount?: number;
  /** Stripe's fee in cents. */
  fee?: number;
  reason?: string;
  /** Deadline of the answer, in seconds since 1970; by default in a week. */
  dueBy?: number | null;
  /** An inquiry: no money has been withdrawn yet. */
  isInquiry?: boolean;
};

/** Fields of evidence that contain the id of a file. */
const fileFields = new Set([
  "cancellation_policy",
  "customer_communication",
  "customer_signature",
  "duplicate_charge_documentation",
  "receipt",
  "refund_policy",
  "service_documentation",
  "shipping_documentation",
  "uncategorized_file",
]);
/** Fields of evidence that contain text. */
const textFields = [
  "access_activity_log",
  "billing_address",
  "cancellation_policy_disclosure",
  "cancellation_rebuttal",
  "customer_email_address",
  "customer_name",
  "customer_purchase_ip",
  "duplicate_charge_explanation",
  "duplicate_charge_id",
  "product_description",
  "refund_policy_disclosure",
  "refund_refusal_explanation",
  "service_date",
  "shipping_address",
  "shipping_carrier",
  "shipping_date",
  "shipping_tracking_number",
  "uncategorized_text",
];
export const evidenceFields = [...fileFields, ...textFields];

const weekSeconds = 7 * 24 * 3600;

type DisputeDeps = {
  emitEvent(type: string, object: object): FakeEvent;
  refundedAmount(intentId: string): number;
};

/** Disputes and fraud warnings by banks, and reviews by Stripe. */
export function createDisputes({ emitEvent, refundedAmount }: DisputeDeps, livemode: boolean) {
  const disputes = new Map<string, FakeDispute>();
  const fraudWarnings = new Map<string, FakeFraudWarning>();
  const reviews = new Map<string, FakeReview>();
  const files = new Map<string, FakeFile>();

  function ofIntent(intentId: string): FakeDispute[] {
    return [...disputes.values()].filter(({ payment_intent }) => payment_intent === intentId);
  }

  /** Returns the event of its creation. */
  function openDispute(intent: FakeIntent, overrides: NewDispute = {}): FakeEvent {
    const { reason = "fraudulent", dueBy = nowSeconds() + weekSeconds, isInquiry = false } = overrides;
    const earlierCount = ofIntent(intent.id).length;
    const dispute: FakeDispute = {
      id: `${intent.id.replace("pi", "dp")}${earlierCount === 0 ? "" : `_${earlierCount}`}`,
      object: "dispute",
      amount: overrides.amount ?? intent.amount_received - refundedAmount(intent.id),
      balance_transactions: [],
      charge: intent.id.replace("pi", "ch"),
      created: nowSeconds(),
      currency: intent.currency,
      evidence: {},
      evidence_details: { due_by: dueBy, has_evidence: false, past_due: false, submission_count: 0 },
      is_charge_refundable: isInquiry,
      livemode,
      metadata: {},
      payment_intent: intent.id,
      reason,
      status: isInquiry ? "warning_needs_response" : "needs_response",
    };
    disputes.set(dispute.id, dispute);
    if (isInquiry) return emitEvent("charge.dispute.created", dispute);
    addTransaction(dispute, -dispute.amount, overrides.fee ?? 1500);
    const creationEvent = emitEvent("charge.dispute.created", dispute);
    emitEvent("charge.dispute.funds_withdrawn", dispute);
    return creationEvent;
  }

  function addTransaction(dispute: FakeDispute, amount: number, fee: number): void {
    const transaction: FakeBalanceTransaction = {
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
    dispute.balance_transactions.push(transaction);
  }

  /** The bank turns an inquiry into a dispute and withdraws the money. */
  function escalate(dispute: FakeDispute, fee = 1500): FakeEvent {
    dispute.status = "needs_response";
    dispute.is_charge_refundable = false;
    addTransaction(dispute, -dispute.amount, fee);
    return emitEvent("charge.dispute.funds_withdrawn", dispute);
  }

  /** The owner has sent evidence. */
  function answer(dispute: FakeDispute): FakeEvent {
    dispute.status = dispute.status === "warning_needs_response" ? "warning_under_review" : "under_review";
    const { submission_count: earlierSubmissions } = dispute.evidence_details;
    dispute.evidence_details = {
      ...dispute.evidence_details,
      has_evidence: true,
      submission_count: earlierSubmissions + 1,
    };
    return emitEvent("charge.dispute.updated", dispute);
  }

  /** Stores evidence sent through the API; with `isSubmitted` passes it on to the bank, which is possible once. */
  function update(dispute: FakeDispute, evidence: Record<string, string>, isSubmitted: boolean): void {
    if (!dispute.status.endsWith("needs_response")) {
      throw StripeProblem.refused(null, "This dispute can no longer be updated.");
    }
    const { due_by: dueBy } = dispute.evidence_details;
    if (dueBy !== null && dueBy < nowSeconds()) {
      throw StripeProblem.refused(null, "The deadline for this dispute has passed.");
    }
    for (const [name, value] of Object.entries(evidence)) {
      if (!fileFields.has(name)) continue;
      find(files, value, "file");
    }
    const texts = Object.entries(evidence).filter(([name]) => !fileFields.has(name));
    if (texts.reduce((sum, [, value]) => sum + value.length, 0) > 150_000) {
      throw StripeProblem.invalid(null, "The combined character count of all evidence fields is too high.");
    }
    Object.assign(dispute.evidence, evidence);
    if (isSubmitted) answer(dispute);
  }

  function addFile(file: Pick<FakeFile, "filename" | "size" | "type">): FakeFile {
    if (file.size > 5 * 1024 * 1024) throw StripeProblem.invalid(null, "File size exceeds the maximum");
    if (!["pdf", "jpg", "png"].includes(file.type)) throw StripeProblem.invalid(null, "Invalid file type");
    const newFile: FakeFile = {
      id: newId("file"),
      object: "file",
      created: nowSeconds(),
      purpose: "dispute_evidence",
      ...file,
    };
    files.set(newFile.id, newFile);
    return newFile;
  }

  /** `feeBack`: refunded part of the fee. Returns the event of the dispute's end. */
  function close(dispute: FakeDispute, status: "won" | "lost" | "warning_closed", feeBack = 0): FakeEvent {
    dispute.status = status;
    dispute.is_charge_refundable = status !== "lost";
    if (status === "won") {
      addTransaction(dispute, dispute.amount, -feeBack);
      emitEvent("charge.dispute.funds_reinstated", dispute);
    }
    return emitEvent("charge.dispute.closed", dispute);
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
    return emitEvent("radar.early_fraud_warning.created", warning);
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
    return emitEvent("review.opened", review);
  }

  function closeReview(review: FakeReview, reason: string): FakeEvent {
    Object.assign(review, { open: false, closed_reason: reason, reason });
    return emitEvent("review.closed", review);
  }

  return {
    disputes,
    ofIntent,
    openDispute,
    escalate,
    answer,
    update,
    files,
    addFile,
    close,
    warnOfFraud,
    openReview,
    closeReview,
    dispute: (id: string) => find(disputes, id, "dispute"),
    fraudWarning: (id: string) => find(fraudWarnings, id, "early_fraud_warning"),
    review: (id: string) => find(reviews, id, "review"),
    /** Cents moved on the balance by disputes so far (negative), without their fees. */
    movedCents: () => sum(({ amount }) => amount),
    fees: () => sum(({ fee }) => fee),
  };

  function sum(getAmount: (transaction: FakeBalanceTransaction) => number): number {
    return [...disputes.values()]
      .flatMap((dispute) => dispute.balance_transactions)
      .reduce((cents, transaction) => cents + getAmount(transaction), 0);
  }
}
