import { withArticle } from "../../../domain/shared/country-article.ts";

let names: Intl.DisplayNames | undefined;

/**
 * "the United States", "Germany". By the browser's own list: pages that say it need no other, and nothing that the server
 * wrote names any other country than the shop's own.
 */
export function countryInText(code: string): string {
  names ??= new Intl.DisplayNames(["en"], { type: "region", fallback: "code" });
  return withArticle(code, names.of(code) ?? code);
}
