import { createHmac, timingSafeEqual } from "node:crypto";

const tokenPattern = /^1\.([0-9a-z]{1,9})\.([A-Za-z0-9_-]{43})$/;

/**
 * The token of an e-mailed link, which needs no storage: `1.<last second, base 36>.<HMAC-SHA-256>`, where 1 is the version.
 * `purpose` and `subject` are signed but not included, so that a token is valid for them only.
 */
export function signToken(
  secret: string,
  { purpose, subject, expiresAt }: { purpose: string; subject: string; expiresAt: Date },
): string {
  const expiresAtSeconds = Math.floor(expiresAt.getTime() / 1_000);
  return `1.${expiresAtSeconds.toString(36)}.${sign(secret, purpose, subject, expiresAtSeconds)}`;
}

/** Whether the token was signed for this purpose and subject and has not expired. Never throws. */
export function isTokenValid(
  secret: string,
  token: string,
  { purpose, subject, now }: { purpose: string; subject: string; now: Date },
): boolean {
  const [, expiry, signature] = tokenPattern.exec(token) ?? [];
  if (expiry === undefined || signature === undefined) return false;
  const expiresAtSeconds = Number.parseInt(expiry, 36);
  const expected = sign(secret, purpose, subject, expiresAtSeconds);
  return isSameSecret(signature, expected) && now.getTime() < expiresAtSeconds * 1_000;
}

/** Compares in constant time. */
export function isSameSecret(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function sign(secret: string, purpose: string, subject: string, expiresAtSeconds: number): string {
  return createHmac("sha256", secret)
    .update(`${purpose}:1:${subject}:${expiresAtSeconds}`)
    .digest("base64url");
}
