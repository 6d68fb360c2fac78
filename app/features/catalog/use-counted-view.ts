import { useEffect } from "react";
import { callApi } from "../api.ts";

/**
 * Counts a view of a product's page, or of the page to buy it; null: no product. Counted by the browser, because the page
 * may come from a cache. The server counts a visitor once an hour.
 */
export function useCountedView(slug: string | null): void {
  useEffect(() => {
    if (slug !== null) void callApi("POST /api/products/:slug/views", { params: { slug } });
  }, [slug]);
}
