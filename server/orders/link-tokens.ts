import * as v from "valibot";
import type { Order } from "../../domain/orders/order.ts";
import { isTokenValid, signToken } from "../platform/http/signed-token.ts";

/** Token of an order's e-mailed link in a call, for a browser that does not own the order. */
export const orderLinkSchema = v.optional(
  v.nullable(v.pipe(v.string("Must be text"), v.maxLength(200))),
  null,
);

const validMs = 180 * 24 * 60 * 60 * 1_000;

type LinkedOrder = Pick<Order, "id" | "events">;

/** Token of an e-mailed order link: shows this order to its bearer for 180 days on any device. */
export function orderLinkToken(secret: string, order: LinkedOrder, now: Date): string {
  const expiresAt = new Date(now.getTime() + validMs);
  return signToken(secret, { ...orderFields(order), expiresAt });
}

/** Whether the token was signed for this order and has not expired or ended. Never throws. */
export function isOrderLinkTokenValid(secret: string, order: LinkedOrder, token: string, now: Date): boolean {
  return isTokenValid(secret, token, { ...orderFields(order), now });
}

/** Begins the note of a contact that was corrected in the panel; the names of what was corrected follow. */
export const correctedNote = "Changed: ";

export function isEmailCorrection({ actor, note }: Pick<Order["events"][number], "actor" | "note">): boolean {
  return actor === "owner" && note !== null && note.startsWith(correctedNote) && /\bemail\b/.test(note);
}

/** A correction of the e-mail address ends the links mailed before, since they are at the former one. */
function orderFields({ id, events }: LinkedOrder): { purpose: string; subject: string } {
  const corrections = events.filter(isEmailCorrection).length;
  return { purpose: "order-link", subject: id.toLowerCase() + (corrections > 0 ? `:${corrections}` : "") };
}

const tokenPattern = /^([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.(.+)$/;

type ReviewedItem = { orderId: string; productId: number };

/** The `review` of an e-mailed review link, `<order id>.<signed token>`: proves the purchase for 180 days on any device. */
export function reviewLinkToken(secret: string, item: ReviewedItem, now: Date): string {
  const expiresAt = new Date(now.getTime() + validMs);
  return `${item.orderId}.${signToken(secret, { ...reviewFields(item), expiresAt })}`;
}

/** The order of a valid review link for this product; null otherwise. Never throws. */
export function orderOfReviewLink(
  secret: string,
  token: string,
  productId: number,
  now: Date,
): string | null {
  const [, orderId, signature] = tokenPattern.exec(token) ?? [];
  if (orderId === undefined || signature === undefined) return null;
  return isTokenValid(secret, signature, { ...reviewFields({ orderId, productId }), now }) ? orderId : null;
}

/** The order that a token claims, unverified. */
export function claimedOrder(token: string): string | null {
  return tokenPattern.exec(token)?.[1] ?? null;
}

function reviewFields({ orderId, productId }: ReviewedItem): { purpose: string; subject: string } {
  return { purpose: "review-link", subject: `${orderId}:${productId}` };
}
