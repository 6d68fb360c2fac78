/** One way of using a product. `dose` is the short last line, if there is one. */
export type UsageStep = { title: string | null; text: string; dose: string | null };

/**
 * The owner writes usage as paragraphs with an empty line between. In each, the first line is the title, the last the
 * dose, and what stands between them the text. Two lines are title and text; a single line is text alone.
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
