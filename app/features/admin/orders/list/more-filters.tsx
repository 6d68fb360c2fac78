import X from "lucide-react/icons/x";
import type { ReactNode } from "react";
import { useNavigate, useSearchParams } from "react-router";
import type { OrderFilterChoices } from "../../../../../domain/orders/order-filters.ts";
import { ButtonLink } from "../../../../ui/button.tsx";
import { controlClass } from "../../../../ui/field.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { withoutParams, withParam } from "../../kit/address.ts";
import { CountryFilter, chosenCountry, FilterSelect } from "../../kit/filter-select.tsx";

export const moreFilterParams = ["from", "to", "country", "product", "tag"];

/** Those that are chosen in the address, in words; days are left to their fields. */
export function moreFiltersChosen(search: URLSearchParams, { products }: OrderFilterChoices) {
  const product = products.find(({ id }) => String(id) === search.get("product"));
  const tag = search.get("tag");
  return [
    ...chosenCountry(search),
    ...(product ? [{ param: "product", label: product.name }] : []),
    ...(tag ? [{ param: "tag", label: tag }] : []),
  ];
}

/** Days, country, product and tag, each a parameter of the address. */
export function MoreFilters({ choices: { countries, products, tags } }: { choices: OrderFilterChoices }) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const set = (name: string, value: string) =>
    void navigate(withParam(new URLSearchParams(window.location.search), name, value), {
      preventScrollReset: true,
    });
  const dayField = (name: "from" | "to", label: string) => (
    <Labelled label={label}>
      <input
        key={search.get(name)}
        type="date"
        aria-label={name === "from" ? "Placed from" : "Placed until"}
        defaultValue={search.get(name) ?? ""}
        min={name === "to" ? (search.get("from") ?? undefined) : undefined}
        // A day that is typed comes sign by sign: only a whole year is one.
        onChange={({ target: { value } }) => (value === "" || value >= "2000") && set(name, value)}
        className={`${controlClass} min-h-11! py-1.5! text-ui`}
      />
    </Labelled>
  );
  const isNarrowed = moreFilterParams.some((name) => search.has(name));
  return (
    <div className="flex flex-wrap items-center gap-2 max-md:grid max-md:grid-cols-[minmax(0,1fr)]">
      {dayField("from", "From")}
      {dayField("to", "to")}
      <CountryFilter countries={countries} />
      {products.length > 1 && (
        <FilterSelect
          param="product"
          label="Product"
          none="Any product"
          options={products.map(({ id, name }) => [String(id), name])}
        />
      )}
      <FilterSelect param="tag" label="Tag" none="Any tag" options={tags.map((tag) => [tag, tag])} />
      {isNarrowed && (
        <ButtonLink
          variant="quiet"
          size="small"
          className="max-md:hidden"
          to={withoutParams(search, moreFilterParams)}
        >
          <Icon glyph={X} size="small" /> Clear
        </ButtonLink>
      )}
    </div>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="flex items-center gap-2 max-md:grid max-md:grid-cols-[3rem_1fr]">
      <span aria-hidden="true" className="text-small text-ink-muted">
        {label}
      </span>
      {children}
    </span>
  );
}
