import { useNavigate, useSearchParams } from "react-router";
import { countryName } from "../../../../../domain/shared/country.ts";
import { controlClass, Options, SelectBox } from "../../../../ui/field.tsx";
import { withParam } from "./search-params.ts";

/** A filter with many values as a select; renders nothing if there is no choice. */
export function FilterSelect({
  param,
  label,
  anyLabel,
  options,
}: {
  param: string;
  label: string;
  /** Label of the option without a filter, such as "Any country". */
  anyLabel: string;
  options: [value: string, label: string][];
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
      <option value="">{anyLabel}</option>
      <Options of={options} />
    </SelectBox>
  );
}

export function activeCountryFilter(search: URLSearchParams): { param: string; label: string }[] {
  const code = search.get("country");
  return code ? [{ param: "country", label: countryName(code) ?? code }] : [];
}

/** A select of countries (ISO 3166 codes), sorted by name. */
export function CountryFilter({ countries }: { countries: string[] }) {
  return (
    <FilterSelect
      param="country"
      label="Country"
      anyLabel="Any country"
      options={countries
        .map((code): [string, string] => [code, countryName(code) ?? code])
        .sort(([, a], [, b]) => a.localeCompare(b))}
    />
  );
}

/**
 * Filters a list by first and last day: `from` and `to` in its URL (`YYYY-MM-DD` in the shop's time zone). An empty field
 * sets no limit.
 */
export function DateFilter() {
  return (
    <fieldset className="flex flex-wrap items-center gap-2 max-md:grid">
      <legend className="sr-only">Days</legend>
      <DayInput param="from" label="From" />
      <DayInput param="to" label="To" />
    </fieldset>
  );
}

function DayInput({ param, label }: { param: string; label: string }) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const value = search.get(param) ?? "";
  return (
    <label className="inline-flex items-center gap-2 text-small font-medium max-md:grid max-md:grid-cols-[4.5rem_minmax(0,1fr)]">
      {label}
      <input
        // Uncontrolled, so that a half-typed date does not filter the list yet.
        key={value}
        type="date"
        defaultValue={value}
        className={`${controlClass} min-h-11! py-1.5! text-small! md:w-40!`}
        onBlur={({ target }) => target.value !== value && selectDay(target.value)}
        onChange={({ target, nativeEvent }) => {
          // The picker sets a complete date at once, the keyboard digit by digit.
          if (!("inputType" in nativeEvent) && target.value !== value) selectDay(target.value);
        }}
        onKeyDown={(event) => event.key === "Enter" && selectDay(event.currentTarget.value)}
      />
    </label>
  );

  function selectDay(day: string) {
    void navigate(withParam(new URLSearchParams(window.location.search), param, day), {
      preventScrollReset: true,
      state: { keepsFocus: true },
    });
  }
}
