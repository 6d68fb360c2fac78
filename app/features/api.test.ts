import { afterEach, beforeEach, expect, test, vi } from "vitest";

let sentPaths: string[];
let responses: PromiseWithResolvers<Response>[];

beforeEach(() => {
  sentPaths = [];
  responses = [];
  vi.useFakeTimers();
  vi.stubGlobal("fetch", (path: string) => {
    sentPaths.push(path);
    const response = Promise.withResolvers<Response>();
    responses.push(response);
    return response.promise;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Calls of a page that was just loaded. */
async function calls() {
  const { callApi } = await import("./api.ts");
  return {
    view: () => void callApi("POST /api/products/:slug/views", { params: { slug: "oil" } }),
    addToCart: () => void callApi("POST /api/cart/add", { body: { productId: 1, quantity: 1 } }),
    product: () => void callApi("GET /api/products/:slug", { params: { slug: "oil" } }),
  };
}

test("API calls that change something wait until the first one has set the visitor cookie, and reads do not wait", async () => {
  const { view, addToCart, product } = await calls();
  view();
  addToCart();
  addToCart();
  product();
  await vi.advanceTimersByTimeAsync(100);
  expect(sentPaths).toEqual(["/api/products/oil/views", "/api/products/oil"]);

  responses[0]?.resolve(new Response(null, { status: 204 }));
  await vi.advanceTimersByTimeAsync(0);
  expect(sentPaths.slice(2)).toEqual(["/api/cart/add", "/api/cart/add"]);
  addToCart();
  await vi.advanceTimersByTimeAsync(0);
  expect(sentPaths).toHaveLength(5);
});

test("a first call without a response delays the others for three seconds", async () => {
  const { view, addToCart } = await calls();
  view();
  addToCart();
  await vi.advanceTimersByTimeAsync(2_999);
  expect(sentPaths).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(sentPaths).toHaveLength(2);
});
