import { type OrderFilter, orderFilters } from "../../../../../domain/orders/admin-orders.ts";

type ListQuery = { status?: OrderFilter; q?: string; tag?: string; limit?: string; cursor?: string };

/** What of a page's address the list is asked for; what it could not mean, because somebody wrote it by hand, is left out. */
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

function selectionOf(params: URLSearchParams): Pick<ListQuery, "status" | "q" | "tag"> {
  const status = orderFilters.find((filter) => filter === params.get("status"));
  const q = params.get("q");
  const tag = params.get("tag");
  return {
    ...(status && { status }),
    ...(q !== null && /^.{1,100}$/u.test(q) && { q }),
    ...(tag !== null && /^.{1,40}$/u.test(tag) && { tag }),
  };
}
