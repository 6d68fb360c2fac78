import { noteFor } from "../../../domain/shipping/served-countries.ts";
import { ChangeCountry } from "../shipping/change-country.tsx";
import { countryInText } from "../shipping/country-name.ts";
import { useServedCountry } from "../shipping/shopper-country.ts";
import type { ProductTerms } from "./product-terms.ts";

/** When it comes to the shopper's country, and a way to name another; null while there is nothing to send. */
export function Arrival({ arrivals, shippingNotes }: Pick<ProductTerms, "arrivals" | "shippingNotes">) {
  const country = useServedCountry(shippingNotes);
  const arrival = noteFor(arrivals, country);
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5">
      <span>{`${arrival ? `${arrival.text} in` : "Shipping to"} ${countryInText(country)}`}</span>
      <ChangeCountry notes={shippingNotes} className="-my-2.5" />
    </span>
  );
}
