import { orderFilters } from "../../../../domain/orders/admin-orders.ts";

/**
 * What of a page's address the list is asked for; whatever it could not mean, because somebody wrote it by hand, is left
 * out. "" or "?status=to_ship&q=ada".
 */
export function listQuery(params: URLSearchParams): string {
  return queryOf(params, { ...selection, limit: /^([1-9]\d?|100)$/, cursor: /^[0-9a-f-]{36}$/i });
}

/** The same for the file, which holds all pages. */
export function exportQuery(params: URLSearchParams): string {
  return queryOf(params, selection);
}

const selection = { status: new RegExp(`^(${orderFilters.join("|")})$`), q: /^.{1,100}$/u };

function queryOf(params: URLSearchParams, forms: Record<string, RegExp>): string {
  const wanted = new URLSearchParams();
  for (const [name, form] of Object.entries(forms)) {
    const value = params.get(name);
    if (value !== null && form.test(value)) wanted.set(name, value);
  }
  return wanted.size === 0 ? "" : `?${wanted}`;
}
