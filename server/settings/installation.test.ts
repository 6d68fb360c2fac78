import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, afterEach, expect, test } from "vitest";
import { createTestDatabase } from "../../test/database.ts";
import { sessionSecret } from "./installation.ts";
import { installation } from "./tables.ts";

const database = await createTestDatabase();
afterAll(() => database.drop());
const root = mkdtempSync(join(tmpdir(), "palmira-secrets-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
afterEach(async () => {
  await database.db.update(installation).set({ sessionSecret: null, sessionSecretHash: null });
});

/** A server with a DATA_DIR, which is not created yet. */
function openServer(folder: string, configured: string | null = null) {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const dataDir = join(root, folder);
  const file = join(dataDir, "session-secret");
  return {
    lines,
    file,
    start: () => sessionSecret(database.db, { configured, dataDir, log }),
    writeSecretFile(secret: string) {
      mkdirSync(dataDir, { recursive: true });
      writeFileSync(file, `${secret}\n`);
    },
  };
}

test("servers that start at the same moment on an empty database use one secret, and store a copy readable by the owner only", async () => {
  const servers = ["a", "b", "c", "d"].map((name) => openServer(name));
  const secrets = await Promise.all(servers.map(({ start }) => start()));
  expect(secrets[0]).toMatch(/^[\w-]{43}$/);
  expect(new Set(secrets).size).toBe(1);
  for (const { file } of servers) {
    expect(readFileSync(file, "utf8").trim()).toBe(secrets[0]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
});

test("the secret of an existing DATA_DIR is stored in the database, and stays when the folder is deleted", async () => {
  const first = openServer("existing");
  first.writeSecretFile("made-by-the-version-before");
  expect(await first.start()).toBe("made-by-the-version-before");
  rmSync(join(first.file, ".."), { recursive: true });
  expect(await first.start()).toBe("made-by-the-version-before");
  const laterServer = openServer("late");
  laterServer.writeSecretFile("of-a-server-that-came-later");
  expect(await laterServer.start()).toBe("made-by-the-version-before");
  expect([...first.lines, ...laterServer.lines]).toEqual([]);
});

test("an unreadable secret file is logged, and the server starts", async () => {
  const brokenServer = openServer("odd");
  mkdirSync(brokenServer.file, { recursive: true });
  const secret = await brokenServer.start();
  expect(brokenServer.lines.join()).toContain("session-secret cannot be read");
  expect(await openServer("next").start()).toBe(secret);
});

test("SESSION_SECRET takes precedence and is not stored; a value that differs from the stored secret is logged", async () => {
  const generated = await openServer("plain").start();
  const configured = openServer("configured", "from-the-environment");
  expect(await configured.start()).toBe("from-the-environment");
  expect(configured.lines.join()).toContain("SESSION_SECRET differs");
  const [row] = await database.db.select().from(installation);
  expect(row?.sessionSecret).toBe(generated);
});
