import { eq, sql } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { adminBrowser } from "../../test/admin.ts";
import { checkoutBody } from "../../test/checkout.ts";
import { soon } from "../../test/patience.ts";
import { type ApiResponse, openTestShop, type TestBrowser } from "../../test/shop.ts";
import { activity } from "../admin/tables.ts";
import { rateLimits } from "../http/tables.ts";
import { stock, stockMovements } from "../inventory/tables.ts";
import { productSlugs, products, productViewHours } from "./tables.ts";

const shop = await openTestShop();
const admin = await adminBrowser(shop);
afterAll(() => shop.stop());

async function call(method: string, path: string, body?: unknown, browser = admin): Promise<ApiResponse> {
  const response = await browser.fetch(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: { "Content-Type": "application/json" },
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

async function addProduct(changes: object = {}): Promise<ApiResponse["body"]["data"]> {
  const { status, body } = await call("POST", "/api/admin/products", {
    name: "Palm Balm",
    price: 1850,
    stock: 12,
    ...changes,
  });
  expect(status).toBe(201);
  return body.data;
}

const readLastActivity = async () => {
  const rows = await shop.database.db.select().from(activity).orderBy(activity.id);
  return rows.at(-1);
};

describe("the price of a product", () => {
  test("is returned after a change, logged, and soon shown on the cached page", async () => {
    const browser = shop.browser();
    expect(await (await browser.fetch("/product/pure-batana-oil")).text()).toContain("$29.95");
    const { status, body } = await call("PUT", "/api/products/1/price", { price: 3195 });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: 1, price: 3195, slug: "pure-batana-oil" });
    expect(await readLastActivity()).toMatchObject({
      subject: "product:1",
      summary: "Price of Pure Batana Oil: $29.95 → $31.95",
      before: { price: 2995 },
      after: { price: 3195 },
      outcome: "done",
    });
    await expect
      .poll(async () => (await browser.fetch("/product/pure-batana-oil")).text(), soon)
      .toContain("$31.95");
    await call("PUT", "/api/products/1/price", { price: 2995 });
  });

  test.each([-1, 100_000_000, 31.95, "3195", "1e5", "-1", null, undefined])("cannot be %s", async (price) => {
    const { status, body } = await call("PUT", "/api/products/1/price", { price });
    expect(status).toBe(422);
    expect(body.fields.price).toEqual(expect.any(String));
  });

  test("returns 404 if set for an unknown product", async () => {
    expect((await call("PUT", "/api/products/4711/price", { price: 1 })).status).toBe(404);
    expect((await call("PUT", "/api/products/none/price", { price: 1 })).status).toBe(404);
  });
});

describe("creating and editing a product", () => {
  test("keeps a new product hidden until it is published, and then sells it like any other", async () => {
    const product = await addProduct({ name: "Crème de Palme" });
    expect(product).toMatchObject({
      slug: "creme-de-palme",
      published: false,
      stock: 12,
      onHand: 12,
      reserved: 0,
      revision: 1,
      images: [],
    });
    const shopper = shop.browser();
    expect((await shopper.get("/product/creme-de-palme")).status).toBe(410);
    const extras = { scent: "Nutty", lasts: "A month", videoUrl: "https://videos.example.com/balm.mp4" };
    const { body } = await call("PATCH", `/api/admin/products/${product.id}`, {
      published: true,
      description: "A balm.",
      ...extras,
    });
    expect(body.data).toMatchObject({ ...extras, published: true, description: "A balm.", revision: 2 });
    await expect.poll(async () => (await shopper.get("/api/products")).body.data.length, soon).toBe(2);
    for (const path of ["/", "/product/creme-de-palme", "/reviews", "/reviews/new", "/sitemap.xml"]) {
      expect((await shopper.get(path)).status, path).toBe(200);
    }
    const page = await (await shopper.fetch("/product/creme-de-palme")).text();
    for (const text of Object.values(extras)) expect(page).toContain(text);
    const items = [
      { productId: 1, quantity: 1 },
      { productId: product.id, quantity: 2 },
    ];
    const quote = await shopper.post("/api/cart/quote", { items });
    expect(quote.body.data.totals.subtotal).toBe(2995 + 2 * 1850);
    expect((await readLastActivity())?.summary).toMatch(
      /^Crème de Palme: .*description.* changed; published$/,
    );
    await call("PATCH", `/api/admin/products/${product.id}`, { published: false });
  });

  test("names invalid fields one by one, and saves nothing", async () => {
    const { status, body } = await call("PATCH", "/api/admin/products/1", {
      name: " ",
      slug: "Not An Address",
      benefits: ["Good", ""],
      usage: "x".repeat(5001),
      gtin: "4006381333932",
      videoUrl: "https://videos.example.com/watch?v=oil",
      stock: -1,
    });
    expect(status).toBe(422);
    expect(Object.keys(body.fields).sort()).toEqual([
      "benefits.1",
      "gtin",
      "name",
      "slug",
      "stock",
      "usage",
      "videoUrl",
    ]);
    expect((await call("PATCH", "/api/admin/products/1", { nonsense: 1 })).status).toBe(422);
    expect((await call("PATCH", "/api/admin/products/4711", { name: "Nothing" })).status).toBe(404);
  });

  test("does not publish a product without a price", async () => {
    const product = await addProduct({ name: "Sample", price: 0 });
    const { status, body } = await call("PATCH", `/api/admin/products/${product.id}`, { published: true });
    expect(status).toBe(422);
    expect(body.fields.published).toContain("price");
  });

  test("from an older revision is refused, and the response has the current product", async () => {
    const product = await addProduct({ name: "Twice Edited" });
    const path = `/api/admin/products/${product.id}`;
    const first = await call("PATCH", path, { description: "Mine.", revision: product.revision });
    expect(first.body.data.revision).toBe(2);
    const second = await call("PATCH", path, { description: "Theirs.", revision: product.revision });
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({
      error: "invalid_state",
      current: { description: "Mine.", revision: 2 },
    });
    const price = await call("PUT", `/api/products/${product.id}/price`, {
      price: 1,
      revision: product.revision,
    });
    expect(price.status).toBe(409);
    expect((await call("GET", path)).body.data).toMatchObject({ description: "Mine.", price: 1850 });
  });

  test("saves only one of several concurrent edits of the same revision", async () => {
    const product = await addProduct({ name: "Many Editors" });
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        call("PATCH", `/api/admin/products/${product.id}`, { size: `${index} ml`, revision: 1 }),
      ),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(7);
  });
});

describe("the URL of a product", () => {
  test("is the target of former URLs, and is used by the API and the home page", async () => {
    const shopper = shop.browser();
    await call("PATCH", "/api/admin/products/1", { slug: "batana-oil" });
    const fetchRedirect = async (path: string) => (await shopper.fetch(path)).headers.get("location");
    await expect
      .poll(() => fetchRedirect("/product/pure-batana-oil?review=abc"), soon)
      .toBe("/product/batana-oil?review=abc");
    expect((await shopper.get("/api/products/pure-batana-oil")).body.data.slug).toBe("batana-oil");
    const home = await (await shopper.fetch("/")).text();
    expect(home).toContain("/product/batana-oil");
    expect(home).not.toContain("Product not found");
    expect(await (await shopper.fetch("/product/batana-oil")).text()).toContain("Elaeis oleifera");
    // Once the slug is changed back, the second URL redirects to the first.
    await call("PATCH", "/api/admin/products/1", { slug: "pure-batana-oil" });
    await expect.poll(() => fetchRedirect("/product/batana-oil"), soon).toBe("/product/pure-batana-oil");
    expect((await shopper.fetch("/product/pure-batana-oil")).status).toBe(200);
    const formerSlugs = await shop.database.db.select({ slug: productSlugs.slug }).from(productSlugs);
    expect(formerSlugs).toEqual([{ slug: "batana-oil" }]);
  });

  test("cannot be a current or former slug of another product", async () => {
    const product = await addProduct({ name: "Address Taker" });
    for (const slug of ["pure-batana-oil", "batana-oil"]) {
      const { status, body } = await call("PATCH", `/api/admin/products/${product.id}`, { slug });
      expect(status).toBe(422);
      expect(body.fields.slug).toContain("address");
    }
    const second = await addProduct({ name: "Address Taker" });
    expect(second.slug).toBe("address-taker-2");
  });
});

describe("the internal data of a product", () => {
  const customsFields = { hsCode: "1515.90", originCountry: "HN" };
  const internalFields = { sku: "PBO-60", weightGrams: 140, cost: 812, compareAtPrice: 3995 };

  test("includes weight, cost and customs code, which only the owner sees; shoppers see the SKU and a compare-at price above the price", async () => {
    const shopper = shop.browser();
    const { status, body } = await call("PATCH", "/api/admin/products/1", {
      ...internalFields,
      ...customsFields,
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ ...internalFields, hsCode: "151590", originCountry: "HN" });
    const readPage = async () => (await shopper.fetch("/product/pure-batana-oil")).text();
    await expect.poll(readPage, soon).toContain("39.95</s>");
    for (const text of [await readPage(), await (await shopper.fetch("/api/products")).text()]) {
      expect(text).toContain("PBO-60");
      for (const secret of ["cost", "812", "weightGrams", "hsCode"]) expect(text).not.toContain(`"${secret}`);
    }
    expect(await readPage()).toContain("StrikethroughPrice");
    expect(await (await shopper.fetch("/products.xml")).text()).toContain(
      "<g:price>39.95 USD</g:price><g:sale_price>29.95 USD</g:sale_price>",
    );
    expect((await shopper.get("/")).status).toBe(200);
    // A compare-at price at or below the price is stored but not shown.
    await call("PATCH", "/api/admin/products/1", { compareAtPrice: 2995 });
    await expect.poll(readPage, soon).not.toContain("</s>");
    expect((await shopper.get("/api/products/pure-batana-oil")).body.data.compareAtPrice).toBeNull();
    const clearedFields = { sku: null, weightGrams: null, cost: null, compareAtPrice: null };
    expect((await call("PATCH", "/api/admin/products/1", clearedFields)).body.data).toMatchObject(
      clearedFields,
    );
  });

  test("needs a SKU that is unique regardless of case, and valid numbers", async () => {
    const product = await addProduct({ name: "Numbered", sku: "NUM-1" });
    const second = await call("POST", "/api/admin/products", { name: "Twin", price: 1, sku: "num-1" });
    expect([second.status, second.body.fields]).toEqual([422, { sku: "Another product has this SKU" }]);
    const path = `/api/admin/products/${product.id}`;
    expect((await call("PATCH", path, { sku: "num-1" })).status).toBe(200);
    const numbers = { sku: "x".repeat(65), weightGrams: 1.5, cost: -1, compareAtPrice: 0 };
    const invalid = { ...numbers, hsCode: "12", originCountry: "XX" };
    const { status, body } = await call("PATCH", path, invalid);
    expect([status, Object.keys(body.fields).sort()]).toEqual([422, Object.keys(invalid).sort()]);
    expect((await call("PATCH", path, { cost: "1e5" })).status).toBe(422);
  });
});

describe("duplicating, archiving and deleting", () => {
  test("a duplicate is unpublished, with the same texts, pictures and bundles", async () => {
    await call("PATCH", "/api/admin/products/1", { sku: "ONE", cost: 700 });
    await call("PUT", "/api/admin/products/1/bundles/3", { price: 7900 });
    const { status, body } = await call("POST", "/api/admin/products/1/duplicate");
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: "Pure Batana Oil (copy)",
      slug: "pure-batana-oil-2",
      price: 2995,
      published: false,
      stock: 0,
      sku: null,
      cost: 700,
      bundles: [{ quantity: 3, price: 7900 }],
      reviewCount: 0,
    });
    const original = (await call("GET", "/api/admin/products/1")).body.data;
    const altTexts = ({ images }: typeof original) => images.map(({ alt }: { alt: string }) => alt);
    expect(altTexts(body.data)).toEqual(altTexts(original));
    expect((await readLastActivity())?.summary).toBe(
      "Pure Batana Oil (copy) added as a copy of Pure Batana Oil",
    );
    await call("DELETE", "/api/admin/products/1/bundles/3");
    await call("PATCH", "/api/admin/products/1", { sku: null, cost: null });
    expect((await call("POST", "/api/admin/products/4711/duplicate")).status).toBe(404);
  });

  test("an archived product is hidden until it is restored and published", async () => {
    const shopper = shop.browser();
    const product = await addProduct({ name: "Winter Balm", published: true });
    const path = `/api/admin/products/${product.id}`;
    await expect.poll(async () => (await shopper.get("/product/winter-balm")).status, soon).toBe(200);
    const { body } = await call("PUT", `${path}/archived`, { archived: true });
    expect(body.data).toMatchObject({ published: false, archivedAt: expect.any(String) });
    await expect.poll(async () => (await shopper.get("/product/winter-balm")).status, soon).toBe(410);
    const refused = await call("PATCH", path, { published: true });
    expect([refused.status, refused.body.fields.published]).toEqual([
      422,
      "It is archived. Restore it first",
    ]);
    const restored = await call("PUT", `${path}/archived`, { archived: false });
    expect(restored.body.data).toMatchObject({ published: false, archivedAt: null });
    expect((await call("PATCH", path, { published: true })).status).toBe(200);
    expect((await call("PUT", "/api/admin/products/4711/archived", { archived: true })).status).toBe(404);
    expect((await call("PUT", `${path}/archived`, {})).status).toBe(422);
  });

  test("only an unpublished product without orders, reviews or questions can be deleted", async () => {
    const product = await addProduct({ name: "Never Sold", published: true });
    const path = `/api/admin/products/${product.id}`;
    expect((await call("DELETE", path)).body.message).toContain("Hide it first");
    await call("PATCH", path, { published: false, stock: 3 });
    expect((await call("DELETE", path)).status).toBe(200);
    expect((await readLastActivity())?.summary).toBe("Never Sold deleted");
    expect((await call("GET", path)).status).toBe(404);
    expect((await call("DELETE", path)).status).toBe(404);

    const soldProduct = await addProduct({ name: "Sold Once", published: true });
    const response = await shop.browser().post("/api/stripe/create-payment-intent", {
      ...checkoutBody({ amount: 1850 + 595 }),
      orderItems: [{ productId: soldProduct.id, quantity: 1, price: 1850 }],
    });
    expect(response.status).toBe(201);
    const refusal = await call("DELETE", `/api/admin/products/${soldProduct.id}`);
    expect([refusal.status, refusal.body.message]).toEqual([
      409,
      "Sold Once has 1 order, so it is kept. Archive it instead.",
    ]);

    const { db } = shop.database;
    const plannedProduct = await addProduct({ name: "Planned" });
    const lines = JSON.stringify([{ productId: plannedProduct.id, quantity: 1 }]);
    await db.execute(sql`insert into order_drafts
      (id, email, customer_name, shipping, items, created_at, changed_at, expires_at)
      values (gen_random_uuid(), 'a@b.example', 'Ada', '{}', ${lines}::jsonb, now(), now(), now())`);
    await db.execute(sql`insert into order_edits (id, order_id, status, before, after, difference_cents,
        goods_cents, shipping_cents, tax_cents, created_at)
      select gen_random_uuid(), id, 'waiting', '{}', jsonb_build_object('lines', ${lines}::jsonb), 1, 1, 0, 0, now()
      from orders limit 1`);
    expect((await call("DELETE", `/api/admin/products/${plannedProduct.id}`)).body.message).toContain(
      "has 1 draft order and 1 unpaid change of an order",
    );
  });
});

test("setting `stock` sets the available units, without the reserved ones, and is recorded as an adjustment", async () => {
  const product = await addProduct({ name: "Counted" });
  await shop.database.db.update(stock).set({ reserved: 5 }).where(eq(stock.productId, product.id));
  const { body } = await call("PATCH", `/api/admin/products/${product.id}`, { stock: 20 });
  expect(body.data).toMatchObject({ stock: 20, onHand: 25, reserved: 5, revision: 1 });
  const movements = await shop.database.db
    .select()
    .from(stockMovements)
    .where(eq(stockMovements.productId, product.id));
  expect(movements).toMatchObject([{ kind: "adjusted", quantity: 13, reason: "counted" }]);
});

test("the database also enforces the limits of a product's fields", async () => {
  const row = { slug: "a", name: "A", shortDescription: "", description: "", size: "", priceCents: 1 };
  const insert = (changes: object) => shop.database.db.insert(products).values({ ...row, ...changes });
  for (const changes of [
    { name: "" },
    { slug: "A" },
    { description: "x".repeat(5001) },
    { priceCents: -1 },
  ]) {
    await expect(insert(changes)).rejects.toThrow();
  }
});

test("a view counts once per visitor and hour, both in the product's total and in its hourly count", async () => {
  const [firstBrowser, secondBrowser] = [shop.browser(), shop.browser()];
  for (const browser of [firstBrowser, firstBrowser, secondBrowser])
    await browser.post("/api/products/pure-batana-oil/views");
  const hours = await shop.database.db.select().from(productViewHours);
  expect(hours).toMatchObject([{ productId: 1, views: 2 }]);
  await expect
    .poll(async () => (await firstBrowser.get("/api/products/pure-batana-oil")).body.data.viewCount)
    .toBe(2);
  expect((await firstBrowser.post("/api/products/nothing/views")).status).toBe(404);
});

test("views of at most 300 visitors per network count within an hour", async () => {
  const address = "198.51.100.88";
  const sendView = (browser: TestBrowser) => browser.post("/api/products/pure-batana-oil/views");
  const countViews = async () =>
    (await shop.database.db.select().from(productViewHours)).reduce((sum, { views }) => sum + views, 0);
  const before = await countViews();
  const oneHourLater = Date.now() + 60 * 60 * 1000;
  await shop.database.db
    .insert(rateLimits)
    .values({ key: `viewer:${address}`, points: 299, expire: oneHourLater });
  const lastCounted = shop.browser(address);
  for (const browser of [lastCounted, shop.browser(address), shop.browser(address), lastCounted]) {
    expect((await sendView(browser)).status).toBe(204);
  }
  expect(await countViews()).toBe(before + 1);
  expect((await sendView(shop.browser("127.0.0.1"))).status).toBe(204);
  expect((await sendView(shop.browser("198.51.100.89"))).status).toBe(204);
  expect(await countViews()).toBe(before + 3);
});
