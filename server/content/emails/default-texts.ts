import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type EmailFieldTexts, emailFieldTextsSchema } from "../../../domain/content/emails/email-edit.ts";
import type { ParsedEmail } from "../../../domain/content/emails/parsed-email.ts";
import {
  type EmailTextKind,
  emailTextGroups,
  emailTextKinds,
  findEmailText,
} from "../../../domain/content/emails/texts.ts";
import type { Versioned } from "../queries.ts";
import { checkEmail } from "./check.ts";

type DefaultEmail = { text: EmailFieldTexts; hash: string; words: ParsedEmail };

const folder = join(import.meta.dirname, "../../../content/emails");
const defaultEmails = new Map<EmailTextKind, DefaultEmail>();

/** Default texts: `content/emails/<group>.md`, with a part for each e-mail. */
export function defaultEmail(kind: EmailTextKind): DefaultEmail {
  readDefaultEmails();
  const email = defaultEmails.get(kind);
  if (email === undefined) throw new Error(`content/emails has no ${kind}`);
  return email;
}

/** Read at startup, so that a missing or invalid text stops startup instead of an e-mail. */
export function readDefaultEmails(): void {
  if (defaultEmails.size === emailTextKinds.length) return;
  for (const { key } of emailTextGroups) {
    const file = readFileSync(join(folder, `${key}.md`), "utf8");
    for (const part of file.split(/^# /m).slice(1)) {
      const [name = ""] = part.split("\n", 1);
      const kind = emailTextKinds.find((knownKind) => knownKind === name.trim());
      if (kind === undefined) throw new Error(`content/emails/${key}.md has an unknown email “${name}”`);
      const text = readPart(kind, part.slice(name.length));
      const { problems, words } = checkEmail(kind, text);
      const [problem] = Object.entries(problems);
      if (problem) throw new Error(`content/emails/${key}.md, ${kind}, ${problem.join(": ")}`);
      const hash = createHash("sha256").update(part).digest("hex").slice(0, 16);
      defaultEmails.set(kind, { text, hash, words });
    }
  }
}

/** Lines like "subject: Your order", then "## field" with the field's text below. */
function readPart(kind: EmailTextKind, part: string): EmailFieldTexts {
  const [head = "", ...below] = part.split(/^## /m);
  const lines = head
    .split("\n")
    .filter((line) => line.includes(": "))
    .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2).trim()] as const);
  const fields = below.map((words) => {
    const [name = ""] = words.split("\n", 1);
    return [name.trim(), words.slice(name.length).trim()] as const;
  });
  const optional = Object.keys(findEmailText(kind).fields).map((name) => [name, ""] as const);
  return Object.fromEntries([...optional, ...lines, ...fields]);
}

export const emailKey = (kind: EmailTextKind) => `email:${kind}`;
export const emailKeys = emailTextKinds.map(emailKey);

/** The text of an e-mail as stored in its versions. */
export function emailText(kind: EmailTextKind): Versioned<EmailFieldTexts> {
  const { text, hash } = defaultEmail(kind);
  const complete = (storedText: EmailFieldTexts) => completeEmail(kind, storedText);
  return { key: emailKey(kind), schema: emailFieldTextsSchema, defaultText: text, hash, complete };
}

/** The stored text, with default words for fields that this version of the shop has added since. */
export function completeEmail(kind: EmailTextKind, storedText: EmailFieldTexts): EmailFieldTexts {
  const fieldNames = Object.keys(findEmailText(kind).fields);
  const { text } = defaultEmail(kind);
  return Object.fromEntries(fieldNames.map((name) => [name, storedText[name] ?? text[name] ?? ""]));
}
