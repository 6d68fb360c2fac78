import { useEffect } from "react";
import { callApi } from "../api.ts";

/**
 * Counts a visitor of a page on which a purchase can begin; null: of no product. From the browser, because the page itself may come
 * out of a cache. The server counts a visitor once an hour.
 */
export function useCountedView(slug: string | null): void {
  useEffect(() => {
    if (slug !== null) void callApi("POST /api/products/:slug/views", { params: { slug } });
  }, [slug]);
}
