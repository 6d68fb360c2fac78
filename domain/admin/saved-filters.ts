import * as v from "valibot";

/** Lists with saved filters, and the query parameters that belong to a filter, in this order. */
const filterParams = {
  orders: ["status", "q", "from", "to", "country", "product", "tag"],
  customers: ["kind", "q", "country", "tag", "sort"],
} as const;
const filteredLists = ["orders", "customers"] as const;
export type FilteredList = (typeof filteredLists)[number];

export const maxSavedFilters = 30;

export const savedFilterSchema = v.object({ id: v.number(), name: v.string(), query: v.string() });
export type SavedFilter = v.InferOutput<typeof savedFilterSchema>;

/** Response of `GET /api/admin/order-filters`. */
export const orderFilterChoicesSchema = v.object({
  saved: v.array(savedFilterSchema),
  /** ISO 3166 codes of the countries that orders went to. */
  countries: v.array(v.string()),
  products: v.array(v.object({ id: v.number(), name: v.string() })),
  tags: v.array(v.string()),
});
export type OrderFilterChoices = v.InferOutput<typeof orderFilterChoicesSchema>;

/** Response of `GET /api/admin/customer-filters`. */
export const savedFiltersSchema = v.object({ saved: v.array(savedFilterSchema) });

/** Body of `POST /api/admin/order-filters`. */
export const newFilterSchema = v.pipe(
  v.object({
    list: v.optional(v.picklist(filteredLists, "One of orders, customers"), "orders"),
    name: v.pipe(
      v.string("Give it a name"),
      v.transform((text) => text.trim().replace(/\s+/g, " ")),
      v.minLength(1, "Give it a name"),
      v.maxLength(40, "Use at most 40 characters"),
    ),
    query: v.pipe(v.string("Is required"), v.maxLength(500, "Is too long")),
  }),
  v.transform((filter) => ({ ...filter, query: filterQuery(filter.list, filter.query) })),
  v.forward(
    v.check(({ query }) => query !== "", "Choose a filter first"),
    ["query"],
  ),
);

/** The part of a query that belongs to a filter, in canonical order: "status=to_ship&country=US". */
export function filterQuery(list: FilteredList, query: string): string {
  const params = new URLSearchParams(query);
  const filterEntries = filterParams[list].flatMap((name) => {
    const value = params.get(name)?.trim();
    return value ? [[name, value]] : [];
  });
  return new URLSearchParams(filterEntries).toString();
}
