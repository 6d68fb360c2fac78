import { useEffect, useRef } from "react";
import { countries } from "../../../domain/shared/country.ts";
import { type CountryNote, entryForCountry } from "../../../domain/shipping/served-countries.ts";
import { sanctionedCountries } from "../../../domain/shipping/shipping-policy.ts";
import { SelectBox } from "../../ui/field.tsx";
import { storeCountry, useServedCountry } from "./shopper-country.ts";

function isServed(notes: readonly Pick<CountryNote, "countries">[], code: string): boolean {
  const note = entryForCountry(notes, code);
  return note !== undefined && !(note.countries === "*" && sanctionedCountries.includes(code));
}

/** A select of the countries that the shop ships to, focused when it appears. */
export function CountryList({ notes }: { notes: readonly Pick<CountryNote, "countries">[] }) {
  const country = useServedCountry(notes);
  const frame = useRef<HTMLSpanElement>(null);
  useEffect(() => frame.current?.querySelector("select")?.focus(), []);
  return (
    <span ref={frame} className="block basis-full">
      <SelectBox
        aria-label="Country we ship to"
        autoComplete="country"
        value={country}
        onChange={(event) => storeCountry(event.target.value)}
      >
        {countries.map(
          ([code, name]) =>
            isServed(notes, code) && (
              <option key={code} value={code}>
                {name}
              </option>
            ),
        )}
      </SelectBox>
    </span>
  );
}
