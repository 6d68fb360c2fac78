/** The parts of Stripe's objects that the shop's SDK calls and events carry. */
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
  last_payment_error: { type: string; code: string; message: string } | null;
  livemode: boolean;
  metadata: Record<string, string>;
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

export type FakeEvent = {
  id: string;
  object: "event";
  api_version: string;
  created: number;
  livemode: boolean;
  type: string;
  data: { object: object };
};
