import type { EvidenceFileType, EvidenceSlot, EvidenceTexts } from "../../domain/disputes/evidence.ts";
import type { ShippingAddress } from "../../domain/orders/order.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { BalanceEntryKind, PaymentProviderName } from "../../domain/payments/providers.ts";

/** What the shop asks of a card payment provider. Amounts in cents. Each implementation has a folder here, and a line in providers.ts. */
export type PaymentProvider = {
  readonly name: PaymentProviderName;
  readonly mode: PaymentMode;
  /** The provider's id of the account behind the keys; null while it is not known, or where the keys may not tell. */
  readonly account: string | null;
  /** Asks which account it is, until that is known. Never throws. */
  learnAccount(): Promise<void>;
  /** Null where the browser needs none. */
  readonly publishableKey: string | null;

  /** Creates the intent, or answers the one made before under the same key. */
  createIntent(input: CreateIntent): Promise<Intent>;
  /**
   * Throws UnknownPayment; so do all that end, list or give back something of a payment. `timeoutMs`: longest wait for the
   * answer, a few seconds without it.
   */
  retrieveIntent(intentId: string, timeoutMs?: number): Promise<Intent>;
  /** Cancels it; an intent that has already succeeded (or is processing) is returned as it is, not an error. */
  cancelIntent(intentId: string): Promise<Intent>;
  /** Hosted checkout page. */
  createSession(input: CreateSession): Promise<Session>;
  retrieveSession(sessionId: string, timeoutMs?: number): Promise<Session>;
  /** Closes the page; a session that is already complete or expired is returned as it is. */
  expireSession(sessionId: string): Promise<Session>;
  /** Gives money back; the same key gives it back once. */
  createRefund(input: CreateRefund): Promise<ProviderRefund>;
  retrieveRefund(refundId: string): Promise<ProviderRefund>;
  /** All refunds of an intent, those made in the provider's own dashboard too. */
  listRefunds(intentId: string): Promise<ProviderRefund[]>;
  /** Succeeded intents created at or after `from` and before `to`, the newest first. Periods are of whole seconds. */
  listSucceededIntents(period: Period): AsyncIterable<Intent>;
  /**
   * Intents (or hosted pages) made for an order at or after `from`, whether or not their making was answered. Looks through
   * a list of all there are: a call for each hundred.
   */
  intentsMadeFor(orderId: string, from: Date): Promise<Intent[]>;
  sessionsMadeFor(orderId: string, from: Date): Promise<Session[]>;
  /** One dispute as it stands now. */
  retrieveDispute(disputeId: string): Promise<ProviderDispute>;
  /** All disputes of an intent, oldest first or not. */
  disputesOf(intentId: string): Promise<ProviderDispute[]>;
  /** Disputes opened at or after `from`, in no set order. */
  listDisputes(from: Date): AsyncIterable<ProviderDispute>;
  /** Hands over a file that an answer names; the same key is the same file. Its id at the provider. */
  uploadEvidence(input: UploadEvidence): Promise<string>;
  /** Answers a dispute, which can be done once; it then stands as the provider says. */
  answerDispute(input: AnswerDispute): Promise<ProviderDispute>;
  /** Gives in to a dispute: it is lost. One that is over is refused. */
  acceptDispute(disputeId: string): Promise<ProviderDispute>;
  /** Where a dispute is answered, in the provider's own dashboard; null where there is none. */
  disputeUrl(disputeId: string): string | null;
  /** A bank's warning that a payment may be fraud. */
  retrieveFraudWarning(warningId: string): Promise<FraudWarning>;
  /** The provider's request that a person looks at a payment. */
  retrieveReview(reviewId: string): Promise<PaymentReview>;
  /**
   * A page of the events that mean something to the shop (`neededEventTypes`), newest first. Throws ProviderRefused: with
   * `resource_missing` where it does not know the event to go on after (any more), with `forbidden` where the keys may not
   * read events.
   */
  listEvents(page: EventsWanted): Promise<EventPage>;
  /** Refunds made at or after `from`, in no set order. */
  listRefundsMade(from: Date): AsyncIterable<ProviderRefund>;
  /** Movements of the balance made at or after `from` and before `to`, newest first: charges, refunds, disputes, fees, payouts. */
  listBalance(period: { from: Date; to: Date }): AsyncIterable<BalanceEntry>;
  /** A payment in the provider's own dashboard; null where there is none. */
  dashboardUrl(intentId: string): string | null;
  /** Whether the provider answers. Never throws. */
  ping(): Promise<boolean>;
  /** Verifies the signature and age of what was posted; throws `InvalidSignature`, of which `WrongMode` is one kind. */
  parseEvent(rawBody: string, header: (name: string) => string | null): ProviderEvent;
};

/** Without `to`: until now. */
export type Period = { from: Date; to?: Date };

export type CreateIntent = {
  orderId: string;
  orderNumber: number;
  amount: number;
  currency: string;
  /** Who gets the receipt. */
  email?: string;
  /** Where the goods go: structured, or the older client's one line. */
  shippedTo?: { name: string; address: ShippingAddress | string };
  idempotencyKey: string;
  /** Longest wait for the answer, a few seconds without it. */
  timeoutMs?: number;
};

export type CreateSession = CreateIntent & {
  email: string;
  lines: { name: string; quantity: number; unitAmount: number }[];
  /** `{CHECKOUT_SESSION_ID}` in it is replaced by the provider. */
  successUrl: string;
  cancelUrl: string;
  /** When the order was placed; now without it. */
  createdAt?: Date;
  expiresAt: Date;
};

export type CreateRefund = { intentId: string; amount: number; idempotencyKey: string; refundId: string };

/** A payment as the provider just answered it. Amounts in cents. */
export type ProviderPayment = {
  intentId: string;
  status: "requires_payment" | "processing" | "succeeded" | "canceled";
  amount: number;
  /** What was really captured; 0 until it succeeded. */
  amountReceived: number;
  currency: string;
};

export type Intent = ProviderPayment & {
  /** The provider's own word for the status (`requires_payment_method`, `succeeded`, ...), for the API's answers. */
  providerStatus: string;
  /** Given back so far, in cents, those made in the provider's dashboard included. */
  amountRefunded: number;
  /** How it was paid, as a receipt says it: "Visa ending in 4242"; null: not known, or not paid. */
  paidWith: string | null;
  /** Whether a bank has ever disputed it; `disputesOf` says more. */
  isDisputed: boolean;
  /** Handed to the paying browser alone; never logged or stored. */
  clientSecret: string;
  /** The charge of the last card that was declined, where the intent still waits for another. */
  declinedChargeId?: string | null;
  /** `metadata.orderId`, null for another program's payment. */
  orderId: string | null;
  createdAt: Date;
};

export type Session = {
  id: string;
  url: string | null;
  status: "open" | "complete" | "expired";
  intentId: string | null;
  orderId: string | null;
  amount: number;
  currency: string;
};

export type ProviderRefund = {
  id: string;
  /** The shop's own refund id, where the shop asked for it; null for refunds made at the provider. */
  refundId: string | null;
  intentId: string;
  amount: number;
  status: "pending" | "succeeded" | "failed";
  /** Why the bank or the provider did not carry it out, where they say. */
  failure: string | null;
  createdAt: Date;
};

export type ProviderDispute = {
  id: string;
  intentId: string;
  /** What the bank wants back, in cents. */
  amount: number;
  /** Cents that have left the account and not come back; 0 while the bank only asks, and once a won dispute is settled. */
  withdrawn: number;
  /** Cents that the provider has taken for it and not given back. */
  fee: number;
  /** In the provider's words, for people: "product not received". */
  reason: string;
  /** `closed`: it ended without a verdict. */
  status: "needs_response" | "under_review" | "won" | "lost" | "closed";
  /** The bank only asks: no money has left (yet). */
  isInquiry: boolean;
  /** How often it was answered. */
  answers: number;
  evidenceDueAt: Date | null;
  createdAt: Date;
  withdrawnAt: Date | null;
  reinstatedAt: Date | null;
};

export type UploadEvidence = {
  name: string;
  type: EvidenceFileType;
  bytes: Uint8Array;
  idempotencyKey: string;
};

export type AnswerDispute = {
  disputeId: string;
  /** Without those that say nothing. */
  texts: Partial<EvidenceTexts>;
  /** The provider's ids of uploaded files, by what they show. */
  files: Partial<Record<EvidenceSlot, string>>;
  idempotencyKey: string;
};

/** One movement of the balance at the provider. Cents; what leaves it is negative. */
export type BalanceEntry = {
  id: string;
  kind: BalanceEntryKind;
  /** Before the fee: the balance changes by `amount - fee`. */
  amount: number;
  fee: number;
  currency: string;
  /** The payment it is about; null: none. */
  intentId: string | null;
  /** The charge, refund, dispute or payout. */
  sourceId: string | null;
  description: string | null;
  createdAt: Date;
  /** Of a payout: when the bank has it, `YYYY-MM-DD`. */
  arrivesOn: string | null;
};

/** `fraudType` for people: "made with stolen card". */
export type FraudWarning = {
  id: string;
  intentId: string | null;
  fraudType: string;
  /** Neither disputed nor given back whole by now. */
  isActionable: boolean;
};

export type PaymentReview = { id: string; intentId: string | null; isOpen: boolean; reason: string };

/** What an event means to the shop, whichever provider sent it. */
export type EventKind =
  | "payment_succeeded"
  | "payment_processing"
  | "payment_cancelled"
  /** A card was declined, or a slow payment failed. */
  | "payment_declined"
  | "page_completed"
  | "page_expired"
  | "refund_changed"
  | "dispute_changed"
  | "dispute_closed"
  | "fraud_warning"
  | "review_opened"
  | "review_closed";

/**
 * What is stored of an event: a hint about which object changed. `type` is the provider's own name for it; what it means
 * says `eventKind` (providers.ts).
 */
export type ProviderEvent = {
  id: string;
  type: string;
  livemode: boolean;
  createdAt: Date;
  objectId: string;
  intentId: string | null;
  /** The charge that was declined, in news of that. */
  chargeId?: string | null;
  orderId: string | null;
};

/** Made at or after `from` and before `to`; `after`: older than this one, the last of the page before. */
export type EventsWanted = { from: Date; to: Date; after: string | null };

/** `next`: where the next page begins (`after`); null on the last. */
export type EventPage = { events: ProviderEvent[]; next: string | null };

/** The provider could not be reached, or failed on its side: nothing is known, try again. */
export class ProviderUnavailable extends Error {
  override name: string = "ProviderUnavailable";
}

/** It is, or may be, still at work on this very call: made again under the same key, it will tell what came of it. */
export class ProviderBusy extends ProviderUnavailable {
  override name = "ProviderBusy";
}

/** It answered that it failed on its side. Such an answer may be kept under the call's idempotency key for a day. */
export class ProviderFailed extends ProviderUnavailable {
  override name = "ProviderFailed";
}

/** The provider understood and said no (a refund above what is left, an unknown id). */
export class ProviderRefused extends Error {
  override name: string = "ProviderRefused";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** It has no such payment: the present keys do not open the account or mode in which it was made. */
export class UnknownPayment extends ProviderRefused {
  override name = "UnknownPayment";
  constructor(message: string) {
    super("resource_missing", message);
  }
}

export class InvalidSignature extends Error {
  override name: string = "InvalidSignature";
}

/** A test event where money is real, or the other way round: rightly signed perhaps, and still not ours. */
export class WrongMode extends InvalidSignature {
  override name = "WrongMode";
}
