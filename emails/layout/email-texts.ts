import type { Block, Run } from "../../domain/content/blocks.ts";
import type { ParsedEmail } from "../../domain/content/emails/parsed-email.ts";
import { type EmailTextKind, type FieldsOf, findEmailText } from "../../domain/content/emails/texts.ts";
import { oneLine } from "./one-line.ts";

/** The texts of one e-mail with placeholders replaced by facts. */
export type EmailTexts<K extends EmailTextKind> = {
  /** Throws an error with the `field` if a required text is empty. */
  line(field: FieldsOf<K>): string;
  /** "" if this e-mail has no such field. */
  optionalLine(field: "greeting" | "preheader"): string;
  blocks(field: FieldsOf<K>): Block[];
};

/**
 * `values` by placeholder, a value of several lines as an array; a placeholder whose value is null is removed together with the
 * preceding space.
 */
export function fillTexts<K extends EmailTextKind>(
  kind: K,
  text: ParsedEmail,
  values: Readonly<Record<string, string | readonly string[] | null>>,
): EmailTexts<K> {
  const { paragraphFacts = [], fields } = findEmailText(kind);
  const isWithoutValue = ({ fact }: Run) =>
    fact !== undefined && paragraphFacts.includes(fact) && (values[fact] ?? null) === null;

  function fillRuns(runs: readonly Run[]): Run[] {
    const filledRuns: Run[] = [];
    for (const { fact, ...run } of runs) {
      const last = filledRuns.at(-1);
      if (fact === undefined) {
        filledRuns.push(run);
        continue;
      }
      const value = values[fact];
      if (value === undefined) throw new Error(`${kind} has no fact {{${fact}}}`);
      if (value !== null && value.length > 0)
        filledRuns.push({ ...run, text: [value].flat().map(oneLine).join("\n") });
      else if (last) filledRuns[filledRuns.length - 1] = { ...last, text: last.text.replace(/ $/, "") };
    }
    const [first] = filledRuns;
    if (first) filledRuns[0] = { ...first, text: first.text.trimStart() };
    const last = filledRuns.at(-1);
    if (last) filledRuns[filledRuns.length - 1] = { ...last, text: last.text.trimEnd() };
    return filledRuns.filter((run) => run.text !== "");
  }

  function line(field: string): string {
    const parsed = text[field];
    if (parsed?.kind !== "line") throw new Error(`${kind} has no line ${field}`);
    const lineText = oneLine(plainRuns(fillRuns(parsed.runs)));
    if (lineText === "" && !fields[field]?.isOptional) {
      throw Object.assign(new Error(`${field} of ${kind} is empty`), { field });
    }
    return lineText;
  }

  return {
    line,
    optionalLine: (field) => (field in fields ? line(field) : ""),
    blocks(field) {
      const parsed = text[field];
      if (parsed?.kind !== "words") throw new Error(`${kind} has no paragraphs ${field}`);
      return parsed.blocks.flatMap((block): Block[] => {
        if (block.kind === "list") {
          const items = block.items
            .filter((item) => !item.some(isWithoutValue))
            .map(fillRuns)
            .filter((item) => item.length > 0);
          return items.length > 0 ? [{ ...block, items }] : [];
        }
        if (block.kind !== "paragraph" || block.words.some(isWithoutValue)) return [];
        const words = fillRuns(block.words);
        return words.length > 0 ? [{ ...block, words }] : [];
      });
    },
  };
}

export const plainRuns = (runs: readonly Run[]) => runs.map(({ text }) => text).join("");
