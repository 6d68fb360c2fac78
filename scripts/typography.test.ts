import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSources } from "./imports/source.ts";

const root = join(import.meta.dirname, "..");
const straight = /\p{L}'(?:s|t|re|ve|ll|d|m)\b|\p{L}s' \p{Ll}/gu;
/** Straight quotation marks in the text between two tags. */
const quoted = /(?<=>)[^<>{}=;()]*[\p{L}\s]"\p{L}[^<>{}=;()]*(?=<)/gu;
/** Texts that only programmers and operators read: descriptions of the API, logs, metrics and internal errors. */
const forOperators =
  /\b(?:summary|description|[2-5]\d\d):\s*(?:"[^"\n]*"|`[^`]*`)|\b(?:log\.\w+|gauge|fail|Error)\((?:"[^"\n]*"|`[^`]*`|[^;"`])*?\);/g;

const straightMarks = (text: string) =>
  [...text.matchAll(straight), ...text.matchAll(quoted)].map(([mark]) => mark);

describe("the check of apostrophes and quotation marks", () => {
  test("finds straight ones in texts, but not in code", () => {
    const text = `<p>Don't choose the "Other" one of the shops' lists</p>; const it = 's'; fn(a => "b")`;
    expect(straightMarks(text)).toHaveLength(3);
    expect(straightMarks(`names.map((name) => '"' + name + '"'); <p className="a">it’s “so”</p>`)).toEqual(
      [],
    );
  });

  test("ignores texts that only programmers read", () => {
    const code = `summary: "The visitor's cart", 404: "Not the visitor's", log.warn({ err }, "the server's"); title: "the shop's"`;
    expect(straightMarks(code.replace(forOperators, ""))).toHaveLength(1);
  });
});

test("texts for people have curly apostrophes and quotation marks", () => {
  const contents = globSync("content/**/*.md", { cwd: root }).map((file) => ({
    file,
    code: readFileSync(join(root, file), "utf8"),
  }));
  const wrong = [...readSources(root), ...contents]
    .filter(({ file }) => !file.includes(".test."))
    .flatMap(({ file, code }) =>
      straightMarks(code.replace(forOperators, "")).map((mark) => `${file}: ${mark}`),
    );
  expect(wrong).toEqual([]);
});

/** Synonyms that the panel must not use: each state has one name (To ship, Published, Hidden, Refunded). */
const synonyms =
  /(?:"|`|>|\s)[^"`<>;{}]*\b(?:off the shop|(?:not|is|put it|one) on show|unpublished|paid back|money back|given back|to be (?:shipped|packed))\b/gi;

test("the panel uses one word for each state", () => {
  const panel = /^app\/(?:features\/admin\/|routes\/admin)/;
  expect('title: "Taken off the shop"'.match(synonyms)).toHaveLength(1);
  const wrong = readSources(root)
    .filter(({ file }) => panel.test(file) && !file.includes(".test."))
    .flatMap(({ file, code }) => (code.match(synonyms) ?? []).map((words) => `${file}: ${words.trim()}`));
  expect(wrong).toEqual([]);
});
