import type { Product } from "../../../domain/catalog/product.ts";
import { callApi } from "../api.ts";

/** The current product, `gone` if the shop no longer has it, or `unknown` without a response within 5 s. */
export async function fetchProduct(slug: string): Promise<Product | "gone" | "unknown"> {
  const response = await callApi("GET /api/products/:slug", {
    params: { slug },
    query: { _t: Date.now() },
    timeoutMs: 5000,
  });
  if (response.ok) return response.body.data;
  return response.problem.status === 404 ? "gone" : "unknown";
}
