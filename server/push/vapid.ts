import { createECDH } from "node:crypto";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteSecret, ensureSecret } from "../settings/secrets.ts";
import { deleteDevices } from "./devices.ts";

/** Key pair that signs the shop's notifications for push services; browsers subscribe with the public key. Base64url. */
export type VapidKeys = { publicKey: string; privateKey: string };

const curve = "prime256v1";
const secretName = "web_push";

/** The key pair shared by all servers, generated at its first use. Null if this server cannot decrypt it. */
export async function vapidKeys(
  ctx: Pick<ShopContext, "db" | "secretsKey" | "now">,
): Promise<VapidKeys | null> {
  const privateKey = await ensureSecret(ctx, secretName, () => {
    const generated = createECDH(curve);
    generated.generateKeys();
    return generated.getPrivateKey("base64url");
  });
  if (privateKey === null) return null;
  const pair = createECDH(curve);
  pair.setPrivateKey(privateKey, "base64url");
  return { publicKey: pair.getPublicKey("base64url"), privateKey };
}

/**
 * Deletes devices and key pair after a restore: the restored shop may lack the key that encrypted the pair, and must notify
 * only devices registered with itself.
 */
export async function resetPush(tx: Db): Promise<void> {
  await deleteDevices(tx, "all");
  await deleteSecret(tx, secretName);
}
