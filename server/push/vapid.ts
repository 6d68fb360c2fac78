import { createECDH } from "node:crypto";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { ensureSecret, forgetSecret } from "../settings/secrets.ts";
import { endDevices } from "./devices.ts";

/** What tells push services that a notification is this shop's. Browsers subscribe with the public key. Base64url. */
export type VapidKeys = { publicKey: string; privateKey: string };

const curve = "prime256v1";
const secretName = "web_push";

/** The shop's one pair, the same on all servers: made at its first use. Null: this server cannot read it. */
export async function vapidKeys(
  ctx: Pick<ShopContext, "db" | "secretsKey" | "now">,
): Promise<VapidKeys | null> {
  const privateKey = await ensureSecret(ctx, secretName, () => {
    const made = createECDH(curve);
    made.generateKeys();
    return made.getPrivateKey("base64url");
  });
  if (privateKey === null) return null;
  const pair = createECDH(curve);
  pair.setPrivateKey(privateKey, "base64url");
  return { publicKey: pair.getPublicKey("base64url"), privateKey };
}

/**
 * A restored shop tells nobody until they ask for it again, and may run without the key that its secrets were encrypted
 * with: it makes a pair of its own.
 */
export async function startPushAnew(tx: Db): Promise<void> {
  await endDevices(tx, "all");
  await forgetSecret(tx, secretName);
}
