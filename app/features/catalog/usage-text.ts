/** One way to use a product. */
export type UsageStep = { title: string | null; text: string; dose: string | null };

/**
 * Parses the owner's usage text: paragraphs separated by empty lines. The first line of a paragraph is the title, the last
 * the dose, the lines between them the text. Two lines are title and text; a single line is the text.
 */
export function usageSteps(usage: string): UsageStep[] {
  return usage
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.split("\n").flatMap((line) => line.trim() || []))
    .filter((lines) => lines.length > 0)
    .map(([first = "", ...rest]) => {
      if (rest.length === 0) return { title: null, text: first, dose: null };
      const dose = rest.length > 1 ? (rest.pop() ?? null) : null;
      return { title: first, text: rest.join(" "), dose };
    });
}
