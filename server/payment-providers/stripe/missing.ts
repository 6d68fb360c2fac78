import type { PaymentMode } from "../../../domain/payments/payment-mode.ts";
import { type PaymentProvider, ProviderUnavailable } from "../provider.ts";

/** Provider without Stripe keys: no card payment can be started, read or ended. */
export function createMissingStripe(mode: PaymentMode): PaymentProvider {
  const missing = (): never => {
    throw new ProviderUnavailable("No keys of Stripe are set");
  };
  const away = async () => missing();
  return {
    name: "stripe",
    mode,
    account: null,
    learnAccount: async () => {},
    publishableKey: null,
    createIntent: away,
    retrieveIntent: away,
    cancelIntent: away,
    createSession: away,
    retrieveSession: away,
    expireSession: away,
    createRefund: away,
    retrieveRefund: away,
    listRefunds: away,
    listSucceededIntents: missing,
    intentsMadeFor: away,
    sessionsMadeFor: away,
    retrieveDispute: away,
    disputesOf: away,
    listDisputes: missing,
    disputeUrl: () => null,
    uploadEvidence: away,
    answerDispute: away,
    acceptDispute: away,
    retrieveFraudWarning: away,
    retrieveReview: away,
    listEvents: away,
    listRefundsMade: missing,
    listBalance: missing,
    dashboardUrl: () => null,
    ping: async () => false,
    // The webhook then answers that it is unavailable, and Stripe sends the event again.
    parseEvent: missing,
  };
}
