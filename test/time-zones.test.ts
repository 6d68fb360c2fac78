import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// All times in the panel are in the shop's time zone (decision 0048). Formats must name the zone, or the browser's or server's
// would apply.

const sources = globSync([
  "app/features/admin/**/*.{ts,tsx}",
  "app/routes/admin*.tsx",
  "server/**/*.ts",
  "domain/**/*.ts",
  "emails/**/*.tsx",
])
  .filter((file) => !file.includes(".test."))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

test("every format of a time for the owner names its zone", () => {
  const calls = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/DateTimeFormat\(|toLocale(?:Date|Time)String\(|new Date\([^;]*?\)\.toLocaleString\(/g)]
      .map((match) => ({ file, call: callAt(text, match.index + match[0].length) }))
      // A call without arguments only reads the device's zone, which the panel proposes.
      .filter(({ call }) => call !== ""),
  );
  expect(calls.length).toBeGreaterThan(10);
  expect(calls.filter(({ call }) => !/timeZone|\.\.\.day, \.\.\.parts/.test(call))).toEqual([]);
});

test("the panel shows no time in the reader's own zone", () => {
  const panel = sources.filter(({ file }) => file.startsWith("app/"));
  expect(panel.length).toBeGreaterThan(100);
  expect(panel.filter(({ text }) => /ui\/time\.tsx"/.test(text)).map(({ file }) => file)).toEqual([]);
});

/** The arguments of a call whose opening bracket ends at `start`. */
function callAt(text: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; depth > 0 && end < text.length; end++) {
    if (text[end] === "(") depth++;
    if (text[end] === ")") depth--;
  }
  return text.slice(start, end - 1);
}
