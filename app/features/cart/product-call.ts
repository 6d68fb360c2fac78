import type { Product } from "../../../domain/catalog/product.ts";
import { callApi } from "../api.ts";

/** What the shop says of a product now: the product, `gone`, or `unknown` where it did not answer within 5 s. */
export async function fetchProduct(slug: string): Promise<Product | "gone" | "unknown"> {
  const answer = await callApi("GET /api/products/:slug", {
    params: { slug },
    query: { _t: Date.now() },
    timeoutMs: 5000,
  });
  if (answer.ok) return answer.body.data;
  return answer.problem.status === 404 ? "gone" : "unknown";
}
