import * as v from "valibot";
import { unconfirmedDays } from "../../domain/privacy/retention.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { isTokenValid, signToken } from "../platform/http/signed-token.ts";

const purpose = "stock-alert";

/** The token of the e-mailed link that confirms a request: `<id>.<signature>`. */
export function confirmToken(secret: string, alertId: string, askedAt: Date): string {
  const expiresAt = new Date(askedAt.getTime() + unconfirmedDays * 24 * 60 * 60 * 1000);
  return `${alertId}.${signToken(secret, { purpose, subject: alertId, expiresAt })}`;
}

/** Which request a token confirms; null for an invalid or expired one. */
export function alertIdIn(secret: string, token: string, now: Date): string | null {
  const [id = "", ...signed] = token.split(".");
  if (!v.is(uuidSchema, id)) return null;
  return isTokenValid(secret, signed.join("."), { purpose, subject: id, now }) ? id : null;
}
