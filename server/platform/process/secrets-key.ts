import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inOneLine } from "../log.ts";

/** The key that encrypts the shop's stored secrets; it is not in the database. */
export type SecretsKey = {
  /** Source of the key; null if there is none, for the reason in `problem`. */
  from: "SECRETS_KEY" | "DATA_DIR" | null;
  /** Identifies the key without revealing it; null without one. */
  id: string | null;
  problem: string | null;
  /** Encrypts a text, bound to its name; throws without a key. */
  seal(name: string, text: string): { sealed: Buffer; keyId: string };
  /** Null if it was encrypted with a key that this server does not have or under another name, or was changed. */
  open(name: string, sealed: Buffer, keyId: string): string | null;
};

const secretsKeyFile = "secrets-key";
/** The first byte of an encrypted secret. */
const formatVersion = 1;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * `configuredKey`: SECRETS_KEY, or null for the file in DATA_DIR, which is created if missing unless `canCreate` is false.
 * `formerKeys` only decrypt. The key is read or created at its first use. Never throws: without a key the shop works with the
 * provider keys from its environment.
 */
export function openSecretsKey({
  configuredKey,
  formerKeys,
  dataDir,
  canCreate = true,
}: {
  configuredKey: string | null;
  formerKeys: readonly string[];
  dataDir: string;
  canCreate?: boolean;
}): SecretsKey {
  let loadedKeys: ReturnType<typeof readKeys> | null = null;
  const keys = () => {
    loadedKeys ??= readKeys({ configuredKey, formerKeys, dataDir, canCreate });
    return loadedKeys;
  };
  return {
    get from() {
      return keys().from;
    },
    get id() {
      return keys().current?.id ?? null;
    },
    get problem() {
      return keys().problem;
    },
    seal(name, text) {
      const { current } = keys();
      if (current === null) throw new Error("There is no key to encrypt with");
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", current.bytes, nonce).setAAD(boundTo(name));
      const content = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      const sealed = Buffer.concat([Buffer.of(formatVersion), nonce, cipher.getAuthTag(), content]);
      return { sealed, keyId: current.id };
    },
    open(name, sealed, keyId) {
      // Readers generate no key, since a new one would be wrong.
      const { keysById } = loadedKeys ?? readKeys({ configuredKey, formerKeys, dataDir, canCreate: false });
      const key = keysById.get(keyId);
      const contentStart = 1 + nonceBytes + tagBytes;
      if (!key || sealed[0] !== formatVersion || sealed.length < contentStart) return null;
      try {
        const nonce = sealed.subarray(1, 1 + nonceBytes);
        const decipher = createDecipheriv("aes-256-gcm", key.bytes, nonce, { authTagLength: tagBytes })
          .setAAD(boundTo(name))
          .setAuthTag(sealed.subarray(1 + nonceBytes, contentStart));
        return Buffer.concat([decipher.update(sealed.subarray(contentStart)), decipher.final()]).toString(
          "utf8",
        );
      } catch {
        return null;
      }
    },
  };
}

function readKeys({ configuredKey, formerKeys, dataDir, canCreate }: Parameters<typeof openSecretsKey>[0]) {
  const file = fileKey(join(dataDir, secretsKeyFile), {
    canCreate: canCreate === true && configuredKey === null,
  });
  const fileText = "text" in file ? file.text : null;
  const texts = [configuredKey, fileText, ...formerKeys].filter((text) => text !== null);
  const keysById = new Map(texts.map(derive).map((key) => [key.id, key]));
  const ownKeyText = configuredKey ?? fileText;
  return {
    keysById,
    current: ownKeyText === null ? null : derive(ownKeyText),
    from:
      configuredKey !== null ? ("SECRETS_KEY" as const) : fileText !== null ? ("DATA_DIR" as const) : null,
    problem: configuredKey === null && "problem" in file ? file.problem : null,
  };
}

/** Binds a secret to its row: copied to another row it cannot be decrypted. */
function boundTo(name: string): Buffer {
  return Buffer.from(`palmira secret ${name}`);
}

function derive(text: string): { id: string; bytes: Buffer } {
  const part = (info: string, length: number) =>
    Buffer.from(hkdfSync("sha256", text, "palmira", info, length));
  return { bytes: part("encrypt secrets", 32), id: part("id of key", 4).toString("hex") };
}

/** The key in DATA_DIR, mode 600. Servers that create it concurrently in one folder get the same key. */
function fileKey(
  path: string,
  { canCreate }: { canCreate: boolean },
): { text: string } | { problem: string } {
  try {
    if (!existsSync(path)) {
      if (!canCreate) return { problem: "DATA_DIR/secrets-key is not there yet" };
      mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
      const temporaryPath = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.new`;
      try {
        writeFileSync(temporaryPath, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
        linkSync(temporaryPath, path);
      } catch (error) {
        if (!existsSync(path)) throw error;
      } finally {
        rmSync(temporaryPath, { force: true });
      }
    }
    const text = readFileSync(path, "utf8").trim();
    return text === "" ? { problem: "DATA_DIR/secrets-key is empty" } : { text };
  } catch (error) {
    return { problem: `DATA_DIR/secrets-key cannot be read or made: ${inOneLine(error)}` };
  }
}
