import SearchX from "lucide-react/icons/search-x";
import Users from "lucide-react/icons/users";
import { Link, useSearchParams } from "react-router";
import type { CustomerRow } from "../../domain/customers/customer.ts";
import { customerKinds, customerSorts } from "../../domain/customers/customer.ts";
import { countryName } from "../../domain/shared/country.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { ImportLink } from "../features/admin/imports/import-link.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { CsvLink } from "../features/admin/kit/list/csv-link.tsx";
import { type Column, DataTable, rowLink } from "../features/admin/kit/list/data-table.tsx";
import { FilterBar } from "../features/admin/kit/list/filter-bar.tsx";
import { activeCountryFilter, CountryFilter } from "../features/admin/kit/list/filter-select.tsx";
import { Pager } from "../features/admin/kit/list/pager.tsx";
import { SavedFilters } from "../features/admin/kit/list/saved-filters.tsx";
import { SearchField } from "../features/admin/kit/list/search-field.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import { May } from "../features/admin/rights.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Badge } from "../ui/badge.tsx";
import { useRefreshWhile } from "../ui/browser/use-refresh-while.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import type { Route } from "./+types/admin-customers";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Customers");

export const loader = adminLoader(async ({ request }: Route.LoaderArgs, read) => {
  const [page, filters] = await Promise.all([
    read("GET /api/admin/customers", { query: customerQuery(new URL(request.url).searchParams) }),
    read("GET /api/admin/customer-filters"),
  ]);
  return { ...page, saved: filters.data.saved };
});

const columns: Column<CustomerRow>[] = [
  {
    header: "Customer",
    grows: true,
    phone: "max-md:contents",
    cell: ({ id, name, email, otherEmails }) => (
      // On phones, an email address has the card's whole width.
      <>
        <span className="block min-w-0 wrap-anywhere max-md:col-start-1 max-md:row-start-1">
          <Link to={`/admin/customers/${id}`} {...rowLink}>
            {name || email}
          </Link>
        </span>
        <span className="block min-w-0 text-small wrap-anywhere text-ink-muted max-md:col-span-2 max-md:row-start-2 md:min-w-60">
          {email}
          {otherEmails > 0 && ` and ${otherEmails} more`}
        </span>
      </>
    ),
  },
  {
    header: "From",
    hidesOnTablets: true,
    phone: "max-md:col-span-2 max-md:row-start-3 max-md:text-small max-md:text-ink-muted",
    cell: ({ city, country, orders, lastOrderAt }) => (
      <span className="block wrap-anywhere md:min-w-44 xl:min-w-52">
        {formatPlace({ city, country })}
        <span className="md:hidden">
          {(city || country) && " · "}
          <span className="whitespace-nowrap">
            {orders} {orders === 1 ? "order" : "orders"}
            {lastOrderAt !== null && (
              <>
                , <ShortDay iso={lastOrderAt} />
              </>
            )}
          </span>
        </span>
      </span>
    ),
  },
  {
    header: "Tags",
    phone: "max-md:col-span-2 max-md:row-start-4 max-md:empty:sr-only",
    cell: ({ tags }) =>
      tags.length > 0 && (
        <span className="flex flex-wrap gap-1">
          {tags.slice(0, 3).map((tag) => (
            <Badge key={tag} tone="cream">
              {tag}
            </Badge>
          ))}
          {tags.length > 3 && <span className="text-small text-ink-muted">+{tags.length - 3}</span>}
        </span>
      ),
  },
  {
    header: "Last order",
    nowrap: true,
    phone: "max-md:hidden",
    cell: ({ lastOrderAt }) => (lastOrderAt === null ? "None" : <ShortDay iso={lastOrderAt} />),
  },
  {
    header: "Orders",
    align: "right",
    phone: "max-md:hidden",
    cell: ({ orders }) => orders,
  },
  {
    header: "Spent",
    align: "right",
    phone:
      "max-md:col-start-2 max-md:row-start-1 max-md:justify-self-end max-md:text-right max-md:leading-6 max-md:font-semibold",
    cell: ({ valueCents }) => formatCents(valueCents),
  },
];

export default function AdminCustomers({
  loaderData: { data, nextCursor, tags, countries, saved, isBuilding },
}: Route.ComponentProps) {
  const [search] = useSearchParams();
  useRefreshWhile(isBuilding, { everyMs: 2_000, maxTimes: Number.POSITIVE_INFINITY });
  const isFiltered = ["kind", "tag", "country"].some((param) => search.has(param));
  return (
    <AdminPage
      title="Customers"
      actions={
        <>
          <ImportLink kind="customers" />
          <May call="GET /api/admin/customers.csv">
            <CsvLink href={`/api/admin/customers.csv${customerFileQuery(search)}`} />
          </May>
        </>
      }
    >
      <div className="mb-4 flex flex-wrap items-center gap-2 md:gap-3">
        <SearchField label="Search customers" placeholder="Name, email, phone" />
        <FilterBar
          {...((countries.length > 1 || search.has("country")) && {
            more: <CountryFilter countries={countries} />,
            moreParams: ["country"],
            moreActiveFilters: activeCountryFilter(search),
          })}
          groups={[
            {
              title: "Customers",
              label: "Filter customers",
              param: "kind",
              options: [
                { value: null, label: "All" },
                { value: "returning", label: "Ordered again" },
                { value: "newsletter", label: "Newsletter" },
              ],
            },
            {
              title: "Sorted by",
              label: "Sort customers",
              param: "sort",
              options: [
                { value: null, label: "Last order" },
                { value: "value", label: "Spent" },
                { value: "orders", label: "Orders" },
              ],
            },
            ...(tags.length > 0
              ? [
                  {
                    title: "Tag",
                    label: "Filter by tag",
                    param: "tag",
                    options: [
                      { value: null, label: "Any tag" },
                      ...tags.map((tag) => ({ value: tag, label: tag })),
                    ],
                  },
                ]
              : []),
          ]}
        />
      </div>
      <SavedFilters list="customers" filters={saved} />
      {isBuilding && (
        <p className="mb-4 text-small text-ink-muted" role="status">
          Older orders are still being added up. This list is complete in a minute.
        </p>
      )}
      <DataTable
        caption="Customers"
        rows={data}
        columns={columns}
        empty={<NoCustomers q={search.get("q")} isFiltered={isFiltered} />}
      />
      <Pager nextCursor={nextCursor} shown={[data.length, "customer"]} />
    </AdminPage>
  );
}

function formatPlace({ city, country }: Pick<CustomerRow, "city" | "country">): string {
  return [city, country && (countryName(country) ?? country)].filter(Boolean).join(", ");
}

function NoCustomers({ q, isFiltered }: { q: string | null; isFiltered: boolean }) {
  if (q === null && !isFiltered) {
    return (
      <EmptyState boxed glyph={Users} title="No customers yet">
        <p>Everybody who pays for an order appears here, with all of their orders.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState boxed glyph={SearchX} title="No customers found">
      <p className="wrap-anywhere">
        {q === null
          ? "No customer matches these filters."
          : `No customer matches “${q}”. Search by name, email, phone or city, or by an order’s number, such as #1042.`}
      </p>
    </EmptyState>
  );
}

export const ErrorBoundary = problemPage("Customers", "Failed to load customers");

/** Reads the list's query from the page's URL; omits invalid values. */
function customerQuery(params: URLSearchParams) {
  const cursor = params.get("cursor");
  return { ...readSelection(params), ...(cursor !== null && /^\d{1,9}$/.test(cursor) && { cursor }) };
}

/** The query without the cursor, for the CSV file, which contains all pages of the list. */
function customerFileQuery(params: URLSearchParams): string {
  const query = new URLSearchParams(readSelection(params));
  return query.size === 0 ? "" : `?${query}`;
}

function readSelection(params: URLSearchParams) {
  const sort = customerSorts.find((name) => name === params.get("sort"));
  const kind = customerKinds.find((name) => name === params.get("kind"));
  const tag = params.get("tag");
  const country = params.get("country");
  const q = params.get("q");
  return {
    ...(sort && { sort }),
    ...(kind && { kind }),
    ...(tag !== null && /^.{1,40}$/u.test(tag) && { tag }),
    ...(country !== null && /^[A-Z]{2}$/.test(country) && { country }),
    ...(q !== null && /^.{1,100}$/u.test(q) && { q }),
  };
}
