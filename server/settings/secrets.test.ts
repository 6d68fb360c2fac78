import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../test/database.ts";
import { openSecretsKey } from "../platform/process/secrets-key.ts";
import { ensureSecret, readSecret, writeSecret } from "./secrets.ts";

const dataDir = mkdtempSync(join(tmpdir(), "palmira-secrets-"));
const now = () => new Date();
const openKey = (configuredKey: string | null, formerKeys: string[] = []) =>
  openSecretsKey({ configuredKey, formerKeys, dataDir });
const firstKey = "the first key of a shop, long enough";
const otherKey = "the second key of a shop, long enough";

const database = await createTestDatabase();
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true });
});
beforeEach(() => database.pool.query("delete from secrets"));

const access = (secretsKey = openKey(firstKey)) => ({ db: database.db, secretsKey, now });

test("a secret is stored encrypted and read decrypted", async () => {
  await writeSecret(access(), { name: "stripe", value: "sk_live_hush", facts: { mode: "live" }, now: now() });

  expect(await readSecret(access(), "stripe")).toMatchObject({ state: "set", value: "sk_live_hush" });
  const { rows } = await database.pool.query("select secrets::text as row, sealed from secrets");
  expect(rows[0].row).not.toContain("hush");
  expect(rows[0].sealed.toString("latin1")).not.toContain("hush");
});

test("a secret with another key, another name or changed bytes counts as unreadable, without an exception", async () => {
  await writeSecret(access(), { name: "stripe", value: "sk_live_hush", now: now() });
  expect((await readSecret(access(openKey(otherKey)), "stripe")).state).toBe("unreadable");
  expect((await readSecret(access(openKey(otherKey, [firstKey])), "stripe")).state).toBe("set");

  await database.pool.query("update secrets set name = 'mail'");
  expect((await readSecret(access(), "mail")).state).toBe("unreadable");

  await database.pool.query("update secrets set name = 'stripe', sealed = sealed || '\\x00'::bytea");
  expect((await readSecret(access(), "stripe")).state).toBe("unreadable");
});

test("of two writes to the same version one is rejected", async () => {
  const write = (value: string, expectedVersion: number) =>
    writeSecret(access(), { name: "mail", value, expectedVersion, now: now() });
  expect((await Promise.all([write("a", 0), write("b", 0)])).toSorted()).toEqual([false, true]);
  expect((await Promise.all([write("c", 1), write("d", 1)])).toSorted()).toEqual([false, true]);
  expect(await write("e", 2)).toBe(true);
});

test("concurrent calls generate one secret, which only its key decrypts", async () => {
  let count = 0;
  const generate = () => `secret ${++count}`;
  const secrets = await Promise.all(Array.from({ length: 5 }, () => ensureSecret(access(), "own", generate)));
  expect(new Set(secrets).size).toBe(1);
  expect(await ensureSecret(access(openKey(otherKey)), "own", generate)).toBeNull();
  expect(await ensureSecret(access(), "own", generate)).toBe(secrets[0]);
});

describe("the encryption key", () => {
  test("is generated in DATA_DIR at the first start, readable by its owner only, and read at later starts", () => {
    const generated = openKey(null);
    const file = join(dataDir, "secrets-key");
    expect(generated).toMatchObject({ from: "DATA_DIR", problem: null });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(openKey(null).id).toBe(generated.id);
    expect(generated.id).not.toContain(readFileSync(file, "utf8").trim());

    const { sealed, keyId } = generated.seal("stripe", "hush");
    const configured = openKey(firstKey);
    expect(configured.from).toBe("SECRETS_KEY");
    expect(configured.id).not.toBe(generated.id);
    expect(configured.open("stripe", sealed, keyId)).toBe("hush");
  });

  test("is reported if it cannot be read, and no secret can be stored without it", async () => {
    writeFileSync(join(dataDir, "secrets-key"), "");
    const unreadableKey = openKey(null);
    expect(unreadableKey).toMatchObject({
      from: null,
      id: null,
      problem: expect.stringContaining("secrets-key"),
    });
    expect(() => unreadableKey.seal("stripe", "x")).toThrow();
    expect(await ensureSecret(access(unreadableKey), "own", () => "x")).toBeNull();
    rmSync(join(dataDir, "secrets-key"));
  });
});
