/** The parts of Stripe's objects that occur in the shop's SDK calls and events. */
export type FakeIntent = {
  id: string;
  object: "payment_intent";
  amount: number;
  amount_received: number;
  currency: string;
  status: "requires_payment_method" | "requires_action" | "processing" | "succeeded" | "canceled";
  client_secret: string;
  created: number;
  description: string | null;
  last_payment_error: { type: string; code: string; message: string; charge?: string } | null;
  livemode: boolean;
  metadata: Record<string, string>;
  receipt_email?: string | null;
  shipping?: object | null;
  statement_descriptor_suffix?: string | null;
};

export type FakeSession = {
  id: string;
  object: "checkout.session";
  amount_total: number;
  currency: string;
  customer_email: string | null;
  created: number;
  expires_at: number;
  livemode: boolean;
  metadata: Record<string, string>;
  mode: "payment";
  /** Null until the shopper pays. */
  payment_intent: string | null;
  payment_status: "unpaid" | "paid";
  status: "open" | "complete" | "expired";
  success_url: string;
  url: string | null;
};

export type FakeRefund = {
  id: string;
  object: "refund";
  amount: number;
  created: number;
  currency: string;
  metadata: Record<string, string>;
  payment_intent: string;
  status: "pending" | "succeeded" | "failed";
  failure_reason?: string;
};

export type FakeDispute = {
  id: string;
  object: "dispute";
  amount: number;
  balance_transactions: FakeBalanceTransaction[];
  charge: string;
  created: number;
  currency: string;
  evidence: Record<string, string>;
  evidence_details: {
    due_by: number | null;
    has_evidence: boolean;
    past_due: boolean;
    submission_count: number;
  };
  is_charge_refundable: boolean;
  livemode: boolean;
  metadata: Record<string, string>;
  payment_intent: string;
  reason: string;
  status: FakeDisputeStatus;
};

/** A file uploaded as evidence. */
export type FakeFile = {
  id: string;
  object: "file";
  created: number;
  filename: string;
  purpose: "dispute_evidence";
  size: number;
  type: string;
};

type FakeDisputeStatus =
  | "warning_needs_response"
  | "warning_under_review"
  | "warning_closed"
  | "needs_response"
  | "under_review"
  | "won"
  | "lost";

/** A movement of the account's balance; outgoing amounts are negative. `fee` is charged in addition. */
export type FakeBalanceTransaction = {
  id: string;
  object: "balance_transaction";
  amount: number;
  created: number;
  currency: string;
  exchange_rate: number | null;
  fee: number;
  net: number;
  reporting_category: "dispute" | "dispute_reversal";
  source: string;
  type: "adjustment";
};

export type FakeFraudWarning = {
  id: string;
  object: "radar.early_fraud_warning";
  actionable: boolean;
  charge: string;
  created: number;
  fraud_type: string;
  livemode: boolean;
  payment_intent: string;
};

export type FakeReview = {
  id: string;
  object: "review";
  charge: string;
  closed_reason: string | null;
  created: number;
  livemode: boolean;
  open: boolean;
  opened_reason: "rule" | "manual";
  payment_intent: string;
  reason: string;
};

export type FakeEvent = {
  id: string;
  object: "event";
  api_version: string;
  created: number;
  livemode: boolean;
  type: string;
  data: { object: object };
};

/** `metadata` and `id` are missing in endpoints that a test adds as if made in the dashboard. */
export type FakeEndpoint = {
  id?: string;
  object?: "webhook_endpoint";
  api_version?: string | null;
  created?: number;
  description?: string | null;
  enabled_events: string[];
  livemode?: boolean;
  metadata?: Record<string, string>;
  status: "enabled" | "disabled";
  url: string;
  /** Sent only in the response to its creation. */
  secret?: string;
};
