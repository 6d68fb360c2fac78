import { and, eq, like } from "drizzle-orm";
import * as v from "valibot";
import type { Order } from "../../domain/orders/order.ts";
import type { Db } from "../platform/database/database.ts";
import { isTokenValid, signToken } from "../platform/http/signed-token.ts";
import { orderEvents } from "./tables.ts";

/** Token of an order's e-mailed link in a call, for a browser that does not own the order. */
export const orderLinkSchema = v.optional(
  v.nullable(v.pipe(v.string("Must be text"), v.maxLength(200))),
  null,
);

const validMs = 180 * 24 * 60 * 60 * 1_000;

type OrderEvent = Pick<Order["events"][number], "actor" | "note">;
type LinkedOrder = { id: string; events: readonly OrderEvent[] };

/** Reads the data that an order's links sign. An unknown order is treated like one that was never corrected. */
export async function linkedOrder(db: Db, id: string): Promise<LinkedOrder> {
  const { actor, note, orderId } = orderEvents;
  const isCorrection = and(eq(orderId, id), like(note, `${correctedNote}%`));
  return { id, events: await db.select({ actor, note }).from(orderEvents).where(isCorrection) };
}

/** Token of an e-mailed order link: shows this order to its bearer for 180 days on any device. */
export function orderLinkToken(secret: string, order: LinkedOrder, now: Date): string {
  const expiresAt = new Date(now.getTime() + validMs);
  return signToken(secret, { ...orderFields(order), expiresAt });
}

/** Whether the token was signed for this order, and has neither expired nor become invalid. Never throws. */
export function isOrderLinkTokenValid(secret: string, order: LinkedOrder, token: string, now: Date): boolean {
  return isTokenValid(secret, token, { ...orderFields(order), now });
}

/** Beginning of the note about a contact that was corrected in the panel; the names of the corrected parts follow. */
export const correctedNote = "Changed: ";

export function isEmailCorrection({ actor, note }: OrderEvent): boolean {
  return actor === "owner" && note !== null && note.startsWith(correctedNote) && / email(,|$)/.test(note);
}

/** Whether two e-mail addresses are the same mailbox; case-insensitive. */
export function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** A correction of the e-mail address changes the signed fields, so that links sent to the former address become invalid. */
function orderFields({ id, events }: LinkedOrder): { purpose: string; subject: string } {
  const corrections = events.filter(isEmailCorrection).length;
  return { purpose: "order-link", subject: id.toLowerCase() + (corrections > 0 ? `:${corrections}` : "") };
}

const tokenPattern = /^([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.(.+)$/;

type ReviewedItem = { order: LinkedOrder; productId: number };

/** The `review` of an e-mailed review link, `<order id>.<signed token>`: proves the purchase for 180 days on any device. */
export function reviewLinkToken(secret: string, item: ReviewedItem, now: Date): string {
  const expiresAt = new Date(now.getTime() + validMs);
  return `${item.order.id}.${signToken(secret, { ...reviewFields(item), expiresAt })}`;
}

/** Whether the review link is for this product of its order, and has neither expired nor become invalid. Never throws. */
export function isReviewLinkValid(secret: string, item: ReviewedItem, token: string, now: Date): boolean {
  const [, orderId, signature] = tokenPattern.exec(token) ?? [];
  if (orderId !== item.order.id || signature === undefined) return false;
  return isTokenValid(secret, signature, { ...reviewFields(item), now });
}

/** The id of the order that a token claims to be for; not verified. */
export function claimedOrder(token: string): string | null {
  return tokenPattern.exec(token)?.[1] ?? null;
}

function reviewFields({ order, productId }: ReviewedItem): { purpose: string; subject: string } {
  return { purpose: "review-link", subject: `${orderFields(order).subject}:${productId}` };
}
