import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "./database.ts";

let first: TestDatabase;
let second: TestDatabase;

beforeAll(async () => {
  [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});
afterAll(() => Promise.all([first.drop(), second.drop()]));

test("every test file gets its own migrated database", async () => {
  await first.pool.query("insert into visitors (id, token_hash) values (gen_random_uuid(), '\\x01')");

  const counts = await Promise.all(
    [first, second].map(({ pool }) => pool.query("select count(*)::int as visitors from visitors")),
  );

  expect(counts.map(({ rows }) => rows[0].visitors)).toEqual([1, 0]);
});
