import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { type ContentKey, type ContentText, contentTextSchema } from "../../domain/content/content.ts";
import { contentKeys } from "../../domain/content/pages.ts";
import type { Versioned } from "./queries.ts";

export type Shipped = { text: ContentText; hash: string };

const folder = join(import.meta.dirname, "../../content");
const read = new Map<ContentKey, Shipped>();

/** Default texts: `content/<key>.md`, whose first lines contain the title and other fields. */
export function shippedContent(key: ContentKey): Shipped {
  let shipped = read.get(key);
  if (shipped === undefined) {
    const file = readFileSync(join(folder, `${key}.md`), "utf8");
    shipped = { text: readFile(file), hash: createHash("sha256").update(file).digest("hex").slice(0, 16) };
    read.set(key, shipped);
  }
  return shipped;
}

/** A page's text as stored in its versions. */
export function pageText(key: ContentKey): Versioned<ContentText> {
  const { text: shipped, hash } = shippedContent(key);
  return { key, schema: contentTextSchema, shipped, hash };
}

/** Read at the start, so that a missing or invalid file stops the start instead of a later request. */
export function readShippedContent(): void {
  for (const key of contentKeys) shippedContent(key);
}

function readFile(file: string): ContentText {
  const [, head = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(file) ?? [];
  const named = head.split("\n").map((line) => {
    const at = line.indexOf(": ");
    return [line.slice(0, at), line.slice(at + 2)];
  });
  const none = { description: "", heading: "", headingWithoutGiving: "", lead: "" };
  return v.parse(contentTextSchema, { ...none, ...Object.fromEntries(named), body });
}
