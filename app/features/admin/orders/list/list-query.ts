import { type OrderFilter, orderFilters } from "../../../../../domain/orders/admin-orders.ts";
import { isDate } from "../../../../../domain/shared/zoned-days.ts";

type ListQuery = { status?: OrderFilter } & Partial<
  Record<"q" | "from" | "to" | "country" | "product" | "tag" | "limit" | "cursor", string>
>;

/** Reads the list's query from the page's address; invalid values, as in an edited address, are left out. */
export function listQuery(params: URLSearchParams): ListQuery {
  const limit = params.get("limit");
  const cursor = params.get("cursor");
  return {
    ...selectionOf(params),
    ...(limit !== null && /^([1-9]\d?|100)$/.test(limit) && { limit }),
    ...(cursor !== null && /^[0-9a-f-]{36}$/i.test(cursor) && { cursor }),
  };
}

/** The same for the file, which holds all pages: "" or "?status=to_ship&q=ada". */
export function exportQuery(params: URLSearchParams): string {
  const query = new URLSearchParams(selectionOf(params));
  return query.size === 0 ? "" : `?${query}`;
}

function selectionOf(params: URLSearchParams): Omit<ListQuery, "limit" | "cursor"> {
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
