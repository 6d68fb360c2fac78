import { customerKinds, customerSorts } from "../../../../domain/customers/customer.ts";

/** Reads the list's query from the page's address; invalid values are left out. */
export function customerQuery(params: URLSearchParams) {
  const cursor = params.get("cursor");
  return { ...selectionOf(params), ...(cursor !== null && /^\d{1,9}$/.test(cursor) && { cursor }) };
}

/** The same for the file, which holds all pages. */
export function customerFileQuery(params: URLSearchParams): string {
  const query = new URLSearchParams(selectionOf(params));
  return query.size === 0 ? "" : `?${query}`;
}

function selectionOf(params: URLSearchParams) {
  const sort = customerSorts.find((known) => known === params.get("sort"));
  const kind = customerKinds.find((known) => known === params.get("kind"));
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
