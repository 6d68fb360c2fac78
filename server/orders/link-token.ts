import { createHmac, timingSafeEqual } from "node:crypto";

const validDays = 180;
const tokenPattern = /^1\.([0-9a-z]{1,9})\.([A-Za-z0-9_-]{43})$/;

/**
 * The `token` of an e-mailed order link: lets its bearer see this one order for 180 days, on any device, without
 * anything stored. `1.<last second, base 36>.<HMAC-SHA-256>`; the 1 is the format's version.
 */
export function orderLinkToken(secret: string, orderId: string, now: Date): string {
  const expiresAtSeconds = Math.floor(now.getTime() / 1_000) + validDays * 24 * 60 * 60;
  return `1.${expiresAtSeconds.toString(36)}.${sign(secret, orderId, expiresAtSeconds)}`;
}

/** Whether the token was signed for this order and is still good. Never throws. */
export function isOrderLinkTokenValid(secret: string, orderId: string, token: string, now: Date): boolean {
  const [, expiry, signature] = tokenPattern.exec(token) ?? [];
  if (expiry === undefined || signature === undefined) return false;
  const expiresAtSeconds = Number.parseInt(expiry, 36);
  const expected = sign(secret, orderId, expiresAtSeconds);
  return (
    timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) && now.getTime() < expiresAtSeconds * 1_000
  );
}

function sign(secret: string, orderId: string, expiresAtSeconds: number): string {
  // Named, because the same secret signs other things too.
  return createHmac("sha256", secret)
    .update(`order-link:1:${orderId.toLowerCase()}:${expiresAtSeconds}`)
    .digest("base64url");
}
