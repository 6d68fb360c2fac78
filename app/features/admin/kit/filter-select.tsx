import { useNavigate, useSearchParams } from "react-router";
import { countryName } from "../../../../domain/shared/country.ts";
import { SelectBox } from "../../../ui/select.tsx";
import { withParam } from "./address.ts";

/** One parameter of the list's address, of many that it could be; nothing where there is no choice. */
export function FilterSelect({
  param,
  label,
  none,
  options,
}: {
  param: string;
  label: string;
  /** The list without it: "Any country". */
  none: string;
  options: [value: string, words: string][];
}) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  if (options.length === 0) return null;
  return (
    <SelectBox
      aria-label={label}
      value={search.get(param) ?? ""}
      onChange={({ target }) =>
        void navigate(withParam(new URLSearchParams(window.location.search), param, target.value), {
          preventScrollReset: true,
        })
      }
      className="min-h-11! py-1.5! text-ui"
    >
      <option value="">{none}</option>
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </SelectBox>
  );
}

/** The country that is chosen in the address, in words. */
export function chosenCountry(search: URLSearchParams): { param: string; label: string }[] {
  const code = search.get("country");
  return code ? [{ param: "country", label: countryName(code) ?? code }] : [];
}

/** By their codes in ISO 3166, in the order of their names. */
export function CountryFilter({ countries }: { countries: string[] }) {
  return (
    <FilterSelect
      param="country"
      label="Country"
      none="Any country"
      options={countries
        .map((code): [string, string] => [code, countryName(code) ?? code])
        .sort(([, one], [, other]) => one.localeCompare(other))}
    />
  );
}
