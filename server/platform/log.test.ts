import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "./log.ts";

function loggedLines(write: (log: ReturnType<typeof createLog>) => void): string {
  let output = "";
  const destination = new Writable({
    write(chunk, _encoding, done) {
      output += String(chunk);
      done();
    },
  });
  write(createLog("info", destination));
  return output;
}

test("a failed statement is logged with its reason, without its values", () => {
  const cause = Object.assign(new Error("duplicate key value violates unique constraint"), {
    code: "23505",
    detail: "Key (email)=(ada@example.com) already exists.",
  });
  const error = new DrizzleQueryError(
    "insert into orders values ($1, $2)",
    ["ada@example.com", "1 Main St\nAustin"],
    cause,
  );

  const line = loggedLines((log) => log.error({ err: error }, "a request failed"));

  expect(line).toContain("insert into orders");
  expect(line).toContain("duplicate key");
  expect(line).toContain("log.test.ts");
  expect(line).not.toMatch(/ada|Main St|Austin/);
});

test("tokens of links are removed from logged errors", () => {
  const token = `1.t0p.${"s".repeat(43)}`;
  const error = new Error(`no answer from https://shop.example/orders/7?token=${token}`);
  const line = loggedLines((log) => log.error({ err: error }, "a request failed"));
  expect(line).toContain("/orders/7?token=removed");
  expect(line).not.toContain("sss");
});

test("secrets and e-mail addresses are removed from a log entry's fields", () => {
  const line = loggedLines((log) =>
    log.info({
      order: { id: "A1", email: "ada@example.com", clientSecret: "pi_1_secret_2" },
      authorization: "Bearer t0p",
    }),
  );

  expect(line).toContain("A1");
  expect(line).not.toMatch(/ada@|pi_1_secret_2|t0p/);
});

test("log lines that cannot be written are dropped, and the next line that can be written states their number", () => {
  const folder = mkdtempSync(join(tmpdir(), "palmira-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "log");
  // In a separate process, because the test reuses the file descriptor of a closed file.
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      `
      import { closeSync, openSync, readFileSync } from "node:fs";
      import { createLog, lineWriter } from "./log.ts";
      const file = process.env.LOG_FILE;
      const fd = openSync(file, "a");
      const log = createLog("info", lineWriter(fd));
      log.info("one");
      closeSync(fd);
      log.info("two");
      log.info("three");
      if (openSync(file, "a") !== fd) throw new Error("another file descriptor");
      log.info("four");
      log.info("five");
      process.stdout.write(readFileSync(file, "utf8"));
      `,
    ],
    { cwd: import.meta.dirname, encoding: "utf8", env: { ...process.env, LOG_FILE: file } },
  );
  expect(stderr).toBe("");
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line)).map(({ msg, lost }) => (lost ? [msg, lost] : msg))).toEqual([
    "one",
    ["the log could not be written for a while", 2],
    "four",
    "five",
  ]);
});

test("e-mail addresses in a very long text are found in linear time", () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const longText = "a".repeat(1_000_000);
  log.error({ err: new Error(`${longText} ada@example.com ${longText}`) }, "a request failed");
  expect(lines[0]).toContain("[e-mail]");
  expect(lines[0]).not.toContain("ada@example.com");
});
