import Package from "lucide-react/icons/package";
import SearchX from "lucide-react/icons/search-x";
import type { ReactNode } from "react";
import { useNavigate, useSearchParams } from "react-router";
import type { OrderFilterChoices } from "../../../../../domain/admin/saved-filters.ts";
import { type OrderFilter, orderFilters } from "../../../../../domain/orders/admin-orders.ts";
import { isDate } from "../../../../../domain/shared/zoned-days.ts";
import { ButtonLink } from "../../../../ui/button.tsx";
import { EmptyState } from "../../../../ui/empty-state.tsx";
import { controlClass } from "../../../../ui/field.tsx";
import { activeCountryFilter, CountryFilter, FilterSelect } from "../../kit/list/filter-select.tsx";
import { withParam } from "../../kit/list/search-params.ts";
import { orderStates, orderTabs } from "../order-labels.ts";

export const moreFilterParams = ["from", "to", "country", "product", "tag"];

/** Texts of the active filters in the URL; days are shown by their fields. */
export function activeMoreFilters(search: URLSearchParams, { products }: OrderFilterChoices) {
  const product = products.find(({ id }) => String(id) === search.get("product"));
  const tag = search.get("tag");
  return [
    ...activeCountryFilter(search),
    ...(product ? [{ param: "product", label: product.name }] : []),
    ...(tag ? [{ param: "tag", label: tag }] : []),
  ];
}

/** Filters by days, country, product and tag, each a query parameter. */
export function MoreFilters({ choices: { countries, products, tags } }: { choices: OrderFilterChoices }) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const set = (name: string, value: string) =>
    void navigate(withParam(new URLSearchParams(window.location.search), name, value), {
      preventScrollReset: true,
    });
  const dayField = (name: "from" | "to", label: string) => (
    <LabeledField label={label}>
      <input
        key={search.get(name)}
        type="date"
        aria-label={name === "from" ? "Placed from" : "Placed until"}
        defaultValue={search.get(name) ?? ""}
        min={name === "to" ? (search.get("from") ?? undefined) : undefined}
        // A date is typed digit by digit, and complete only with a full year.
        onChange={({ target: { value } }) => (value === "" || value >= "2000") && set(name, value)}
        className={`${controlClass} min-h-11! py-1.5! text-ui`}
      />
    </LabeledField>
  );
  return (
    <div className="stack gap-2">
      {dayField("from", "From")}
      {dayField("to", "To")}
      {countries.length > 0 && (
        <LabeledField label="Country">
          <CountryFilter countries={countries} />
        </LabeledField>
      )}
      {products.length > 1 && (
        <LabeledField label="Product">
          <FilterSelect
            param="product"
            label="Product"
            anyLabel="Any product"
            options={products.map(({ id, name }) => [String(id), name])}
          />
        </LabeledField>
      )}
      {tags.length > 0 && (
        <LabeledField label="Tag">
          <FilterSelect param="tag" label="Tag" anyLabel="Any tag" options={tags.map((tag) => [tag, tag])} />
        </LabeledField>
      )}
    </div>
  );
}

function LabeledField({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="grid grid-cols-[4.5rem_minmax(0,1fr)] items-center gap-2">
      <span aria-hidden="true" className="text-small text-ink-muted">
        {label}
      </span>
      {children}
    </span>
  );
}

/** Text for an empty list: explains the list, or suggests where else to look. */
export function NoOrders({
  status,
  q,
  hasMoreFilters,
  isPacker,
}: {
  status: string | null;
  q: string | null;
  /** Whether filters by days, country, product or tag are active. */
  hasMoreFilters: boolean;
  isPacker: boolean;
}) {
  if (hasMoreFilters) {
    return (
      <EmptyState
        boxed
        glyph={SearchX}
        title="No orders found"
        action={
          <ButtonLink variant="secondary" size="small" to={status === null ? "?" : `?status=${status}`}>
            Clear the filters
          </ButtonLink>
        }
      >
        <p>No order matches all of these filters.</p>
      </EmptyState>
    );
  }
  if (q === null) {
    const list = [...orderTabs, ...orderStates].find(({ value }) => value === status) ?? orderTabs.at(-1);
    return (
      <EmptyState boxed glyph={Package} title={list?.title}>
        <p>{list?.hint}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      boxed
      glyph={SearchX}
      title="No orders found"
      action={
        // Packers have no list of all orders.
        status !== "all" &&
        !isPacker && (
          <ButtonLink variant="secondary" size="small" to={`?${new URLSearchParams({ status: "all", q })}`}>
            Search all orders
          </ButtonLink>
        )
      }
    >
      <p className="wrap-anywhere">
        Nothing here matches “{q}”. Search by name, {!isPacker && "email, "}phone, city, product,{" "}
        {!isPacker && "discount code, "}tracking or order number.
      </p>
    </EmptyState>
  );
}

type ListQuery = { status?: OrderFilter; sort?: "packing" } & Partial<
  Record<"q" | "from" | "to" | "country" | "product" | "tag" | "limit" | "cursor", string>
>;

/** Reads the list's query from the page's URL; invalid values, which an edited URL may have, are left out. */
export function listQuery(params: URLSearchParams): ListQuery {
  const limit = params.get("limit");
  const cursor = params.get("cursor");
  const filters = readFilters(params);
  return {
    ...filters,
    ...(filters.status === "to_ship" && { sort: "packing" as const }),
    ...(limit !== null && /^([1-9]\d?|100)$/.test(limit) && { limit }),
    ...(cursor !== null && /^[0-9a-f-]{36}$/i.test(cursor) && { cursor }),
  };
}

/** Query of the list for the CSV file, which contains all pages, such as "" or "?status=to_ship&q=ada". */
export function exportQuery(params: URLSearchParams): string {
  const query = new URLSearchParams(readFilters(params));
  return query.size === 0 ? "" : `?${query}`;
}

function readFilters(params: URLSearchParams): Omit<ListQuery, "limit" | "cursor"> {
  const status = orderFilters.find((filter) => filter === params.get("status"));
  const [q, tag, product, country] = ["q", "tag", "product", "country"].map((name) => params.get(name) ?? "");
  const [from, to] = ["from", "to"].map((name) => params.get(name) ?? "");
  return {
    ...(status && { status }),
    ...(q && /^.{1,100}$/u.test(q) && { q }),
    ...(from && isDate(from) && { from }),
    ...(to && isDate(to) && (!from || !isDate(from) || from <= to) && { to }),
    ...(country && /^[A-Z]{2}$/.test(country) && { country }),
    ...(product && /^\d{1,9}$/.test(product) && { product }),
    ...(tag && /^.{1,40}$/u.test(tag) && { tag }),
  };
}
