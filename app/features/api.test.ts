import { afterEach, beforeEach, expect, test, vi } from "vitest";

let begun: string[];
let answers: PromiseWithResolvers<Response>[];

beforeEach(() => {
  begun = [];
  answers = [];
  vi.useFakeTimers();
  vi.stubGlobal("fetch", (path: string) => {
    begun.push(path);
    const answer = Promise.withResolvers<Response>();
    answers.push(answer);
    return answer.promise;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** As a page that was just loaded calls it. */
async function calls() {
  const { callApi } = await import("./api.ts");
  return {
    view: () => void callApi("POST /api/products/:slug/views", { params: { slug: "oil" } }),
    addToCart: () => void callApi("POST /api/cart/add", { body: { productId: 1, quantity: 1 } }),
    product: () => void callApi("GET /api/products/:slug", { params: { slug: "oil" } }),
  };
}

test("only one call at a time may make the browser a visitor, and reading waits for nobody", async () => {
  const { view, addToCart, product } = await calls();
  view();
  addToCart();
  addToCart();
  product();
  await vi.advanceTimersByTimeAsync(100);
  expect(begun).toEqual(["/api/products/oil/views", "/api/products/oil"]);

  answers[0]?.resolve(new Response(null, { status: 204 }));
  await vi.advanceTimersByTimeAsync(0);
  expect(begun.slice(2)).toEqual(["/api/cart/add", "/api/cart/add"]);
  addToCart();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toHaveLength(5);
});

test("a first call that gets no answer holds the others up for three seconds", async () => {
  const { view, addToCart } = await calls();
  view();
  addToCart();
  await vi.advanceTimersByTimeAsync(2_999);
  expect(begun).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toHaveLength(2);
});
