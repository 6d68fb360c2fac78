import * as v from "valibot";
import { joinAddress, type Order, type ShippingAddress } from "../orders/order.ts";
import type { OrderActions } from "../orders/order-actions.ts";
import { isOpen } from "../orders/order-return.ts";
import { countryName } from "../shared/country.ts";
import { disputeWindowDays } from "./retention.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Replaces names, streets and towns. */
export const erasedText = "Deleted";

/** Replaces e-mail addresses: undeliverable (RFC 2606), and different for each order. */
export function erasedEmail(orderId: string): string {
  return `${orderId}@deleted.invalid`;
}

export function isErasedEmail(email: string): boolean {
  return email.endsWith("@deleted.invalid");
}

/** The parts of an address that tax law requires: the country and, where tax depends on it, the state. */
export function erasedShipping({ country, state }: ShippingAddress): ShippingAddress {
  return { line1: erasedText, line2: null, city: erasedText, state, postalCode: "", country };
}

/** The same in one line. The country of an address that was entered on one line is not certain, so it is not kept. */
export function erasedAddressLine(shipping: ShippingAddress | null): string {
  if (shipping === null) return erasedText;
  const { country } = shipping;
  return joinAddress({ ...erasedShipping(shipping), line1: "", city: "" }, countryName(country) ?? country);
}

type KeepReason = "unpaid" | "attention" | "refund" | "return" | "unshipped" | "returnable" | "disputable";

/** An order whose erasure is postponed; the reason follows "because". */
export const keptOrderSchema = v.object({ number: v.number(), because: v.string() });
export type KeptOrder = v.InferOutput<typeof keptOrderSchema>;

export const keepReasons: Record<KeepReason, string> = {
  unpaid: "its payment is still open",
  attention: "a question about its payment is still open",
  refund: "its refund is not finished",
  return: "its return is not finished",
  unshipped: "it has not been sent yet",
  returnable: "it can still be returned",
  disputable: "its payment can still be disputed with the bank",
};

/**
 * Why an order's personal data must be kept for now; null if it can be erased. `isPayable`: a payment for it can still arrive.
 * `hasIssue`: it has an open payment issue.
 */
export function keepReason(
  order: Order,
  actions: OrderActions,
  { isPayable, hasIssue, now }: { isPayable: boolean; hasIssue: boolean; now: Date },
): KeepReason | null {
  const { status, totals, fulfilment, cancelledAt, allBackAt, paidAt, returns, refunds } = order;
  const holdsMoney = paidAt !== null && totals.refunded + totals.chargedBack < totals.total;
  if (status === "pending" || isPayable) return "unpaid";
  if (hasIssue) return "attention";
  if (refunds.some((refund) => refund.status === "pending")) return "refund";
  if ((cancelledAt !== null || status === "cancelled") && holdsMoney) return "refund";
  if (returns.some(isOpen)) return "return";
  const isFinished = status === "cancelled" || status === "refunded" || allBackAt !== null;
  if (fulfilment === null && !isFinished) return "unshipped";
  if (actions.returnUntil !== null || actions.withdrawUntil !== null) return "returnable";
  const disputableUntil = paidAt === null ? 0 : Date.parse(paidAt) + disputeWindowDays * dayMs;
  return holdsMoney && now.getTime() < disputableUntil ? "disputable" : null;
}
