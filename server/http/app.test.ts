import { eq } from "drizzle-orm";
import { Stripe } from "stripe";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminBrowser } from "../../test/admin.ts";
import { order } from "../../test/checkout.ts";
import { openTestShop, type TestShop } from "../../test/shop.ts";
import { products } from "../catalog/tables.ts";
import { stock } from "../inventory/tables.ts";
import { parseInput } from "../platform/http/request-body.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ METRICS_TOKEN: "metrics-token" });
});
afterAll(() => shop.stop());

const json = { "Content-Type": "application/json" };
const checkoutPath = "/api/stripe/create-payment-intent";

describe("an API call", () => {
  test.each([
    ["not JSON", { body: "{", headers: json }, 400, "invalid_json"],
    ["empty", { body: "", headers: json }, 400, "invalid_json"],
    [
      "of another media type",
      { body: "{}", headers: { "Content-Type": "text/plain" } },
      415,
      "unsupported_media_type",
    ],
    [
      "a form",
      { body: "amount=1", headers: { "Content-Type": "application/x-www-form-urlencoded" } },
      415,
      "unsupported_media_type",
    ],
    ["a list", { body: "[]", headers: json }, 422, "validation_failed"],
    [
      "nested 30,000 levels deep",
      { body: `{"a":${"[".repeat(30_000)}${"]".repeat(30_000)}}`, headers: json },
      422,
      "validation_failed",
    ],
    ["null", { body: "null", headers: json }, 422, "validation_failed"],
    ["over 64 KiB", { body: JSON.stringify({ pad: "x".repeat(65_536) }), headers: json }, 413, "too_large"],
  ])("with a body that is %s is refused", async (_, init, status, error) => {
    const response = await shop.browser().fetch(checkoutPath, { method: "POST", ...init });
    expect(response.status).toBe(status);
    const body = await response.json();
    expect(body).toMatchObject({ success: false, error, requestId: response.headers.get("x-request-id") });
    expect(body.message).toMatch(/\.$/);
  });

  test("with another value instead of an object is refused with a readable message", async () => {
    const body = { items: [{ productId: 1, quantity: 1 }], shipping: 4711 };
    const response = await shop.browser().post("/api/cart/quote", body);
    expect([response.status, response.body.fields]).toEqual([422, { shipping: "Must be an object" }]);
  });

  test("may have no body if every field is optional", async () => {
    const admin = await adminBrowser(shop);
    const init = { method: "POST", body: "" };
    const unknownOrder = "/api/admin/orders/00000000-0000-4000-8000-000000000000/refund";
    expect((await admin.fetch(unknownOrder, init)).status).toBe(404);
    expect((await admin.fetch(unknownOrder, { ...init, headers: json })).status).toBe(404);
  });

  test.each([
    ["above 64 KiB", 80, 80, null],
    ["above 64 MiB, of which the rest is not read", 70_000, 65_537, "close"],
  ])("with a body %s and no Content-Length is refused", async (_title, sendKiB, readKiB, connection) => {
    let pulledKiB = 0;
    const chunks = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (pulledKiB === sendKiB) return controller.close();
          pulledKiB += 1;
          controller.enqueue(new Uint8Array(1024).fill(32));
        },
      },
      { highWaterMark: 0 },
    );
    const init = { method: "POST", body: chunks, headers: json, duplex: "half" } as RequestInit;
    const response = await shop.browser().fetch(checkoutPath, init);
    expect(response.status).toBe(413);
    expect(response.headers.get("connection")).toBe(connection);
    // Callers read the response only once they have sent everything.
    expect(pulledKiB).toBe(readKiB);
  });

  test.each(["/api/cart/clear", "/api/admin/logout", "/api/products/pure-batana-oil/views"])(
    "is refused if it takes no body and has one above 64 KiB: %s",
    async (path) => {
      const response = await shop.browser().post(path, { pad: "x".repeat(65_536) });
      expect(response.status).toBe(413);
      expect(response.body.error).toBe("too_large");
    },
  );

  test("aborted by the caller is not reported as a failure of the shop", async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(Object.assign(new Error("aborted"), { code: "ECONNRESET" })),
    });
    const init = { method: "POST", body, headers: json, duplex: "half" } as RequestInit;
    expect((await shop.browser().fetch(checkoutPath, init)).status).toBe(499);
  });

  test("of the wrong type gets a message in the shop's words, whichever schema refuses it", () => {
    const refused = Object.entries({
      "Must be text": [v.string(), 5],
      "Is required": [v.string(), undefined],
      "Must be a number": [v.number(), "x"],
      "Must be true or false": [v.boolean(), "x"],
      "Must be a list": [v.array(v.string()), {}],
      "Must be an object": [v.strictObject({}), 5],
      "One of newest, packing": [v.picklist(["newest", "packing"]), "x"],
      "Must be public-key": [v.literal("public-key"), "x"],
      "Must be a whole number": [v.pipe(v.number(), v.integer()), 1.5],
      "At most 9": [v.pipe(v.number(), v.maxValue(9)), 10],
      "At least 2 characters": [v.pipe(v.string(), v.minLength(2)), "x"],
      "At most 2 entries": [v.pipe(v.array(v.string()), v.maxLength(2)), ["a", "b", "c"]],
      "Must be a UUID": [v.pipe(v.string(), v.uuid()), "x"],
      "Does not have the right form": [v.pipe(v.string(), v.regex(/^a$/)), "x"],
      "Its own words": [v.string("Its own words"), 5],
    } satisfies Record<string, [v.GenericSchema, unknown]>);
    for (const [sentence, [schema, field]] of refused)
      expect(parseInput({ field }, v.object({ field: schema }))).toMatchObject({
        fields: { field: sentence },
      });
    expect(parseInput({ more: 1 }, v.strictObject({ field: v.string() }))).toMatchObject({
      fields: { field: "Is required", more: "Is not known here" },
    });
  });

  test("without required fields gets readable messages", async () => {
    const response = await shop.browser().post(checkoutPath, { amount: 3590, metadata: {} });
    expect(response.body.fields).toMatchObject({
      orderItems: "Is required",
      "metadata.email": "Is required",
    });
  });

  test.each([
    ["another site", { Origin: "https://evil.example" }, 403],
    ["an opaque origin", { Origin: "null" }, 403],
    ["a cross-site frame", { "Sec-Fetch-Site": "cross-site" }, 403],
    ["a neighbouring subdomain", { "Sec-Fetch-Site": "same-site" }, 403],
    ["the shop", { Origin: "http://localhost:5000", "Sec-Fetch-Site": "same-origin" }, 200],
    ["a page of the shop without a referrer", { Origin: "null", "Sec-Fetch-Site": "same-origin" }, 200],
    ["a program", {}, 200],
    ["this machine under another name", { Origin: "http://127.0.0.1:5000", Host: "127.0.0.1:5000" }, 200],
    [
      "a foreign domain that points to this server",
      { Origin: "http://evil.example", Host: "evil.example" },
      403,
    ],
  ])("that changes something is accepted or refused by its origin: %s", async (_, headers, status) => {
    const response = await shop.browser().post("/api/cart/clear", {}, headers as Record<string, string>);
    expect(response.status).toBe(status);
    if (status === 403) expect(response.body.error).toBe("forbidden");
  });

  test.each(["constructor", "__proto__", "toString"])(
    "with an unknown field is refused with the field's name: %s",
    async (name) => {
      const admin = await adminBrowser(shop);
      const response = await admin.fetch("/api/admin/settings", {
        method: "PATCH",
        body: `{"shipping":{"zones":[],"${name}":1}}`,
        headers: json,
      });
      expect(response.status).toBe(422);
      expect(await response.text()).toContain(`"shipping.${name}":`);
    },
  );

  test("with a body that is nested too deeply is refused with the reason", async () => {
    const init = { method: "POST", headers: json, body: `{"items":${"[".repeat(12)}${"]".repeat(12)}}` };
    const { fields } = await (await shop.browser().fetch("/api/cart/quote", init)).json();
    expect(Object.values(fields)).toEqual(["Nested too deep: at most 10 levels"]);
  });

  test("from a wrong origin is refused before its body is read", async () => {
    const init = { method: "POST", body: "{", headers: { ...json, Origin: "https://evil.example" } };
    expect((await shop.browser().fetch(checkoutPath, init)).status).toBe(403);
  });

  test.each([
    ["PUT", checkoutPath, "POST"],
    ["PATCH", "/api/orders/find", "POST"],
    ["DELETE", "/api/openapi.json", "GET"],
    ["POST", "/api/docs", "GET"],
  ])("with a wrong method returns 405 and names the right one: %s %s", async (method, path, allowed) => {
    const response = await shop.browser().fetch(path, { method });
    expect(response.status).toBe(405);
    expect((await response.json()).error).toBe("method_not_allowed");
    expect(response.headers.get("allow")).toBe(allowed);
  });

  test("to an unknown path under /api gets a JSON response", async () => {
    for (const path of [
      "/api",
      "/api/",
      "/api/nothing",
      "/api/orders/not-a-uuid",
      "/api/products/%00",
      "/api/products/%",
    ]) {
      const response = await shop.browser().get(path);
      expect(response.status, path).toBe(404);
      expect(response.body.error, path).toBe("not_found");
    }
  });

  test("has security headers, and a policy that allows no scripts", async () => {
    const { headers } = await shop.browser().get("/api/products");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    expect(headers.has("strict-transport-security")).toBe(false);
  });

  test("to check out is refused above the limit of a network address, but not from other addresses", async () => {
    const busy = shop.browser("203.0.113.7");
    const responses = [];
    for (let call = 0; call < 21; call += 1) responses.push(await busy.post(checkoutPath, { amount: 1 }));
    expect(responses.slice(0, 20).every(({ status }) => status === 422)).toBe(true);
    expect(responses[20]?.status).toBe(429);
    expect(responses[20]?.body.error).toBe("rate_limited");
    expect(Number(responses[20]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await shop.browser().post(checkoutPath, { amount: 1 })).status).toBe(422);
  });
});

describe("the catalog", () => {
  test("returns a product with pictures in three formats, its price in cents, and no stock figure while many units are left", async () => {
    const { body } = await shop.browser().get("/api/products/pure-batana-oil");
    expect(body.success).toBe(true);
    expect(body.data).toMatchObject({
      id: 1,
      slug: "pure-batana-oil",
      name: "Pure Batana Oil",
      price: 2995,
      currency: "USD",
      reviewCount: 0,
      averageRating: null,
      inStock: true,
      stock: null,
    });
    expect(body.data.images.length).toBeGreaterThanOrEqual(4);
    expect(new Set(body.data.images.map(({ url }: { url: string }) => url)).size).toBe(
      body.data.images.length,
    );
    expect(body.data.images[0]).toMatchObject({
      url: expect.stringMatching(/^\/images\/.+\.jpg$/),
      srcset: { avif: expect.stringContaining("480w"), webp: expect.stringContaining("480w") },
    });
  });

  test("returns a changed price and stock right away", async () => {
    const { db } = shop.database;
    const read = async () => (await shop.browser().get("/api/products/pure-batana-oil")).body.data;
    await read();
    await db.update(products).set({ priceCents: 3195 }).where(eq(products.id, 1));
    await db.update(stock).set({ onHand: 4 }).where(eq(stock.productId, 1));
    await expect.poll(read).toMatchObject({ price: 3195, stock: 4, inStock: true });
    await db.update(stock).set({ onHand: 0 }).where(eq(stock.productId, 1));
    await expect.poll(read).toMatchObject({ stock: 0, inStock: false });
    await db.update(products).set({ priceCents: 2995, published: false }).where(eq(products.id, 1));
    await expect
      .poll(async () => (await shop.browser().get("/api/products/pure-batana-oil")).status)
      .toBe(404);
    await db.update(products).set({ published: true }).where(eq(products.id, 1));
    await db.update(stock).set({ onHand: 100 }).where(eq(stock.productId, 1));
    await expect.poll(read).toMatchObject({ price: 2995, stock: null });
  });
});

describe("the cart", () => {
  test("belongs to one browser and is priced by the server", async () => {
    const browser = shop.browser();
    const addResponse = await browser.post("/api/cart/add", { productId: 1, quantity: 2 });
    expect(addResponse.body.data).toMatchObject({
      items: [{ productId: 1, quantity: 2, price: 2995, total: 5990 }],
      totals: { subtotal: 5990, shipping: 0, tax: 0, total: 5990, currency: "USD" },
    });
    expect(addResponse.headers.get("set-cookie")).toMatch(/^palmira_visitor=.*HttpOnly; SameSite=Lax/);
    await browser.post("/api/cart/add", { productId: 1, quantity: 99 });
    expect((await browser.get("/api/cart")).body.data.items[0].quantity).toBe(99);
    expect((await shop.browser().get("/api/cart")).body.data.items).toEqual([]);
    expect((await browser.post("/api/cart/remove", { productId: 1 })).body.data.items).toEqual([]);
    await browser.post("/api/cart/add", { productId: 1, quantity: 1 });
    expect((await browser.post("/api/cart/clear", {})).body.data).toMatchObject({
      items: [],
      totals: { total: 0 },
    });
  });

  test("refuses unknown products and quantities out of range", async () => {
    const browser = shop.browser();
    expect((await browser.post("/api/cart/add", { productId: 999, quantity: 1 })).status).toBe(404);
    for (const quantity of [0, -1, 100, 1.5, "2", null]) {
      const response = await browser.post("/api/cart/add", { productId: 1, quantity });
      expect(response.body.fields, String(quantity)).toHaveProperty("quantity");
    }
  });

  test("is quoted for a destination with its shipping options", async () => {
    const items = [{ productId: 1, quantity: 1 }];
    const abroad = await shop.browser().post("/api/cart/quote", { items, country: "HN" });
    expect(abroad.body.data).toMatchObject({
      shippingOption: "international-standard",
      totals: { subtotal: 2995, shipping: 595, total: 3590 },
    });
    const expedited = await shop
      .browser()
      .post("/api/cart/quote", { items, country: "US", shippingOption: "us-expedited" });
    expect(expedited.body.data.totals).toMatchObject({ shipping: 1495, total: 4490 });
    expect(expedited.body.data.shippingOptions.map(({ id }: { id: string }) => id)).toEqual([
      "us-standard",
      "us-expedited",
    ]);
    const wrongOption = await shop
      .browser()
      .post("/api/cart/quote", { items, country: "HN", shippingOption: "us-expedited" });
    expect(wrongOption.status).toBe(422);
  });
});

describe("the admin's sign-in", () => {
  test("needs the access code, and ends with the session", async () => {
    const browser = shop.browser();
    expect((await browser.post("/api/admin/verify", { accessCode: "wrong" })).status).toBe(401);
    const signInResponse = await browser.post("/api/admin/verify", { accessCode: "open-sesame-1234" });
    expect(signInResponse.status).toBe(200);
    expect(signInResponse.headers.get("set-cookie")).toMatch(/^palmira_admin=.*HttpOnly; SameSite=Strict/);
    expect((await browser.get("/api/admin/session")).body).toEqual({
      success: true,
      authenticated: true,
      data: { authenticated: true },
    });
    const startedOrder = await order(shop.browser());
    const orderResponse = await browser.get(`/api/orders/${startedOrder.body.orderId}`);
    expect(orderResponse.body.data).toMatchObject({ id: startedOrder.body.orderId, needsAttention: null });
    await browser.post("/api/admin/logout");
    expect((await browser.get("/api/admin/session")).body.data).toEqual({ authenticated: false });
  });

  test("checks at most 5 wrong codes a minute from an address, even concurrent ones", async () => {
    const browser = shop.browser();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => browser.post("/api/admin/verify", { accessCode: "wrong" })),
    );
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  test("does not count correct codes as failed attempts", async () => {
    const browser = shop.browser();
    for (let tries = 0; tries < 7; tries += 1) {
      const response = await browser.post("/api/admin/verify", { accessCode: "open-sesame-1234" });
      expect(response.status).toBe(200);
    }
  });

  test("refuses even the correct code after 5 wrong ones", async () => {
    const browser = shop.browser();
    for (let tries = 0; tries < 5; tries += 1)
      await browser.post("/api/admin/verify", { accessCode: "wrong" });
    const sixthResponse = await browser.post("/api/admin/verify", { accessCode: "open-sesame-1234" });
    expect(sixthResponse.status).toBe(429);
    expect(Number(sixthResponse.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("the endpoints for operations", () => {
  test("report “not ready”, with the reason, while a part that is needed to sell does not work", async () => {
    const readReadiness = async () => {
      const { status, body } = await shop.browser().get("/readyz");
      return { ...body, code: status };
    };
    shop.health.report("texts", "Twilio refuses", { canSell: true });
    expect(await readReadiness()).toEqual({
      code: 200,
      status: "ready",
      degraded: { texts: "Twilio refuses" },
    });
    // An invented part, because a real one would overwrite this report with its state.
    shop.health.report("printing", "is out of paper");
    expect(await readReadiness()).toEqual({
      code: 503,
      status: "not ready",
      degraded: { texts: "Twilio refuses", printing: "is out of paper" },
    });
    shop.health.report("printing", null);
    shop.health.report("texts", null);
    expect(await readReadiness()).toEqual({ code: 200, status: "ready" });
  });

  test("serve health, readiness and, to permitted callers, metrics", async () => {
    expect((await shop.browser().get("/healthz")).status).toBe(200);
    expect((await shop.browser().get("/readyz")).status).toBe(200);
    expect((await shop.browser().get("/metrics")).status).toBe(401);
    const response = await shop
      .browser()
      .fetch("/metrics", { headers: { Authorization: "Bearer metrics-token" } });
    const text = await response.text();
    for (const name of [
      "http_requests_total{",
      "http_request_duration_seconds_bucket{",
      "orders{",
      "jobs_waiting",
      "jobs_oldest_waiting_seconds",
      "payment_provider_duration_seconds",
    ]) {
      expect(text).toContain(name);
    }
  });

  test("describe every API call by the schemas that validate it", async () => {
    const { body } = await shop.browser().get("/api/openapi.json");
    expect(body.openapi).toBe("3.1.0");
    const post = body.paths["/api/stripe/create-payment-intent"].post;
    const schema = post.requestBody.content["application/json"].schema;
    expect(schema.required).toEqual(expect.arrayContaining(["amount", "orderItems", "metadata"]));
    expect(schema.properties.orderItems.maxItems).toBe(50);
    expect(Object.keys(post.responses)).toEqual(
      expect.arrayContaining(["201", "400", "403", "409", "413", "415", "422", "429", "502"]),
    );
    expect(post.parameters).toMatchObject([{ name: "Idempotency-Key", in: "header", required: false }]);
    const webhook = body.paths["/api/stripe/webhook"].post;
    expect(webhook.parameters).toMatchObject([{ name: "Stripe-Signature", in: "header", required: true }]);
    expect(webhook.requestBody.required).toBe(true);
    expect(Object.keys(body.paths["/api/cart/clear"].post.responses)).toEqual(
      expect.arrayContaining(["413", "500", "503"]),
    );
    expect(body.components.securitySchemes.admin.name).toBe("palmira_admin");
    expect((await shop.browser().get("/api/docs")).body).toContain("POST /api/cart/quote");
  });

  test("name the connected payment provider", async () => {
    const { body } = await shop.browser().get("/api/stripe/test");
    expect(body).toEqual({ success: true, provider: "sandbox", mode: "sandbox", reachable: true });
  });
});

describe("a shop on https", () => {
  let secure: TestShop;
  beforeAll(async () => {
    secure = await openTestShop({ PUBLIC_URL: "https://shop.example", PAYMENTS: "sandbox" });
  });
  afterAll(() => secure.stop());

  test("serves callers on this machine and its proxies over http, with HSTS and secure cookies", async () => {
    const response = await secure.browser().post("/api/cart/add", { productId: 1, quantity: 1 });
    expect(response.status).toBe(200);
    expect(response.headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect(response.headers.get("set-cookie")).toMatch(/^__Host-palmira_visitor=.*; Secure;/);
    const { body } = await secure.browser().get("/api/openapi.json");
    expect(body.components.securitySchemes.admin.name).toBe("__Host-palmira_admin");
  });

  test("redirects other http callers to https", async () => {
    const env = { incoming: { socket: { remoteAddress: "203.0.113.9" } } };
    const response = await secure.app.request("/cart?x=1", {}, env as never);
    expect([response.status, response.headers.get("location")]).toEqual([
      308,
      "https://shop.example/cart?x=1",
    ]);
    // Load balancers and metrics collectors call this server, not the public URL.
    for (const [method, path, status] of [
      ["GET", "/healthz", 200],
      ["GET", "/readyz", 200],
      ["OPTIONS", "/", 204],
      ["GET", "/metrics", 401],
    ] as const) {
      const response = await secure.app.request(path, { method }, env as never);
      expect([method, path, response.status]).toEqual([method, path, status]);
    }
  });
});

test("pages and calls return 503 while the database is down, and work again afterwards", async () => {
  const separateShop = await openTestShop({ STRIPE_WEBHOOK_SECRET: "whsec_lone" });
  const browser = separateShop.browser();
  const event = JSON.stringify({
    id: "evt_1",
    type: "payment_intent.succeeded",
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    data: { object: { id: "pi_1", object: "payment_intent", metadata: {} } },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: event, secret: "whsec_lone" });
  const sendWebhook = () =>
    browser.fetch("/api/stripe/webhook", {
      method: "POST",
      body: event,
      headers: { "Stripe-Signature": signature },
    });
  expect((await browser.get("/")).status).toBe(200);
  await separateShop.database.goAway();
  // Until the shop notices the lost connection, cached responses are still served.
  const readOrdersPage = async () => {
    const { status, headers } = await browser.get("/orders");
    return [status, headers.get("retry-after")];
  };
  await expect.poll(readOrdersPage).toEqual([503, "5"]);
  const sitemap = await browser.fetch("/sitemap.xml");
  expect([sitemap.status, sitemap.headers.get("retry-after"), sitemap.headers.get("cache-control")]).toEqual([
    503,
    "5",
    "no-store",
  ]);
  const call = await browser.post("/api/cart/add", { productId: 1, quantity: 1 });
  expect([call.status, call.body.error]).toEqual([503, "unavailable"]);
  // Any status other than 2xx makes the provider send the event again.
  expect((await sendWebhook()).status).toBe(503);
  expect((await browser.get("/readyz")).status).toBe(503);
  // Load balancers that use this check still send shoppers here, who get cached pages.
  expect((await browser.get("/readyz?for=pages")).status).toBe(200);
  expect((await browser.get("/healthz")).status).toBe(200);
  await separateShop.database.comeBack();
  await expect.poll(async () => (await browser.get("/readyz")).status).toBe(200);
  expect((await browser.post("/api/cart/add", { productId: 1, quantity: 1 })).status).toBe(200);
  expect((await sendWebhook()).status).toBe(200);
  await separateShop.stop();
});
