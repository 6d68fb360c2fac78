import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unknownEmails, unknownNouns, withDrawings } from "./draw-rooms.ts";
import { readSources } from "./imports/source.ts";

const root = join(import.meta.dirname, "..");

test("docs/architecture.md draws the current rooms; node scripts/draw-rooms.ts updates it", () => {
  const document = readFileSync(join(root, "docs/architecture.md"), "utf8");

  expect(document).toContain("<!-- end of drawing -->");
  expect(document).toContain("<!-- end of storeys -->");
  expect(document).toContain("<!-- end of nouns -->");
  expect(withDrawings(document, root, readSources(root))).toBe(document);
});

test("a feature's folder has the same name in every root folder", () => {
  expect(unknownNouns(root)).toEqual([]);
  expect(unknownEmails(root)).toEqual([]);
});
