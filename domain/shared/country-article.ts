const codesWithArticle = new Set(["AE", "BS", "CF", "DO", "GB", "GM", "MV", "NL", "PH", "SC", "US"]);

/** A country's name inside a sentence: "the United States". */
export function withArticle(code: string, name: string): string {
  return codesWithArticle.has(code) || name.endsWith(" Islands") ? `the ${name}` : name;
}
