import * as v from "valibot";
import { type ConditionName, conditionLabels, partLabels } from "./placeholders.ts";

const names = <T extends string>(labels: Record<T, string>) => Object.keys(labels) as T[];

/** Words of one look. Those with a `fact` are its name, until `withFacts` puts in what it stands for. */
const runSchema = v.object({
  text: v.string(),
  fact: v.optional(v.string()),
  onlyIf: v.optional(v.picklist(names<ConditionName>(conditionLabels))),
  href: v.optional(v.string()),
  isStrong: v.optional(v.boolean()),
  isEmphasis: v.optional(v.boolean()),
  isLatin: v.optional(v.boolean()),
});
export type Run = v.InferOutput<typeof runSchema>;

const words = v.array(runSchema);

/** A text as blocks one below the other; no HTML is in it anywhere, so pages can show it as it is. */
export const blockSchema = v.variant("kind", [
  v.object({ kind: v.literal("break") }),
  v.object({ kind: v.literal("heading"), level: v.picklist([1, 2, 3]), id: v.string(), words }),
  v.object({ kind: v.literal("paragraph"), isSmall: v.boolean(), words }),
  v.object({ kind: v.literal("quote"), words }),
  v.object({ kind: v.literal("list"), isNumbered: v.boolean(), items: v.array(words) }),
  v.object({ kind: v.literal("terms"), terms: v.array(v.object({ name: words, words })) }),
  v.object({
    kind: v.literal("part"),
    name: v.picklist(Object.keys(partLabels) as (keyof typeof partLabels)[]),
  }),
]);
export type Block = v.InferOutput<typeof blockSchema>;

/** What the names stand for today. Null: there is nothing to say, and what says nothing else is left out. */
export type FactValues = {
  named: Readonly<Record<string, string | Run[] | null>>;
  holds: Record<ConditionName, boolean>;
};

/** The text as it reads today: without names, conditions, and what is empty then. */
export function withFacts(blocks: readonly Block[], facts: FactValues): Block[] {
  const said = (runs: readonly Run[]) => joined(runs.flatMap((run) => sayRun(run, facts)));
  return blocks.flatMap((block): Block[] => {
    switch (block.kind) {
      case "break":
      case "part":
        return [block];
      case "list": {
        const items = block.items.map(said).filter(isSaying);
        return items.length > 0 ? [{ ...block, items }] : [];
      }
      case "terms": {
        const terms = block.terms
          .map(({ name, words }) => ({ name: said(name), words: said(words) }))
          .filter(({ words }) => isSaying(words));
        return terms.length > 0 ? [{ ...block, terms }] : [];
      }
      default: {
        const words = said(block.words);
        return isSaying(words) ? [{ ...block, words }] : [];
      }
    }
  });
}

function sayRun({ fact, onlyIf, ...look }: Run, { named, holds }: FactValues): Run[] {
  if (onlyIf !== undefined && !holds[onlyIf]) return [];
  if (fact === undefined) return [look];
  const value = named[fact] ?? null;
  if (value === null) return [];
  return typeof value === "string" ? [{ ...look, text: value }] : value.map((run) => ({ ...look, ...run }));
}

const placeholder = /\s?\{\{\s*([A-Za-z]+)\s*\}\}/g;

/** A line as it reads today. What says nothing today is left out, with the space before it. */
export function lineWithFacts(line: string, { named }: Pick<FactValues, "named">): string {
  const said = line.replace(placeholder, (whole, name: string) => {
    const value = named[name] ?? null;
    if (value === null) return "";
    return `${/^\s/.test(whole) ? " " : ""}${typeof value === "string" ? value : textOfRuns(value)}`;
  });
  return said.trim();
}

/** The names in double braces that a line has, and whether each brace belongs to one. */
export function namesInLine(line: string): { names: string[]; isFinished: boolean } {
  const names = [...line.matchAll(placeholder)].map(([, name = ""]) => name);
  return { names, isFinished: !/\{\{|\}\}/.test(line.replace(placeholder, "")) };
}

/** Neighboring runs of one look as one: pages then have whole sentences. */
function joined(runs: readonly Run[]): Run[] {
  const whole: Run[] = [];
  for (const run of runs) {
    const last = whole.at(-1);
    const isAlike = last && looks.every((look) => last[look] === run[look]);
    if (isAlike) whole[whole.length - 1] = { ...last, text: last.text + run.text };
    else whole.push(run);
  }
  return whole;
}
const looks = ["href", "isStrong", "isEmphasis", "isLatin"] as const;

const isSaying = (runs: readonly Run[]) => runs.some(({ text }) => text.trim() !== "");

export const textOfRuns = (runs: readonly Run[]) =>
  runs
    .map(({ text }) => text)
    .join("")
    .replace(/\s+/g, " ")
    .trim();

/** The bare words, as search engines are told them. */
export function textOf(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) => {
      if (block.kind === "list") return block.items.map(textOfRuns);
      if (block.kind === "terms")
        return block.terms.map(({ name, words }) => `${textOfRuns(name)}: ${textOfRuns(words)}`);
      return block.kind === "break" || block.kind === "part" ? [] : [textOfRuns(block.words)];
    })
    .join(" ");
}

export type Answer = { question: string; blocks: Block[] };

/** Of the questions' text: each heading with what follows it. */
export function answersOf(blocks: readonly Block[]): Answer[] {
  const answers: Answer[] = [];
  for (const block of blocks) {
    if (block.kind === "heading") answers.push({ question: textOfRuns(block.words), blocks: [] });
    else answers.at(-1)?.blocks.push(block);
  }
  return answers;
}
