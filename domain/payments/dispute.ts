import * as v from "valibot";
import { isTestOrder, type PaymentMode } from "./payment-mode.ts";

/** Where a dispute stands. `closed`: it ended without a verdict. */
export const disputeStatuses = ["needs_response", "under_review", "won", "lost", "closed"] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

/** A bank's dispute of a payment, as its owner sees it. Cents, times ISO 8601 UTC. */
export const disputeSchema = v.object({
  id: v.string(),
  amount: v.number(),
  /** Taken for good, once it was lost. */
  chargedBack: v.number(),
  /** Withdrawn while it is undecided. */
  held: v.number(),
  /** What the provider took on top. */
  fee: v.number(),
  /** "product not received" */
  reason: v.string(),
  status: v.picklist(disputeStatuses),
  /** The bank only asks: no money has left (yet). */
  isInquiry: v.boolean(),
  /** Until when it has to be answered. */
  evidenceDueAt: v.nullable(v.string()),
  createdAt: v.string(),
  closedAt: v.nullable(v.string()),
  /** Where it is answered. */
  url: v.nullable(v.string()),
});
export type Dispute = v.InferOutput<typeof disputeSchema>;

/** What an issue before the owner is about, where a dispute raised it, and where it is dealt with. */
export const issueFactsSchema = v.object({
  /** Cents that are disputed; null: it is about no dispute. */
  amount: v.nullable(v.number()),
  reason: v.nullable(v.string()),
  /** Until when it has to be answered; null: nothing waits for an answer. */
  dueAt: v.nullable(v.string()),
  /** The dispute that it is about; null: none, or not known yet. */
  disputeId: v.nullable(v.string()),
  /** In the payment provider's own dashboard; null where there is no such page. */
  url: v.nullable(v.string()),
});
export type IssueFacts = v.InferOutput<typeof issueFactsSchema>;

/**
 * Why an order waits although it is paid: its payment is disputed, all of it is being refunded, a bank warns that the payment is
 * fraud (`fraud`), the provider asks for a look at it (`review`), the owner holds it, a change of its items waits to be paid
 * (`change`), or it was only a test.
 */
export const shipHoldSchema = v.picklist(["dispute", "refund", "fraud", "review", "owner", "change", "test"]);
export type ShipHold = v.InferOutput<typeof shipHoldSchema>;

/** What holds an order back in a shop of this mode. */
export function shipHoldOf(
  { shipHold, mode }: { shipHold: ShipHold | null; mode: PaymentMode | null },
  shop: PaymentMode,
): ShipHold | null {
  return isTestOrder(mode, shop) ? "test" : shipHold;
}

/** Words of an order's history for what disputes did to its money. */
export const disputeNotes = {
  lost: "Charged back by the buyer’s bank",
  won: "Dispute won",
  overturned: "Dispute won after all: the money came back",
  closed: "Dispute closed",
} as const;

/** What is said to who ships such an order. */
export const shipHoldText: Record<ShipHold, string> = {
  dispute: "The buyer’s bank disputes the payment: what you ship now may never be paid for.",
  refund: "All of this order is being refunded: what you ship now will not be paid for.",
  fraud:
    "The card’s bank warns that this payment is fraud: what you ship now may be taken back from you, with a fee.",
  review: "The payment provider asks you to look at this payment before you ship: it may be fraud.",
  change:
    "This order waits for the payment of items that were added to it. Shipped now, it leaves without them.",
  owner: "This order is on hold.",
  test: "This order was placed in test mode: nobody has paid for it.",
};

/** Said of an open dispute of which no parcel has left, on its page and to the owner. */
export const neverShippedText =
  "Nothing of this order has shipped, so nothing can be proved: banks then mostly decide for the customer.";

const statusLabels: Record<DisputeStatus, string> = {
  needs_response: "Waits for your answer",
  under_review: "The bank decides",
  won: "Won",
  lost: "Lost",
  closed: "Closed",
};

/** Why an order is on hold, in a word or two, after "On hold" or alone; null: there is no more to say than that. */
export const shipHoldLabels: Record<ShipHold, string | null> = {
  dispute: "Disputed",
  refund: "Being refunded",
  fraud: "Fraud warning",
  review: "Payment under review",
  owner: null,
  change: null,
  test: null,
};

/** Nothing is left to answer, and nobody decides any more. */
export function isDisputeOver({ status }: { status: DisputeStatus }): boolean {
  return status !== "needs_response" && status !== "under_review";
}

/** "Lost" */
export function disputeLabel({ status }: Pick<Dispute, "status">): string {
  return statusLabels[status];
}
