import { type Block, namesInLine } from "../../domain/content/blocks.ts";
import type { ContentKey, ContentText } from "../../domain/content/content.ts";
import { contentPages } from "../../domain/content/pages.ts";
import { isFact } from "../../domain/content/placeholders.ts";
import { parseContent } from "./parse.ts";

type CheckResult = {
  blocks: Block[];
  /** Field -> problem that keeps the text from being published. */
  problems: Partial<Record<keyof ContentText, string>>;
  warnings: string[];
};

/** Amounts, percentages and periods typed by hand where a setting exists: $29.95, 20%, 30 days. */
const typedFact = /\$\d[\d.,]*|\b\d+(?:\.\d+)?%|\b\d+(?:-\d+)? (?:business )?days?\b/g;

/** Parses and checks a text. `isPublished`: it has been published already, see `Grammar`. */
export function checkContent(key: ContentKey, text: ContentText, isPublished = false): CheckResult {
  const { kind, needed = {} } = contentPages[key];
  const { blocks, problems: bodyProblems, names } = parseContent({ kind, isFact, isPublished }, text.body);
  const problems: CheckResult["problems"] = {};
  if (kind !== "faq") {
    if (text.description.length < 50) problems.description = "At least 50 characters: search engines show it";
    if (text.lead.length < 10) problems.lead = "At least 10 characters";
  }
  for (const field of ["title", "description", "heading", "headingWithoutGiving", "lead"] as const) {
    const { names: lineNames, isWellFormed } = namesInLine(text[field]);
    const unknownName = lineNames.find((name) => !isFact(name));
    if (unknownName !== undefined)
      problems[field] = `There is no placeholder {{${unknownName}}} for a line. Choose a fact from the list.`;
    else if (!isWellFormed) problems[field] = "A placeholder is not finished: it is written {{name}}.";
    for (const name of lineNames) names.add(name);
  }
  if (bodyProblems.length > 0) problems.body = bodyProblems.slice(0, 5).join("\n");
  else if (blocks.every((block) => block.kind === "break")) problems.body = "Please write something";
  const reasons = Map.groupBy(
    Object.entries(needed).filter(([name]) => !names.has(name)),
    ([, reason]) => reason,
  );
  const missingWarnings = [...reasons].map(
    ([reason, needs]) => `${needs.map(([name]) => `{{${name}}}`).join(", ")} is missing. ${reason}`,
  );
  const factsWarning = hardcodedFactsWarning(
    `${text.lead} ${text.heading} ${text.description}\n${text.body}`,
  );
  const factsWarnings = kind !== "page" && factsWarning !== null ? [factsWarning] : [];
  return { blocks, problems, warnings: [...missingWarnings, ...factsWarnings] };
}

/** A warning about typed amounts, percentages and days; null if the text has none. */
export function hardcodedFactsWarning(text: string): string | null {
  const typedFacts = new Set(text.match(typedFact));
  if (typedFacts.size === 0) return null;
  return `Typed by hand: ${[...typedFacts].slice(0, 6).join(", ")}. It will not follow your settings. Use a placeholder if there is one.`;
}
