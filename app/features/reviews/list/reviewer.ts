/** Initials of the first and last word: "Mary Ann Smith" -> "MS"; "A" for an anonymous reviewer. */
export function reviewerInitials(name: string | null): string {
  const words = (name ?? "").trim().split(/\s+/).filter(Boolean);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => [...(word ?? "")][0]?.toUpperCase() ?? "").join("") || "A";
}

// In UTC, so that server and browser render the same day.
const longDate = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/** "2026-11-12T09:30:00Z" -> "November 12, 2026"; "Unknown date" for anything else. */
export function reviewDate(createdAt: string): string {
  const date = new Date(createdAt);
  return Number.isNaN(date.getTime()) ? "Unknown date" : longDate.format(date);
}
