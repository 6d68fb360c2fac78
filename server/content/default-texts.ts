import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { type ContentKey, type ContentText, contentTextSchema } from "../../domain/content/content.ts";
import { contentKeys } from "../../domain/content/pages.ts";
import type { Versioned } from "./queries.ts";

const folder = join(import.meta.dirname, "../../content");
const defaultTexts = new Map<ContentKey, { text: ContentText; hash: string }>();

/** Default texts: `content/<key>.md`, whose first lines contain the title and other fields. */
export function defaultText(key: ContentKey): { text: ContentText; hash: string } {
  let content = defaultTexts.get(key);
  if (content === undefined) {
    const file = readFileSync(join(folder, `${key}.md`), "utf8");
    content = { text: readFile(file), hash: createHash("sha256").update(file).digest("hex").slice(0, 16) };
    defaultTexts.set(key, content);
  }
  return content;
}

export function pageText(key: ContentKey): Versioned<ContentText> {
  const { text, hash } = defaultText(key);
  return { key, schema: contentTextSchema, defaultText: text, hash };
}

/** Read at startup, so that a missing or invalid file stops startup instead of a later request. */
export function readDefaultTexts(): void {
  for (const key of contentKeys) defaultText(key);
}

function readFile(file: string): ContentText {
  const [, head = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(file) ?? [];
  const fields = head.split("\n").map((line) => {
    const at = line.indexOf(": ");
    return [line.slice(0, at), line.slice(at + 2)];
  });
  const emptyFields = { description: "", heading: "", headingWithoutGiving: "", lead: "" };
  return v.parse(contentTextSchema, { ...emptyFields, ...Object.fromEntries(fields), body });
}
