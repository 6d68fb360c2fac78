import * as v from "valibot";
import { expect, test } from "vitest";
import { randomUuid } from "./random-uuid.ts";

test("randomUuid returns version 4 UUIDs, each different", () => {
  const ids = Array.from({ length: 200 }, randomUuid);
  const schema = v.pipe(v.string(), v.uuid(), v.regex(/^.{14}4.{4}[89ab]/));
  expect(ids.every((id) => v.is(schema, id))).toBe(true);
  expect(new Set(ids).size).toBe(200);
});
