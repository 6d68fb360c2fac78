import * as v from "valibot";
import { isTestOrder, type PaymentMode } from "../payments/payment-mode.ts";

/** `closed`: ended without a decision. */
const disputeStatuses = ["needs_response", "under_review", "won", "lost", "closed"] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

/** A bank's dispute of a payment, for the owner. Cents, times ISO 8601 UTC. */
export const disputeSchema = v.object({
  id: v.string(),
  amount: v.number(),
  /** Cents withdrawn for good after the dispute was lost. */
  chargedBack: v.number(),
  /** Cents withheld while it is undecided. */
  held: v.number(),
  fee: v.number(),
  /** "product not received" */
  reason: v.string(),
  status: v.picklist(disputeStatuses),
  /** An inquiry: no money has been taken (yet). */
  isInquiry: v.boolean(),
  /** Deadline for the answer. */
  evidenceDueAt: v.nullable(v.string()),
  createdAt: v.string(),
  closedAt: v.nullable(v.string()),
  /** The page on which to answer it. */
  url: v.nullable(v.string()),
});
export type Dispute = v.InferOutput<typeof disputeSchema>;

/** Facts about an issue that a dispute has caused. */
export const issueFactsSchema = v.object({
  /** Disputed cents; null if there is no dispute. */
  amount: v.nullable(v.number()),
  reason: v.nullable(v.string()),
  /** Deadline for the answer; null if none is needed. */
  dueAt: v.nullable(v.string()),
  /** The dispute's id; null if there is none, or it is not known yet. */
  disputeId: v.nullable(v.string()),
  /** Page in the payment provider's dashboard; null if there is none. */
  url: v.nullable(v.string()),
});
export type IssueFacts = v.InferOutput<typeof issueFactsSchema>;

/**
 * Why a paid order must not ship now: its payment is disputed, it is being refunded in full, a bank suspects fraud (`fraud`),
 * the provider wants a review (`review`), the owner holds it, an edit is unpaid (`change`), or it is a test.
 */
export const shipHoldSchema = v.picklist(["dispute", "refund", "fraud", "review", "owner", "change", "test"]);
export type ShipHold = v.InferOutput<typeof shipHoldSchema>;

/** The ship hold of an order in a shop of this mode. */
export function activeShipHold(
  { shipHold, mode }: { shipHold: ShipHold | null; mode: PaymentMode | null },
  shop: PaymentMode,
): ShipHold | null {
  return isTestOrder(mode, shop) ? "test" : shipHold;
}

/** End of an open dispute's message until the order ships. The message is embedded in sentences that add the full stop. */
export const nothingShipped =
  ". Nothing of this order has shipped, so nothing can be proved: banks then mostly decide for the customer";

/** Notes in an order's history about disputes. */
export const disputeNotes = {
  lost: "Charged back by the buyer’s bank",
  won: "Dispute won",
  overturned: "Dispute won after all: the money came back",
  closed: "Dispute closed",
} as const;

/** Warnings for people about to ship the order. */
export const shipHoldText: Record<ShipHold, string> = {
  dispute: "The buyer’s bank disputes the payment: what you ship now may never be paid for.",
  refund: "All of this order is being refunded: what you ship now will not be paid for.",
  fraud:
    "The card’s bank warns that this payment is fraud: what you ship now may be taken back from you, with a fee.",
  review: "The payment provider asks you to look at this payment before you ship: it may be fraud.",
  change: "This order is waiting for payment of the added items. If you ship it now, it leaves without them.",
  owner: "This order is on hold.",
  test: "This order was placed in test mode: nobody has paid for it.",
};

const statusLabels: Record<DisputeStatus, string> = {
  needs_response: "Waiting for your answer",
  under_review: "The bank decides",
  won: "Won",
  lost: "Lost",
  closed: "Closed",
};

/** The reason in a word or two, shown alone or after "On hold"; null if "On hold" says enough. */
export const shipHoldLabels: Record<ShipHold, string | null> = {
  dispute: "Disputed",
  refund: "Being refunded",
  fraud: "Fraud warning",
  review: "Payment under review",
  owner: null,
  change: null,
  test: null,
};

/** Whether the owner has to answer the bank. */
export function needsAnswer({ status }: { status: DisputeStatus }): boolean {
  return status === "needs_response";
}

/** Whether the dispute is decided or closed. */
export function isDisputeOver({ status }: { status: DisputeStatus }): boolean {
  return status !== "needs_response" && status !== "under_review";
}

/** "Lost" */
export function disputeLabel({ status }: Pick<Dispute, "status">): string {
  return statusLabels[status];
}
