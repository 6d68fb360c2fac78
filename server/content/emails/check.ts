import type { Run } from "../../../domain/content/blocks.ts";
import type { EmailWords } from "../../../domain/content/emails/email-edit.ts";
import type { EmailField } from "../../../domain/content/emails/email-text.ts";
import type { ParsedEmail, ParsedField } from "../../../domain/content/emails/parsed-email.ts";
import { type EmailTextKind, emailTextOf } from "../../../domain/content/emails/texts.ts";
import { turnsText } from "../../../domain/shared/required-text.ts";
import { typedFacts } from "../check.ts";
import { type Grammar, parseContent } from "../parse.ts";

export type CheckedEmail = {
  words: ParsedEmail;
  /** Field -> problem that keeps the text from being published. */
  problems: Record<string, string>;
  warnings: string[];
};

/** Parses an e-mail's text, which is valid if there are no problems. `isPublished`: see `Grammar`. */
export function checkEmail(kind: EmailTextKind, text: EmailWords, isPublished = false): CheckedEmail {
  const { facts, fields } = emailTextOf(kind);
  const isFact = (name: string) => Object.hasOwn(facts, name);
  const words: Record<string, ParsedField> = {};
  const problems: Record<string, string> = {};
  for (const [name, field] of Object.entries(fields)) {
    const typed = text[name] ?? "";
    const read =
      field.kind === "line"
        ? readLine(typed, isFact)
        : readWords(typed, { kind: "email", isFact, isPublished });
    words[name] = read.field;
    const problem = problemOf(field, typed, read);
    if (problem !== null) problems[name] = problem;
  }
  for (const name of Object.keys(text)) {
    if (!Object.hasOwn(fields, name)) problems[name] = "This email has no such field";
  }
  const byHand = typedFacts(Object.values(text).join("\n"));
  return { words, problems, warnings: byHand === null ? [] : [byHand] };
}

type ReadField = { field: ParsedField; wrong: string[]; names: ReadonlySet<string> };

function problemOf(field: EmailField, typed: string, { wrong, names }: ReadField): string | null {
  if (typed === "") return field.isOptional ? null : "Please write something";
  if (typed.length > field.most) return `At most ${field.most} characters`;
  if (wrong.length > 0) return wrong.slice(0, 5).join("\n");
  const missing = (field.needs ?? []).filter((name) => !names.has(name));
  if (missing.length === 0) return null;
  const list = missing.map((name) => `{{${name}}}`).join(", ");
  return `${list} ${missing.length === 1 ? "is" : "are"} missing: this email must say that here`;
}

const placeholder = /\{\{\s*([A-Za-z]+)\s*\}\}/g;

/** One line of plain text. */
function readLine(typed: string, isFact: (name: string) => boolean): ReadField {
  const runs: Run[] = [];
  const wrong: string[] = [];
  const names = new Set<string>();
  const say = (text: string) => {
    if (/\{\{|\}\}/.test(text)) wrong.push("A placeholder is not finished: it is written {{name}}.");
    if (text !== "") runs.push({ text });
  };
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(typed)) wrong.push("Must be one line");
  if (turnsText.test(typed)) wrong.push("Contains characters that change the direction of text");
  let from = 0;
  for (const match of typed.matchAll(placeholder)) {
    const [whole, name = ""] = match;
    say(typed.slice(from, match.index));
    from = match.index + whole.length;
    names.add(name);
    if (isFact(name)) runs.push({ text: "", fact: name });
    else wrong.push(`There is no placeholder {{${name}}} in this email. Choose one from the list.`);
  }
  say(typed.slice(from));
  return { field: { kind: "line", runs }, wrong, names };
}

function readWords(typed: string, grammar: Grammar): ReadField {
  const { blocks, problems, names } = parseContent(grammar, typed);
  return { field: { kind: "words", blocks }, wrong: problems, names };
}
