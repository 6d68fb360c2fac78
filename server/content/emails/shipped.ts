import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EmailWords } from "../../../domain/content/emails/email-edit.ts";
import type { ParsedEmail } from "../../../domain/content/emails/parsed-email.ts";
import {
  type EmailTextKind,
  emailTextGroups,
  emailTextKinds,
  emailTextOf,
} from "../../../domain/content/emails/texts.ts";
import { checkEmail } from "./check.ts";

export type ShippedEmail = { text: EmailWords; hash: string; words: ParsedEmail };

const folder = join(import.meta.dirname, "../../../content/emails");
const read = new Map<EmailTextKind, ShippedEmail>();

/** Default texts: `content/emails/<group>.md`, with a part for each e-mail. */
export function shippedEmail(kind: EmailTextKind): ShippedEmail {
  if (read.size === 0) readShippedEmails();
  const shipped = read.get(kind);
  if (shipped === undefined) throw new Error(`content/emails has no ${kind}`);
  return shipped;
}

/** Read at the start, so that a missing or invalid text stops the start instead of an e-mail. */
export function readShippedEmails(): void {
  for (const { key } of emailTextGroups) {
    const file = readFileSync(join(folder, `${key}.md`), "utf8");
    for (const part of file.split(/^# /m).slice(1)) {
      const [name = ""] = part.split("\n", 1);
      const kind = emailTextKinds.find((one) => one === name.trim());
      if (kind === undefined) throw new Error(`content/emails/${key}.md has an unknown email “${name}”`);
      const text = readPart(kind, part.slice(name.length));
      const { problems, words } = checkEmail(kind, text);
      const [problem] = Object.entries(problems);
      if (problem) throw new Error(`content/emails/${key}.md, ${kind}, ${problem.join(": ")}`);
      const hash = createHash("sha256").update(part).digest("hex").slice(0, 16);
      read.set(kind, { text, hash, words });
    }
  }
}

/** Lines like "subject: Your order", then "## field" with the field's text below. */
function readPart(kind: EmailTextKind, part: string): EmailWords {
  const [head = "", ...below] = part.split(/^## /m);
  const lines = head
    .split("\n")
    .filter((line) => line.includes(": "))
    .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2).trim()] as const);
  const fields = below.map((words) => {
    const [name = ""] = words.split("\n", 1);
    return [name.trim(), words.slice(name.length).trim()] as const;
  });
  const optional = Object.keys(emailTextOf(kind).fields).map((name) => [name, ""] as const);
  return Object.fromEntries([...optional, ...lines, ...fields]);
}
