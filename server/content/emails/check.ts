import type { Run } from "../../../domain/content/blocks.ts";
import type { EmailFieldTexts } from "../../../domain/content/emails/email-edit.ts";
import type { EmailField } from "../../../domain/content/emails/email-text.ts";
import type { ParsedEmail, ParsedField } from "../../../domain/content/emails/parsed-email.ts";
import { type EmailTextKind, findEmailText } from "../../../domain/content/emails/texts.ts";
import { directionControls } from "../../../domain/shared/required-text.ts";
import { hardcodedFactsWarning } from "../check.ts";
import { type Grammar, parseContent } from "../parse.ts";

type CheckedEmail = {
  words: ParsedEmail;
  /** Field -> problem that keeps the text from being published. */
  problems: Record<string, string>;
  warnings: string[];
};

/** Parses an e-mail's text, which is valid if there are no problems. `isPublished`: see `Grammar`. */
export function checkEmail(kind: EmailTextKind, text: EmailFieldTexts, isPublished = false): CheckedEmail {
  const { facts, fields } = findEmailText(kind);
  const isFact = (name: string) => Object.hasOwn(facts, name);
  const words: Record<string, ParsedField> = {};
  const problems: Record<string, string> = {};
  for (const [name, field] of Object.entries(fields)) {
    const input = text[name] ?? "";
    const result =
      field.kind === "line"
        ? readLine(input, isFact)
        : readBlocks(input, { kind: "email", isFact, isPublished });
    words[name] = result.field;
    const problem = fieldProblem(field, input, result);
    if (problem !== null) problems[name] = problem;
  }
  for (const name of Object.keys(text)) {
    if (!Object.hasOwn(fields, name)) problems[name] = "This email has no such field";
  }
  const warning = hardcodedFactsWarning(Object.values(text).join("\n"));
  return { words, problems, warnings: warning === null ? [] : [warning] };
}

type ReadField = { field: ParsedField; problems: string[]; names: ReadonlySet<string> };

function fieldProblem(field: EmailField, input: string, { problems, names }: ReadField): string | null {
  if (input === "") return field.isOptional ? null : "Please write something";
  if (input.length > field.most) return `At most ${field.most} characters`;
  if (problems.length > 0) return problems.slice(0, 5).join("\n");
  const missing = (field.needs ?? []).filter((name) => !names.has(name));
  if (missing.length === 0) return null;
  const list = missing.map((name) => `{{${name}}}`).join(", ");
  return `${list} ${missing.length === 1 ? "is" : "are"} missing: this email needs ${missing.length === 1 ? "it" : "them"} here`;
}

const placeholder = /\{\{\s*([A-Za-z]+)\s*\}\}/g;

/** One line of plain text. */
function readLine(input: string, isFact: (name: string) => boolean): ReadField {
  const runs: Run[] = [];
  const problems: string[] = [];
  const names = new Set<string>();
  const addTextRun = (text: string) => {
    if (/\{\{|\}\}/.test(text)) problems.push("A placeholder is not finished: it is written {{name}}.");
    if (text !== "") runs.push({ text });
  };
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(input)) problems.push("Must be one line");
  if (directionControls.test(input)) problems.push("Contains characters that change the direction of text");
  let from = 0;
  for (const match of input.matchAll(placeholder)) {
    const [whole, name = ""] = match;
    addTextRun(input.slice(from, match.index));
    from = match.index + whole.length;
    names.add(name);
    if (isFact(name)) runs.push({ text: "", fact: name });
    else problems.push(`There is no placeholder {{${name}}} in this email. Choose one from the list.`);
  }
  addTextRun(input.slice(from));
  return { field: { kind: "line", runs }, problems, names };
}

function readBlocks(input: string, grammar: Grammar): ReadField {
  const { blocks, problems, names } = parseContent(grammar, input);
  return { field: { kind: "words", blocks }, problems, names };
}
