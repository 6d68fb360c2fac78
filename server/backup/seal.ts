import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from "node:crypto";
import * as v from "valibot";

/** Unencrypted parameters from which the key is derived again. */
export const keyRecipeSchema = v.object({
  cipher: v.literal("aes-256-gcm"),
  salt: v.string(),
  cost: v.number(),
  block: v.number(),
  parallel: v.number(),
});
export type KeyRecipe = v.InferOutput<typeof keyRecipeSchema>;

/** Needs 32 MiB and a quarter of a second: as strong as scrypt's usual parameters, which need 128 MiB. */
const usualRecipe = { cipher: "aes-256-gcm", cost: 2 ** 15, block: 8, parallel: 3 } as const;
/** Limits the memory that the parameters in an untrusted file can require. */
const maxMemoryBytes = 256 * 1024 * 1024;
export const tagBytes = 16;

export function newRecipe(): KeyRecipe {
  return { ...usualRecipe, salt: randomBytes(16).toString("base64") };
}

export function deriveKey(passphrase: string, { salt, cost, block, parallel }: KeyRecipe): Promise<Buffer> {
  const options: ScryptOptions = { N: cost, r: block, p: parallel, maxmem: maxMemoryBytes };
  return new Promise((resolve, reject) =>
    // Normalized, because keyboards compose letters differently.
    scrypt(passphrase.normalize("NFKC"), Buffer.from(salt, "base64"), 32, options, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
}

/**
 * Encrypts frames one by one. Each authenticates its number, whether it is the last, and `context`, so that frames cannot be
 * removed, repeated or reordered, nor the end truncated. A key is used for one file only, so that its nonces are unique.
 */
export function createSealer(key: Buffer, context: Buffer) {
  let number = 0;
  return (frame: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv("aes-256-gcm", key, frameNonce(number));
    cipher.setAAD(Buffer.concat([context, Buffer.of(isLast ? 1 : 0)]));
    number += 1;
    return Buffer.concat([cipher.update(frame), cipher.final(), cipher.getAuthTag()]);
  };
}

/** Decrypts the frames in order; throws if one was altered, moved or removed. */
export function createOpener(key: Buffer, context: Buffer) {
  let number = 0;
  return (sealed: Buffer, isLast: boolean): Buffer => {
    const decipher = createDecipheriv("aes-256-gcm", key, frameNonce(number), { authTagLength: tagBytes });
    decipher.setAAD(Buffer.concat([context, Buffer.of(isLast ? 1 : 0)]));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    number += 1;
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
  };
}

function frameNonce(number: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number), 4);
  return nonce;
}
