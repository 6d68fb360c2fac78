import { Writable } from "node:stream";
import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, test } from "vitest";
import { createLog } from "./log.ts";

function loggedLines(write: (log: ReturnType<typeof createLog>) => void): string {
  let written = "";
  const destination = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  write(createLog("info", destination));
  return written;
}

test("a failed statement is logged with its reason, without what the customer entered", () => {
  const refusal = Object.assign(new Error("duplicate key value violates unique constraint"), {
    code: "23505",
    detail: "Key (email)=(ada@example.com) already exists.",
  });
  const error = new DrizzleQueryError(
    "insert into orders values ($1, $2)",
    ["ada@example.com", "1 Main St\nAustin"],
    refusal,
  );

  const line = loggedLines((log) => log.error({ err: error }, "a request failed"));

  expect(line).toContain("insert into orders");
  expect(line).toContain("duplicate key");
  expect(line).toContain("log.test.ts");
  expect(line).not.toMatch(/ada|Main St|Austin/);
});

test("secrets and e-mail addresses are cut out of what is logged beside a message", () => {
  const line = loggedLines((log) =>
    log.info({
      order: { id: "A1", email: "ada@example.com", clientSecret: "pi_1_secret_2" },
      authorization: "Bearer t0p",
    }),
  );

  expect(line).toContain("A1");
  expect(line).not.toMatch(/ada@|pi_1_secret_2|t0p/);
});
