import { expect, test } from "vitest";
import { canonicalPath } from "./pages-and-files.ts";

const canonicalUrl = (path: string) => canonicalPath(new URL(`https://shop.example${path}`));

test.each([
  ["/Reviews", "/reviews"],
  ["/reviews/", "/reviews"],
  ["/reviews///", "/reviews"],
  ["//", "/"],
  ["///?a=1", "/?a=1"],
  ["/PRODUCT/Pure-Batana-Oil/?Size=Large&next=/A/", "/product/pure-batana-oil?Size=Large&next=/A/"],
  ["/caf%C3%A9/", "/caf%C3%A9"],
])("%s is redirected to %s", (path, canonical) => {
  expect(canonicalUrl(path)).toBe(canonical);
});

test.each([
  "/",
  "/?utm_source=Letter",
  "/reviews?sort=Highest",
  "/caf%C3%A9",
  "/api/Products/",
  "/assets/root-BxY_z.js",
  "/images/Bottle.JPG",
  "/share/Home.1.jpg",
  "/sandbox/checkout/cs_test_aBc",
  "/product/Pure.data",
  "/__manifest",
])("%s is not redirected", (path) => {
  expect(canonicalUrl(path)).toBeNull();
});

test.each([
  "//evil.example/",
  "//Evil.example",
  "/\\evil.example/",
  "/%2f%2fevil.example/",
  "/%5Cevil.example/",
  "///evil.example/",
  "/a//Evil.example/",
])("%s is not redirected to another host", (path) => {
  expect(canonicalUrl(path)).toBeNull();
});

test("a URL of thousands of slashes is processed in linear time", () => {
  const slashes = "/".repeat(1_000_000);
  expect(canonicalPath(new URL(`http://shop.example${slashes}`))).toBe("/");
  expect(canonicalPath(new URL(`http://shop.example${slashes}x`))).toBeNull();
});
