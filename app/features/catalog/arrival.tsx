import { withArticle } from "../../../domain/shared/country-article.ts";
import { entryForCountry } from "../../../domain/shipping/served-countries.ts";
import { ChangeCountry } from "../shipping/change-country.tsx";
import { useServedCountry } from "../shipping/shopper-country.ts";
import type { ProductTerms } from "./product-terms.ts";

/** Date of arrival in the shopper's country, with a button to choose another country. */
export function Arrival({ arrivals, shippingNotes }: Pick<ProductTerms, "arrivals" | "shippingNotes">) {
  const country = useServedCountry(shippingNotes);
  const arrival = entryForCountry(arrivals, country);
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5">
      <span>{`${arrival ? `${arrival.text} in` : "Shipping to"} ${countryInText(country)}`}</span>
      <ChangeCountry notes={shippingNotes} className="-my-2.5" />
    </span>
  );
}

let names: Intl.DisplayNames | undefined;

/**
 * "the United States", "Germany", from the browser's own list, so that pages need not load one. The server only ever renders
 * the shop's own country.
 */
function countryInText(code: string): string {
  names ??= new Intl.DisplayNames(["en"], { type: "region", fallback: "code" });
  return withArticle(code, names.of(code) ?? code);
}
