const named = new Set(["AE", "BS", "CF", "DO", "GB", "GM", "MV", "NL", "PH", "SC", "US"]);

/** A country's name inside a sentence: "the United States". */
export function withArticle(code: string, name: string): string {
  return named.has(code) || name.endsWith(" Islands") ? `the ${name}` : name;
}
