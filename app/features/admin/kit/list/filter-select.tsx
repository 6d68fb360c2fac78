import { useNavigate, useSearchParams } from "react-router";
import { countryName } from "../../../../../domain/shared/country.ts";
import { controlClass, SelectBox } from "../../../../ui/field.tsx";
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

/** First and last day of a list, by `from` and `to` in its address (`YYYY-MM-DD`, in the shop's zone); empty: no end. */
export function DateFilter() {
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="sr-only">Days</legend>
      <Day param="from" label="From" />
      <Day param="to" label="To" />
    </fieldset>
  );
}

function Day({ param, label }: { param: string; label: string }) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const value = search.get(param) ?? "";
  return (
    <label className="inline-flex items-center gap-2 text-small font-medium">
      {label}
      <input
        // Uncontrolled, so that a half-typed date does not filter the list yet.
        key={value}
        type="date"
        defaultValue={value}
        className={`${controlClass} min-h-11! w-40! py-1.5! text-small!`}
        onBlur={({ target }) => target.value !== value && go(target.value)}
        onChange={({ target, nativeEvent }) => {
          // A date from the picker is whole at once; the keyboard's comes digit by digit.
          if (!("inputType" in nativeEvent) && target.value !== value) go(target.value);
        }}
        onKeyDown={(event) => event.key === "Enter" && go(event.currentTarget.value)}
      />
    </label>
  );

  function go(day: string) {
    void navigate(withParam(new URLSearchParams(window.location.search), param, day), {
      preventScrollReset: true,
      state: { keepsFocus: true },
    });
  }
}
