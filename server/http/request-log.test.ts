import { expect, test } from "vitest";
import { requestIds } from "./request-log.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("each request of each process has a unique id in the form of a UUID", () => {
  const [nextHere, nextElsewhere] = [requestIds(), requestIds()];
  const ids = Array.from({ length: 10_000 }, nextHere);
  const otherIds = Array.from({ length: 100 }, nextElsewhere);
  expect(new Set([...ids, ...otherIds]).size).toBe(10_100);
  for (const id of [...ids, ...otherIds]) expect(id).toMatch(uuid);
});
