import * as v from "valibot";
import { type ConditionName, conditionLabels, partLabels } from "./placeholders.ts";

const names = <T extends string>(labels: Record<T, string>) => Object.keys(labels) as T[];

/** A piece of text of one style. A `fact` is a placeholder's name, until `fillPlaceholders` replaces it by its value. */
const runSchema = v.object({
  text: v.string(),
  fact: v.optional(v.string()),
  onlyIf: v.optional(v.picklist(names<ConditionName>(conditionLabels))),
  href: v.optional(v.string()),
  isStrong: v.optional(v.boolean()),
  isEmphasis: v.optional(v.boolean()),
  /** A botanical name, in italics. */
  isLatin: v.optional(v.boolean()),
});
export type Run = v.InferOutput<typeof runSchema>;

const runsSchema = v.array(runSchema);

/** A text as a sequence of blocks. It contains no HTML, so pages can render it safely. */
export const blockSchema = v.variant("kind", [
  v.object({ kind: v.literal("break") }),
  v.object({ kind: v.literal("heading"), level: v.picklist([1, 2, 3]), id: v.string(), words: runsSchema }),
  v.object({ kind: v.literal("paragraph"), isSmall: v.boolean(), words: runsSchema }),
  v.object({ kind: v.literal("quote"), words: runsSchema }),
  v.object({ kind: v.literal("list"), isNumbered: v.boolean(), items: v.array(runsSchema) }),
  v.object({ kind: v.literal("terms"), terms: v.array(v.object({ name: runsSchema, words: runsSchema })) }),
  v.object({
    kind: v.literal("part"),
    name: v.picklist(Object.keys(partLabels) as (keyof typeof partLabels)[]),
  }),
]);
export type Block = v.InferOutput<typeof blockSchema>;

/**
 * Values of placeholders, and conditions that hold. A placeholder whose value is null is removed, and with it an item or
 * paragraph that has no other text.
 */
export type PlaceholderValues = {
  values: Readonly<Record<string, string | Run[] | null>>;
  conditions: Record<ConditionName, boolean>;
};

/** Texts of e-mails have no conditions. */
type PartialValues = Pick<PlaceholderValues, "values"> & Partial<PlaceholderValues>;

/** Replaces placeholders by values, resolves conditions, and removes what is empty afterwards. */
export function fillPlaceholders(blocks: readonly Block[], values: PartialValues): Block[] {
  const fill = (runs: readonly Run[]) => mergeRuns(runs.flatMap((run) => fillRun(run, values)));
  return blocks.flatMap((block): Block[] => {
    switch (block.kind) {
      case "break":
      case "part":
        return [block];
      case "list": {
        const items = block.items.map(fill).filter(hasText);
        return items.length > 0 ? [{ ...block, items }] : [];
      }
      case "terms": {
        const terms = block.terms
          .map(({ name, words }) => ({ name: fill(name), words: fill(words) }))
          .filter(({ words }) => hasText(words));
        return terms.length > 0 ? [{ ...block, terms }] : [];
      }
      default: {
        const words = fill(block.words);
        return hasText(words) ? [{ ...block, words }] : [];
      }
    }
  });
}

function fillRun({ fact, onlyIf, ...styled }: Run, { values, conditions }: PartialValues): Run[] {
  if (onlyIf !== undefined && !conditions?.[onlyIf]) return [];
  if (fact === undefined) return [styled];
  const value = values[fact] ?? null;
  if (value === null) return [];
  return typeof value === "string"
    ? [{ ...styled, text: value }]
    : value.map((run) => ({ ...styled, ...run }));
}

const placeholder = /\s?\{\{\s*([A-Za-z]+)\s*\}\}/g;

/** Replaces a line's placeholders. Those without a value are removed together with the preceding space. */
export function fillLine(line: string, { values }: Pick<PlaceholderValues, "values">): string {
  const filledLine = line.replace(placeholder, (match, name: string) => {
    const value = values[name] ?? null;
    if (value === null) return "";
    return `${/^\s/.test(match) ? " " : ""}${typeof value === "string" ? value : runsText(value)}`;
  });
  return filledLine.trim();
}

/** Placeholder names in a line, and whether all braces are part of placeholders. */
export function namesInLine(line: string): { names: string[]; isWellFormed: boolean } {
  const names = [...line.matchAll(placeholder)].map(([, name = ""]) => name);
  return { names, isWellFormed: !/\{\{|\}\}/.test(line.replace(placeholder, "")) };
}

/** Merges neighboring runs of one style, so that pages contain whole sentences. */
function mergeRuns(runs: readonly Run[]): Run[] {
  const mergedRuns: Run[] = [];
  for (const run of runs) {
    const last = mergedRuns.at(-1);
    const hasSameStyle = last && styles.every((style) => last[style] === run[style]);
    if (hasSameStyle) mergedRuns[mergedRuns.length - 1] = { ...last, text: last.text + run.text };
    else mergedRuns.push(run);
  }
  return mergedRuns;
}
const styles = ["href", "isStrong", "isEmphasis", "isLatin"] as const;

const hasText = (runs: readonly Run[]) => runs.some(({ text }) => text.trim() !== "");

export const runsText = (runs: readonly Run[]) =>
  runs
    .map(({ text }) => text)
    .join("")
    .replace(/\s+/g, " ")
    .trim();

/** Plain text, for search engines. */
export function blocksText(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) => {
      if (block.kind === "list") return block.items.map(runsText);
      if (block.kind === "terms")
        return block.terms.map(({ name, words }) => `${runsText(name)}: ${runsText(words)}`);
      return block.kind === "break" || block.kind === "part" ? [] : [runsText(block.words)];
    })
    .join(" ");
}

export type Answer = { question: string; blocks: Block[] };

/** Questions and answers: each heading with the blocks below it. */
export function listAnswers(blocks: readonly Block[]): Answer[] {
  const answers: Answer[] = [];
  for (const block of blocks) {
    if (block.kind === "heading") answers.push({ question: runsText(block.words), blocks: [] });
    else answers.at(-1)?.blocks.push(block);
  }
  return answers;
}

/** Questions below the heading that groups them. */
type AnswerGroup = { id: string; title: string; answers: Answer[] };

/**
 * The groups of a page of questions: headings of level 1 are groups, all others are questions. Questions before the first
 * group form a group without a title.
 */
export function answerGroups(blocks: readonly Block[]): AnswerGroup[] {
  const groups: (Omit<AnswerGroup, "answers"> & { blocks: Block[] })[] = [];
  for (const block of blocks) {
    if (block.kind === "heading" && block.level === 1)
      groups.push({ id: block.id, title: runsText(block.words), blocks: [] });
    else if (block.kind !== "break") {
      if (groups.length === 0) groups.push({ id: "questions", title: "", blocks: [] });
      groups.at(-1)?.blocks.push(block);
    }
  }
  return groups.map(({ blocks: groupBlocks, ...group }) => ({ ...group, answers: listAnswers(groupBlocks) }));
}
