import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/database.ts";
import { openSecretsKey } from "../platform/process/secrets-key.ts";
import { ensureSecret, readSecret, writeSecret } from "./secrets.ts";

let database: TestDatabase;
const dataDir = mkdtempSync(join(tmpdir(), "palmira-secrets-"));
const now = () => new Date();
const keyOf = (given: string | null, older: string[] = []) => openSecretsKey({ given, older, dataDir });
const one = "the first key of a shop, long enough";
const other = "the second key of a shop, long enough";

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true });
});
beforeEach(() => database.pool.query("delete from secrets"));

const reach = (secretsKey = keyOf(one)) => ({ db: database.db, secretsKey, now });

test("a secret is stored encrypted, and read back", async () => {
  await writeSecret(reach(), { name: "stripe", value: "sk_live_hush", facts: { mode: "live" }, now: now() });

  expect(await readSecret(reach(), "stripe")).toMatchObject({ state: "set", value: "sk_live_hush" });
  const { rows } = await database.pool.query("select secrets::text as row, sealed from secrets");
  expect(rows[0].row).not.toContain("hush");
  expect(rows[0].sealed.toString("latin1")).not.toContain("hush");
});

test("it is unreadable with another key, under another name, or changed: never an exception", async () => {
  await writeSecret(reach(), { name: "stripe", value: "sk_live_hush", now: now() });
  expect((await readSecret(reach(keyOf(other)), "stripe")).state).toBe("unreadable");
  expect((await readSecret(reach(keyOf(other, [one])), "stripe")).state).toBe("set");

  await database.pool.query("update secrets set name = 'mail'");
  expect((await readSecret(reach(), "mail")).state).toBe("unreadable");

  await database.pool.query("update secrets set name = 'stripe', sealed = sealed || '\\x00'::bytea");
  expect((await readSecret(reach(), "stripe")).state).toBe("unreadable");
});

test("of two who change the same version, one is told so", async () => {
  const write = (value: string, seen: number) =>
    writeSecret(reach(), { name: "mail", value, seen, now: now() });
  expect((await Promise.all([write("a", 0), write("b", 0)])).toSorted()).toEqual([false, true]);
  expect((await Promise.all([write("c", 1), write("d", 1)])).toSorted()).toEqual([false, true]);
  expect(await write("e", 2)).toBe(true);
});

test("what the shop makes for itself is made once, whoever asks first", async () => {
  let made = 0;
  const make = () => `made ${++made}`;
  const all = await Promise.all(Array.from({ length: 5 }, () => ensureSecret(reach(), "own", make)));
  expect(new Set(all).size).toBe(1);
  expect(await ensureSecret(reach(keyOf(other)), "own", make)).toBeNull();
  expect(await ensureSecret(reach(), "own", make)).toBe(all[0]);
});

describe("the key", () => {
  test("is made in DATA_DIR at the first start, for its owner alone, and read from then on", () => {
    const made = keyOf(null);
    const file = join(dataDir, "secrets-key");
    expect(made).toMatchObject({ from: "DATA_DIR", problem: null });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(keyOf(null).id).toBe(made.id);
    expect(made.id).not.toContain(readFileSync(file, "utf8").trim());

    const { sealed, keyId } = made.seal("stripe", "hush");
    const given = keyOf(one);
    expect(given.from).toBe("SECRETS_KEY");
    expect(given.id).not.toBe(made.id);
    expect(given.open("stripe", sealed, keyId)).toBe("hush");
  });

  test("that cannot be read is told, and stops nothing but writing", async () => {
    writeFileSync(join(dataDir, "secrets-key"), "");
    const none = keyOf(null);
    expect(none).toMatchObject({ from: null, id: null, problem: expect.stringContaining("secrets-key") });
    expect(() => none.seal("stripe", "x")).toThrow();
    expect(await ensureSecret(reach(none), "own", () => "x")).toBeNull();
    rmSync(join(dataDir, "secrets-key"));
  });
});
