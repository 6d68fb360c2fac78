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

/** The id of the request that a token confirms; null for an invalid or expired one. */
export function alertIdIn(secret: string, token: string, now: Date): string | null {
  const [id = "", ...signature] = token.split(".");
  if (!v.is(uuidSchema, id)) return null;
  return isTokenValid(secret, signature.join("."), { purpose, subject: id, now }) ? id : null;
}
