import type { EvidenceFileType, EvidenceSlot, EvidenceTexts } from "../../domain/disputes/evidence.ts";
import type { ShippingAddress } from "../../domain/orders/order.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { BalanceEntryKind, PaymentProviderName } from "../../domain/payments/providers.ts";

/**
 * Interface of a card payment provider. Amounts are in cents. Each implementation has a folder beside this file and an entry in
 * providers.ts.
 */
export type PaymentProvider = {
  readonly name: PaymentProviderName;
  readonly mode: PaymentMode;
  /** Id of the keys' account; null while it is unknown, or if the keys are not allowed to read it. */
  readonly account: string | null;
  /** Loads the account's id if it is not known yet. Never throws. */
  loadAccount(): Promise<void>;
  /** Null if the browser needs none. */
  readonly publishableKey: string | null;

  /** Creates an intent, or returns the one created under the same key. */
  createIntent(input: CreateIntent): Promise<Intent>;
  /**
   * Throws UnknownPayment if the provider does not have the payment; so do all calls about an existing payment. `timeoutMs`:
   * longest wait for the response, a few seconds by default.
   */
  retrieveIntent(intentId: string, timeoutMs?: number): Promise<Intent>;
  /** Cancels an intent. An intent that has succeeded or is processing is returned unchanged. */
  cancelIntent(intentId: string): Promise<Intent>;
  /** Creates a hosted checkout page, or returns the one created under the same key. */
  createSession(input: CreateSession): Promise<Session>;
  retrieveSession(sessionId: string, timeoutMs?: number): Promise<Session>;
  /** Closes the page. A session that is complete or expired is returned unchanged. */
  expireSession(sessionId: string): Promise<Session>;
  /** Refunds a payment, once per key. */
  createRefund(input: CreateRefund): Promise<ProviderRefund>;
  /** All refunds of an intent, including those made in the provider's dashboard. */
  listRefunds(intentId: string): Promise<ProviderRefund[]>;
  /** Succeeded intents created at or after `from` and before `to`, newest first. `from` and `to` must be whole seconds. */
  listSucceededIntents(period: Period): AsyncIterable<Intent>;
  /**
   * Intents created for an order at or after `from`, even if the creating call got no response. Reads the whole list of intents, in
   * one call per hundred.
   */
  listOrderIntents(orderId: string, from: Date): Promise<Intent[]>;
  /** The same for hosted pages. */
  listOrderSessions(orderId: string, from: Date): Promise<Session[]>;
  /** Current state of a dispute. */
  retrieveDispute(disputeId: string): Promise<ProviderDispute>;
  /** All disputes of an intent, in any order. */
  listIntentDisputes(intentId: string): Promise<ProviderDispute[]>;
  /** Disputes opened at or after `from`, in any order. */
  listDisputes(from: Date): AsyncIterable<ProviderDispute>;
  /** Uploads a file of evidence, once per key. Returns its id at the provider. */
  uploadEvidence(input: UploadEvidence): Promise<string>;
  /** Answers a dispute, which is possible once. Returns its new state. */
  answerDispute(input: AnswerDispute): Promise<ProviderDispute>;
  /** Accepts a dispute, which loses it. Refused for a closed dispute. */
  acceptDispute(disputeId: string): Promise<ProviderDispute>;
  /** Page of a dispute in the provider's dashboard; null if there is none. */
  disputeUrl(disputeId: string): string | null;
  /** A bank's warning of a fraudulent payment. */
  retrieveFraudWarning(warningId: string): Promise<FraudWarning>;
  /** The provider's request for a manual review of a payment. */
  retrieveReview(reviewId: string): Promise<PaymentReview>;
  /**
   * A page of the event types that the shop handles (`neededEventTypes`), newest first. Throws ProviderRefused: with
   * `resource_missing` if the event to continue after no longer exists, with `forbidden` if the keys are not allowed to read events.
   */
  listEvents(page: EventPageQuery): Promise<EventPage>;
  /** Refunds created at or after `from`, in any order. */
  listRefundsSince(from: Date): AsyncIterable<ProviderRefund>;
  /** Balance movements at or after `from` and before `to`, newest first: charges, refunds, disputes, fees, payouts. */
  listBalance(period: { from: Date; to: Date }): AsyncIterable<BalanceEntry>;
  /** Page of a payment in the provider's dashboard; null if there is none. */
  dashboardUrl(intentId: string): string | null;
  /** Whether the provider responds. Never throws. */
  ping(): Promise<boolean>;
  /** Verifies the signature and age of a webhook call; throws `InvalidSignature`, of which `WrongMode` is a subclass. */
  parseEvent(rawBody: string, header: (name: string) => string | null): ProviderEvent;
};

/** `to` is now by default. */
export type Period = { from: Date; to?: Date };

export type CreateIntent = {
  orderId: string;
  orderNumber: number;
  amount: number;
  currency: string;
  /** Address for the receipt. */
  email?: string;
  /** Name and delivery address, structured or as the single line of older clients. */
  recipient?: { name: string; address: ShippingAddress | string };
  idempotencyKey: string;
  /** Longest wait for the response, a few seconds by default. */
  timeoutMs?: number;
};

export type CreateSession = CreateIntent & {
  email: string;
  lines: { name: string; quantity: number; unitAmount: number }[];
  /** The provider replaces `{CHECKOUT_SESSION_ID}` in it. */
  successUrl: string;
  cancelUrl: string;
  /** When the order was placed; now by default. */
  createdAt?: Date;
  expiresAt: Date;
};

export type CreateRefund = { intentId: string; amount: number; idempotencyKey: string; refundId: string };

/** A payment as returned by the provider. Amounts in cents. */
export type ProviderPayment = {
  intentId: string;
  status: "requires_payment" | "processing" | "succeeded" | "canceled";
  amount: number;
  /** Captured amount; 0 until the payment succeeds. */
  amountReceived: number;
  currency: string;
};

export type Intent = ProviderPayment & {
  /** The provider's status (`requires_payment_method`, `succeeded`, ...), for the API's responses. */
  providerStatus: string;
  /** Refunded cents, including refunds made in the provider's dashboard. */
  amountRefunded: number;
  /** Payment method as on a receipt, such as "Visa ending in 4242"; null if unknown or unpaid. */
  paidWith: string | null;
  /** Whether the payment was ever disputed; see `listIntentDisputes`. */
  isDisputed: boolean;
  /** Sent only to the paying browser; never logged or stored. */
  clientSecret: string;
  /** Charge of the last declined card, while the intent waits for another. */
  declinedChargeId?: string | null;
  /** `metadata.orderId`; null for another program's payment. */
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
  /** The shop's id of the refund; null for refunds made at the provider. */
  refundId: string | null;
  intentId: string;
  amount: number;
  status: "pending" | "succeeded" | "failed";
  /** Reason for the failure, if the bank or provider gives one. */
  failure: string | null;
  createdAt: Date;
};

export type ProviderDispute = {
  id: string;
  intentId: string;
  /** Disputed amount, in cents. */
  amount: number;
  /** Cents that have left the account and not returned; 0 for an inquiry and after a won dispute is settled. */
  withdrawn: number;
  /** Fees charged and not returned, in cents. */
  fee: number;
  /** The provider's reason in words: "product not received". */
  reason: string;
  /** `closed`: ended without a verdict. */
  status: "needs_response" | "under_review" | "won" | "lost" | "closed";
  /** Whether this is an inquiry, for which no money has left the account so far. */
  isInquiry: boolean;
  /** Number of answers that were sent. */
  answers: number;
  evidenceDueAt: Date | null;
  createdAt: Date;
  withdrawnAt: Date | null;
  reinstatedAt: Date | null;
};

type UploadEvidence = {
  name: string;
  type: EvidenceFileType;
  bytes: Uint8Array;
  idempotencyKey: string;
};

type AnswerDispute = {
  disputeId: string;
  /** Without empty texts. */
  texts: Partial<EvidenceTexts>;
  /** Ids of uploaded files at the provider, by subject. */
  files: Partial<Record<EvidenceSlot, string>>;
  idempotencyKey: string;
};

/** A movement of the balance at the provider, in cents; outgoing amounts are negative. */
export type BalanceEntry = {
  id: string;
  kind: BalanceEntryKind;
  /** Before the fee: the balance changes by `amount - fee`. */
  amount: number;
  fee: number;
  currency: string;
  /** The intent it belongs to; null if there is none. */
  intentId: string | null;
  /** The charge, refund, dispute or payout. */
  sourceId: string | null;
  description: string | null;
  createdAt: Date;
  /** The day on which a payout reaches the bank, `YYYY-MM-DD`; null for other entries. */
  arrivesOn: string | null;
};

/** `fraudType` is readable text, such as "made with stolen card". */
export type FraudWarning = {
  id: string;
  intentId: string | null;
  fraudType: string;
  /** Whether the payment is neither disputed nor fully refunded yet. */
  isActionable: boolean;
};

export type PaymentReview = { id: string; intentId: string | null; isOpen: boolean; reason: string };

/** Kinds of events that the shop handles, for all providers. */
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
 * The stored part of an event: which object changed, but not how. `type` is the provider's event type, which `eventKind`
 * (providers.ts) maps to an EventKind.
 */
export type ProviderEvent = {
  id: string;
  type: string;
  livemode: boolean;
  createdAt: Date;
  objectId: string;
  intentId: string | null;
  /** The declined charge, in events of declines. */
  chargeId?: string | null;
  orderId: string | null;
};

/** Selects events created at or after `from` and before `to`. `after` is the id of the previous page's last event, if any. */
export type EventPageQuery = { from: Date; to: Date; after: string | null };

/** `next` is the id after which to continue; null on the last page. */
export type EventPage = { events: ProviderEvent[]; next: string | null };

/** The provider could not be reached or failed: the outcome is unknown, and the call may be repeated. */
export class ProviderUnavailable extends Error {
  override name: string = "ProviderUnavailable";
}

/** The provider may still be processing this call; repeating it with the same idempotency key returns its result. */
export class ProviderBusy extends ProviderUnavailable {
  override name = "ProviderBusy";
}

/** The provider reported a failure on its side, and may repeat that response under the same idempotency key for a day. */
export class ProviderFailed extends ProviderUnavailable {
  override name = "ProviderFailed";
}

/** The provider rejected the request, for example a refund above the remaining amount, or an unknown id. */
export class ProviderRefused extends Error {
  override name: string = "ProviderRefused";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The provider does not have the payment: the keys belong to another account or mode. */
export class UnknownPayment extends ProviderRefused {
  override name = "UnknownPayment";
  constructor(message: string) {
    super("resource_missing", message);
  }
}

export class InvalidSignature extends Error {
  override name: string = "InvalidSignature";
}

/** A test event for a live shop or a live event for a test shop; its signature may be valid. */
export class WrongMode extends InvalidSignature {
  override name = "WrongMode";
}
