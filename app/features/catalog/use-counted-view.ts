import { useEffect } from "react";
import { callApi } from "../api.ts";

/**
 * Counts a view of a page that sells a product (null if the page has none). The browser counts it, because the page may come
 * from a cache; the server counts a visitor at most once an hour.
 */
export function useCountedView(slug: string | null): void {
  useEffect(() => {
    if (slug !== null) void callApi("POST /api/products/:slug/views", { params: { slug } });
  }, [slug]);
}
