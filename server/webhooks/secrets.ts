import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { oldSecretHours } from "../../domain/webhooks/webhook.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteSecret, readSecret, writeSecret } from "../settings/secrets.ts";

type Access = Pick<ShopContext, "secretsKey" | "now"> & { db: Db };

const secretName = (webhookId: string) => `webhook:${webhookId}`;
const storedSecretsSchema = v.object({
  current: v.string(),
  former: v.nullable(v.object({ secret: v.string(), until: v.string() })),
});

/**
 * Creates a secret and stores it encrypted. Deliveries are also signed with the previous secret for a day, so that the receiver
 * can be changed without losing a delivery. Returns the secret and when the previous one expires. Throws without a key to
 * encrypt with.
 */
export async function renewSecret(
  access: Access,
  webhookId: string,
): Promise<{ secret: string; oldUntil: Date | null }> {
  const before = await readStoredSecrets(access, webhookId);
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const until = new Date(access.now().getTime() + oldSecretHours * 60 * 60_000);
  const former = before && { secret: before.current, until: until.toISOString() };
  const value = JSON.stringify({ current: secret, former });
  await writeSecret(access, { name: secretName(webhookId), value, now: access.now() });
  return { secret, oldUntil: former && until };
}

/** The secrets that sign now, the current one first; null if this server cannot decrypt them. */
export async function signingSecrets(access: Access, webhookId: string): Promise<string[] | null> {
  const storedSecrets = await readStoredSecrets(access, webhookId);
  if (!storedSecrets) return null;
  const { current, former } = storedSecrets;
  return former && access.now() < new Date(former.until) ? [current, former.secret] : [current];
}

export function deleteSecrets(tx: Db, webhookId: string): Promise<void> {
  return deleteSecret(tx, secretName(webhookId));
}

async function readStoredSecrets(access: Access, webhookId: string) {
  const secret = await readSecret(access, secretName(webhookId));
  return secret.state === "set" ? v.parse(storedSecretsSchema, JSON.parse(secret.value)) : null;
}
