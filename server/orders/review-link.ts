import { isTokenValid, signToken } from "../platform/http/signed-token.ts";

const validMs = 180 * 24 * 60 * 60 * 1_000;
const tokenPattern = /^([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.(.+)$/;

/** The product and order of a review link. */
export type ReviewedItem = { orderId: string; productId: number };

/** The `review` of an e-mailed review link, `<order id>.<signed token>`: proves the purchase for 180 days on any device. */
export function reviewLinkToken(secret: string, item: ReviewedItem, now: Date): string {
  const expiresAt = new Date(now.getTime() + validMs);
  return `${item.orderId}.${signToken(secret, { ...signedFields(item), expiresAt })}`;
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
  return isTokenValid(secret, signature, { ...signedFields({ orderId, productId }), now }) ? orderId : null;
}

/** The order that a token claims, unverified. */
export function claimedOrder(token: string): string | null {
  return tokenPattern.exec(token)?.[1] ?? null;
}

function signedFields({ orderId, productId }: ReviewedItem): { purpose: string; subject: string } {
  return { purpose: "review-link", subject: `${orderId}:${productId}` };
}
