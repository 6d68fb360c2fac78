import { unconfirmedDays } from "../../domain/privacy/retention.ts";
import { isTokenValid, signToken } from "../platform/http/signed-token.ts";

const purpose = "newsletter";

/** The token of the e-mailed link that confirms a sign-up: `<id>.<signature>`. */
export function confirmToken(secret: string, id: number, askedAt: Date): string {
  const expiresAt = new Date(askedAt.getTime() + unconfirmedDays * 24 * 60 * 60 * 1000);
  return `${id}.${signToken(secret, { purpose, subject: String(id), expiresAt })}`;
}

/** The id of the subscriber that a token confirms; null for an invalid or expired one. */
export function subscriberIdIn(secret: string, token: string, now: Date): number | null {
  const [, id = "", signature = ""] = /^([1-9]\d{0,14})\.(.+)$/.exec(token) ?? [];
  return isTokenValid(secret, signature, { purpose, subject: id, now }) ? Number(id) : null;
}
