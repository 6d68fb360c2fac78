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
    const keyPair = createECDH(curve);
    keyPair.generateKeys();
    return keyPair.getPrivateKey("base64url");
  });
  if (privateKey === null) return null;
  const keyPair = createECDH(curve);
  keyPair.setPrivateKey(privateKey, "base64url");
  return { publicKey: keyPair.getPublicKey("base64url"), privateKey };
}

/**
 * Deletes the devices and the key pair after a restore. The restored shop may lack the key that encrypted the pair, and must
 * notify only devices that were registered with itself.
 */
export async function resetPush(tx: Db): Promise<void> {
  await deleteDevices(tx, "all");
  await deleteSecret(tx, secretName);
}
