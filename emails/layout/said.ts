import type { Block, Run } from "../../domain/content/blocks.ts";
import type { ParsedEmail } from "../../domain/content/emails/parsed-email.ts";
import { type EmailTextKind, emailTextOf, type FieldsOf } from "../../domain/content/emails/texts.ts";
import { oneLine } from "./one-line.ts";

/** The words of one e-mail, with its facts in the place of their names. */
export type Said<K extends EmailTextKind> = {
  /** Throws an error with the `field` where it says nothing and must. */
  line(field: FieldsOf<K>): string;
  words(field: FieldsOf<K>): Block[];
};

/** `values`: name -> what it stands for; null: there is nothing to say. */
export function sayEmail<K extends EmailTextKind>(
  kind: K,
  text: ParsedEmail,
  values: Readonly<Record<string, string | null>>,
): Said<K> {
  const { alone = [], fields } = emailTextOf(kind);
  const isLost = ({ fact }: Run) =>
    fact !== undefined && alone.includes(fact) && (values[fact] ?? null) === null;

  function said(runs: readonly Run[]): Run[] {
    const whole: Run[] = [];
    for (const { fact, ...run } of runs) {
      const last = whole.at(-1);
      if (fact === undefined) {
        whole.push(run);
        continue;
      }
      const value = values[fact];
      if (value === undefined) throw new Error(`${kind} knows no {{${fact}}}`);
      if (value !== null && value !== "") whole.push({ ...run, text: oneLine(value) });
      // "Hello {{firstName}}," is "Hello," then.
      else if (last) whole[whole.length - 1] = { ...last, text: last.text.replace(/ $/, "") };
    }
    const [first] = whole;
    if (first) whole[0] = { ...first, text: first.text.trimStart() };
    const last = whole.at(-1);
    if (last) whole[whole.length - 1] = { ...last, text: last.text.trimEnd() };
    return whole.filter(({ text: words }) => words !== "");
  }

  return {
    line(field) {
      const parsed = text[field];
      if (parsed?.kind !== "line") throw new Error(`${kind} has no line ${field}`);
      const words = oneLine(plainOf(said(parsed.runs)));
      if (words === "" && !fields[field]?.isOptional) {
        throw Object.assign(new Error(`${field} of ${kind} says nothing`), { field });
      }
      return words;
    },
    words(field) {
      const parsed = text[field];
      if (parsed?.kind !== "words") throw new Error(`${kind} has no words ${field}`);
      return parsed.blocks.flatMap((block): Block[] => {
        if (block.kind === "list") {
          const items = block.items
            .filter((item) => !item.some(isLost))
            .map(said)
            .filter((item) => item.length > 0);
          return items.length > 0 ? [{ ...block, items }] : [];
        }
        if (block.kind !== "paragraph" || block.words.some(isLost)) return [];
        const words = said(block.words);
        return words.length > 0 ? [{ ...block, words }] : [];
      });
    },
  };
}

export const plainOf = (runs: readonly Run[]) => runs.map(({ text }) => text).join("");
