import { expect, test } from "vitest";
import { pageCacheKey } from "./public-pages.ts";

test.each([
  ["/", "/"],
  ["/?utm_source=x&fbclid=y", "/"],
  ["/product/pure-batana-oil?ref=a", "/product/pure-batana-oil"],
  ["/_.data", "/_.data"],
  [
    "/product/pure-batana-oil.data?_routes=routes%2Fproduct",
    "/product/pure-batana-oil.data?_routes=routes%2Fproduct",
  ],
  ["/reviews?rating=1&sort=lowest&x=1", "/reviews?sort=lowest&rating=1"],
  ["/reviews?sort=lowest&rating=1", "/reviews?sort=lowest&rating=1"],
  ["/reviews?sort=by-moon&rating=6", "/reviews"],
])("%s is cached as %s", (path, key) => {
  expect(pageCacheKey(`http://localhost:5000${path}`)).toBe(key);
});

test.each([
  "/orders",
  "/orders/1",
  "/orders/find?token=x",
  "/admin",
  "/checkout/success?session_id=x",
  "/nothing",
  "/Product/pure-batana-oil",
  "/product/",
  "/product/a/b",
  "/product/pure%2Dbatana-oil",
  `/product/${"a".repeat(200)}`,
  "/product/pure-batana-oil?review=1.2",
  "/product/pure-batana-oil.data?review=1.2",
  "/cart?restore=1.2",
  "/reviews?cursor=12",
  "/reviews?sent=1&rating=5",
  "/reviews?stars=5",
  "/reviews?hair=curly",
  "/product/pure-batana-oil?rating=5",
  "/_.data?_routes=root",
  "/_.data?_routes=routes%2Fproduct",
])("%s is rendered for each visitor", (path) => {
  expect(pageCacheKey(`http://localhost:5000${path}`)).toBeNull();
});
