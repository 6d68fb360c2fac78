import * as v from "valibot";
import type { ShopContext } from "../context.ts";
import { uuidParams } from "../platform/http/params.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import { isTokenValid, signToken } from "../platform/http/signed-token.ts";

const linkMs = 2 * 366 * 24 * 60 * 60 * 1000;
const linkPurpose = "payment-link";

/** A draft order, order edit or exchange. Its link is sent to `email`. */
type LinkedPayment = { id: string; email: string };

/**
 * Link with which a draft order, order edit or exchange can be paid while it waits for payment. When its e-mail address changes,
 * the link becomes invalid, so that the holder of the former address cannot open it.
 */
export function paymentLink(
  { config, secret }: Pick<ShopContext, "config" | "secret">,
  { createdAt, ...linked }: LinkedPayment & { createdAt: Date },
): string {
  const expiresAt = new Date(createdAt.getTime() + linkMs);
  const token = signToken(secret, { purpose: linkPurpose, subject: linkSubject(linked), expiresAt });
  return `${config.publicUrl}/pay/${linked.id}?token=${token}`;
}

export function isPaymentLinkValid(
  { secret, now }: ShopContext,
  linked: LinkedPayment,
  token: string,
): boolean {
  // Links mailed before 1.0.0 were signed without the address.
  return [linkSubject(linked), linked.id].some((subject) =>
    isTokenValid(secret, token, { purpose: linkPurpose, subject, now: now() }),
  );
}

const linkSubject = ({ id, email }: LinkedPayment) => `${id}:${email.toLowerCase()}`;

/** Properties shared by the API rows of payment links. */
export const paymentLinkRow = {
  tag: "Checkout and orders",
  access: "anyone",
  byBuyer: true,
  limit: "checkout",
  params: uuidParams,
} as const;
export const linkToken = v.pipe(v.string("Must be text"), v.maxLength(100));
export const nothingToPay =
  "There is nothing to pay here. The link may be incomplete, or we may have withdrawn it.";

/** The response if the provider opened no page for a payment link. */
export function providerProblem(reason: "provider_unavailable" | "provider_refused"): Problem {
  return reason === "provider_unavailable"
    ? problem("provider_unavailable", "Payments can’t be taken right now. Please try again in a minute.")
    : problem("payment_failed", "The payment provider does not take this payment. Please write to us.");
}
