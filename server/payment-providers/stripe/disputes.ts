import { randomUUID } from "node:crypto";
import type { Stripe } from "stripe";
import type { PaymentProvider } from "../provider.ts";
import { type Call, jobTimeouts, refusingForbidden, uploadTimeouts } from "./call.ts";
import { toDispute, toFraudWarning, toReview } from "./from-stripe.ts";
import { listAll, unixSeconds } from "./lists.ts";

/** Maximum number of disputes read per payment; banks open one, rarely two. */
const maxDisputes = 100;

/** Calls about disputes, warnings and reviews. A key without permission for them is refused, but not mistaken for a wrong key. */
export function stripeDisputes(stripe: Stripe, anyCall: Call) {
  const call = refusingForbidden(anyCall);
  return {
    async retrieveDispute(disputeId) {
      return toDispute(
        await call("retrieve_dispute", jobTimeouts, (options) =>
          stripe.disputes.retrieve(disputeId, {}, options),
        ),
      );
    },
    async listIntentDisputes(intentId) {
      const disputes = await call("list_disputes", jobTimeouts, (options) =>
        stripe.disputes.list({ payment_intent: intentId, limit: maxDisputes }, options),
      );
      return disputes.data.map(toDispute);
    },
    async *listDisputes(from) {
      const created = { gte: unixSeconds(from) };
      const disputes = listAll((page) =>
        call("list_disputes", jobTimeouts, (options) => stripe.disputes.list({ created, ...page }, options)),
      );
      for await (const dispute of disputes) yield toDispute(dispute);
    },
    async uploadEvidence({ name, type, bytes, idempotencyKey }) {
      const file = { name, type, data: bytes };
      const { id } = await call("upload_evidence", uploadTimeouts, (options) =>
        stripe.files.create({ purpose: "dispute_evidence", file }, { ...options, idempotencyKey }),
      );
      return id;
    },
    async answerDispute({ disputeId, texts, files, idempotencyKey }) {
      const evidence = Object.fromEntries(
        Object.entries({ ...texts, ...files }).map(([name, value]) => [inSnakeCase(name), value]),
      );
      return toDispute(
        await call("answer_dispute", jobTimeouts, (options) =>
          stripe.disputes.update(disputeId, { evidence, submit: true }, { ...options, idempotencyKey }),
        ),
      );
    },
    async acceptDispute(disputeId) {
      return toDispute(
        await call("accept_dispute", jobTimeouts, (options) =>
          stripe.disputes.close(disputeId, {}, { ...options, idempotencyKey: randomUUID() }),
        ),
      );
    },
    async retrieveFraudWarning(warningId) {
      return toFraudWarning(
        await call("retrieve_fraud_warning", jobTimeouts, (options) =>
          stripe.radar.earlyFraudWarnings.retrieve(warningId, {}, options),
        ),
      );
    },
    async retrieveReview(reviewId) {
      return toReview(
        await call("retrieve_review", jobTimeouts, (options) =>
          stripe.reviews.retrieve(reviewId, {}, options),
        ),
      );
    },
  } satisfies Partial<PaymentProvider>;
}

/** "customerPurchaseIp" -> "customer_purchase_ip", the name of Stripe's evidence field. */
function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
