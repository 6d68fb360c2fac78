import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const folders = "app,assets,bench,db,deploy,docs,domain,drill,e2e,emails,public,scripts,server,test";
/** All but the texts of `content/`, whose links are addresses of the shop. */
const documents = globSync(["*.md", `{${folders}}/**/*.md`], { cwd: root });
const readText = (file: string) => readFileSync(join(root, file), "utf8");

/** Words in backticks that begin with a folder of the program are paths; `*` stands for any name. */
const path = new RegExp(`^(?:content|${folders.replaceAll(",", "|")})/[\\w./*-]*$`);

function pathsIn(text: string): string[] {
  const words = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = ""]) => code.split(/[\s,;()]+/));
  return words.filter((word) => path.test(word));
}

const missingPaths = (text: string) =>
  pathsIn(text).filter((word) => globSync(word, { cwd: root }).length === 0);

/** GitHub's name for a heading. */
const headingAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

function brokenLinks(file: string, text: string): string[] {
  const links = [...text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  return links.flatMap(([link, target = "", anchor]) => {
    const linkedFile = target === "" ? file : join(dirname(file), target);
    if (!existsSync(join(root, linkedFile))) return [link];
    if (anchor === undefined) return [];
    const headings = [...readText(linkedFile).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      headingAnchor(heading),
    );
    return headings.includes(anchor) ? [] : [link];
  });
}

describe("the check of documents", () => {
  test("reports a path and a link that lead nowhere", () => {
    const text =
      "`server/nowhere.ts`, `server/*.ts` and [a page](nowhere.md), [here](#a-heading)\n## A heading\n";
    expect(missingPaths(text)).toEqual(["server/nowhere.ts"]);
    expect(brokenLinks("README.md", text)).toEqual(["](nowhere.md)", "](#a-heading)"]);
  });
});

test.each(documents)("every path and link in %s exists", (file) => {
  const text = readText(file);
  expect({ paths: missingPaths(text), links: brokenLinks(file, text) }).toEqual({ paths: [], links: [] });
});

test("each flow in docs/architecture.md names as many files as it counts", () => {
  const flow = /^## (.+)$((?:(?!^## )[\s\S])*?)^(\d+) files/gm;
  const flows = [...readText("docs/architecture.md").matchAll(flow)];
  expect(flows.map(([, title, , count]) => [title, Number(count)])).toEqual(
    flows.map(([, title, steps = ""]) => [title, new Set(pathsIn(steps)).size]),
  );
  expect(flows).toHaveLength(5);
});

test("each decision has a unique number and is in the list, which names the next number", () => {
  const files = globSync("*.md", { cwd: join(root, "docs/decisions") }).filter((file) => /^\d/.test(file));
  const numbers = files.map((file) => file.slice(0, 4)).sort();
  expect(numbers).toEqual([...new Set(numbers)]);
  for (const file of files) {
    expect(readText(`docs/decisions/${file}`)).toMatch(new RegExp(`^# ${file.slice(0, 4)}\\. `));
  }

  const list = readText("docs/decisions/README.md");
  const entries = [...list.matchAll(/^- \[(\d{4}) [^\]]+\]\((\S+\.md)\)/gm)];
  expect(entries.map(([, , file]) => file).sort()).toEqual(files.sort());
  for (const [, number, file] of entries) expect(file).toMatch(new RegExp(`^${number}-`));
  const next = String(Number(numbers.at(-1)) + 1).padStart(4, "0");
  expect(list).toContain(`Next number: ${next}.`);
});
