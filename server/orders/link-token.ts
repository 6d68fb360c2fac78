import { isTokenValid, signToken } from "../platform/http/signed-token.ts";

const validMs = 180 * 24 * 60 * 60 * 1_000;

/** Token of an e-mailed order link: shows this order to its bearer for 180 days on any device. */
export function orderLinkToken(secret: string, orderId: string, now: Date): string {
  const expiresAt = new Date(now.getTime() + validMs);
  return signToken(secret, { ...signedFields(orderId), expiresAt });
}

/** Whether the token was signed for this order and has not expired. Never throws. */
export function isOrderLinkTokenValid(secret: string, orderId: string, token: string, now: Date): boolean {
  return isTokenValid(secret, token, { ...signedFields(orderId), now });
}

function signedFields(orderId: string): { purpose: string; subject: string } {
  return { purpose: "order-link", subject: orderId.toLowerCase() };
}
