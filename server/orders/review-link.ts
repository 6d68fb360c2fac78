import { isTokenValid, signToken } from "../platform/http/signed-token.ts";

const validMs = 180 * 24 * 60 * 60 * 1_000;
const tokenPattern = /^([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.(.+)$/;

/** What a review link is about: one product of one order. */
export type ReviewedItem = { orderId: string; productId: number };

/** The `review` of an e-mailed review link, `<order id>.<signed token>`: proves the purchase for 180 days, anywhere. */
export function reviewLinkToken(secret: string, item: ReviewedItem, now: Date): string {
  const expiresAt = new Date(now.getTime() + validMs);
  return `${item.orderId}.${signToken(secret, { ...signedAs(item), expiresAt })}`;
}

/** The order whose review link of this product it is; null for all else. Never throws. */
export function orderOfReviewLink(
  secret: string,
  token: string,
  productId: number,
  now: Date,
): string | null {
  const [, orderId, signed] = tokenPattern.exec(token) ?? [];
  if (orderId === undefined || signed === undefined) return null;
  return isTokenValid(secret, signed, { ...signedAs({ orderId, productId }), now }) ? orderId : null;
}

/** The order that a token says it is of, without any proof of it. */
export function claimedOrder(token: string): string | null {
  return tokenPattern.exec(token)?.[1] ?? null;
}

function signedAs({ orderId, productId }: ReviewedItem): { purpose: string; subject: string } {
  return { purpose: "review-link", subject: `${orderId}:${productId}` };
}
