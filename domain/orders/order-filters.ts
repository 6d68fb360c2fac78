import * as v from "valibot";

/** What of the list's address belongs to a saved filter, in this order. */
export const orderFilterParams = ["status", "q", "from", "to", "country", "product", "tag"] as const;

export const savedFiltersMax = 30;

const savedFilterSchema = v.object({ id: v.number(), name: v.string(), query: v.string() });
export type SavedFilter = v.InferOutput<typeof savedFilterSchema>;

/** Answer of `GET /api/admin/order-filters`. */
export const orderFilterChoicesSchema = v.object({
  saved: v.array(savedFilterSchema),
  /** ISO 3166, of those that orders went to. */
  countries: v.array(v.string()),
  products: v.array(v.object({ id: v.number(), name: v.string() })),
  tags: v.array(v.string()),
});
export type OrderFilterChoices = v.InferOutput<typeof orderFilterChoicesSchema>;

/** Body of `POST /api/admin/order-filters`. */
export const newFilterSchema = v.object({
  name: v.pipe(
    v.string("Give it a name"),
    v.transform((text) => text.trim().replace(/\s+/g, " ")),
    v.minLength(1, "Give it a name"),
    v.maxLength(40, "Use at most 40 characters"),
  ),
  query: v.pipe(
    v.string("Is required"),
    v.maxLength(500, "Is too long"),
    v.transform(filterQuery),
    v.minLength(1, "Choose a filter first"),
  ),
});
export const savedFilterAnswer = savedFilterSchema;

/** The part of an address's query that a filter is made of, always written the same way: "status=to_ship&country=US". */
export function filterQuery(query: string): string {
  const given = new URLSearchParams(query);
  const kept = orderFilterParams.flatMap((name) => {
    const value = given.get(name)?.trim();
    return value ? [[name, value]] : [];
  });
  return new URLSearchParams(kept).toString();
}
