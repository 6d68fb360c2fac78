import { eq } from "drizzle-orm";
import * as v from "valibot";
import { afterAll, expect, test } from "vitest";
import { adminBrowser } from "../../../test/admin.ts";
import { checkoutBody } from "../../../test/checkout.ts";
import { readHead } from "../../../test/page-head.ts";
import { structuredData } from "../../../test/schema-org.ts";
import { type ApiResponse, openTestShop } from "../../../test/shop.ts";
import { orderLines } from "../../orders/tables.ts";
import { reviews } from "../../reviews/tables.ts";
import { productFamilies, products } from "../tables.ts";

const shop = await openTestShop({ PUBLIC_URL: "https://shop.example", PAYMENTS: "sandbox" });
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

const addSize = (body: object = {}, id = 1) =>
  call("POST", `/api/admin/products/${id}/sizes`, { size: "100 ml", price: 4490, stock: 5, ...body });
const readProduct = async (id: number) => (await call("GET", `/api/admin/products/${id}`)).body.data;
const readPage = async (path: string) => (await shop.browser().get(path)).body as string;

const findSize = async (size: string): Promise<{ id: number }> =>
  (await readProduct(1)).family.sizes.find((each: { size: string }) =>
    each.size.toLowerCase().startsWith(size.toLowerCase()),
  );

/** The size links on a product's page: text, "(this)" for the current size, and path. */
async function sizeLinksOn(path: string): Promise<string[]> {
  const nav = /<nav aria-label="Sizes".*?<\/nav>/s.exec(await readPage(path))?.[0] ?? "";
  return [...nav.matchAll(/<a([^>]*)>(.*?)<\/a>/gs)].map(([, attributes = "", markup = ""]) => {
    const href = /href="([^"]*)"/.exec(attributes)?.[1];
    const text = markup.replaceAll("<span>", " ").replaceAll(/<[^>]+>/g, "");
    return `${text}${attributes.includes("aria-current") ? " (this)" : ""} ${href}`;
  });
}

test("a product with one size offers no choice of sizes, and its name does not include the size", async () => {
  expect(await sizeLinksOn("/product/pure-batana-oil")).toEqual([]);
  expect((await call("GET", "/api/products/pure-batana-oil")).body.data).toMatchObject({
    name: "Pure Batana Oil",
    family: null,
  });
});

test("adding a size requires its text, a price and an admin session", async () => {
  const { body } = await addSize({ size: " ", price: undefined });
  expect(Object.keys(body.fields)).toEqual(expect.arrayContaining(["size", "price"]));
  expect((await addSize({ price: 0, published: true })).body.fields).toHaveProperty("price");
  expect((await addSize({ size: "2 FL OZ / 60 ml" })).body.fields).toHaveProperty("size");
  expect((await addSize({}, 999)).status).toBe(404);
  expect((await call("POST", "/api/admin/products/1/sizes", {}, shop.browser())).status).toBe(401);
  expect(await shop.database.db.select().from(productFamilies)).toEqual([]);
});

test("an added size has its own page, price and stock, and both products name their size", async () => {
  const { status, body } = await addSize({ published: true, sku: "PBO-100", stock: 0 });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    name: "Pure Batana Oil, 100 ml",
    slug: "pure-batana-oil-100-ml",
    price: 4490,
    sku: "PBO-100",
    description: expect.stringContaining("amber oil"),
    family: {
      name: "Pure Batana Oil",
      sizes: [{ id: 1 }, { id: body.data.id, published: true, stock: 0 }],
    },
  });
  expect(body.data.images).toHaveLength((await readProduct(1)).images.length);
  expect((await readProduct(1)).name).toBe("Pure Batana Oil, 2 fl oz / 60 ml");

  await expect
    .poll(() => sizeLinksOn("/product/pure-batana-oil"))
    .toEqual([
      "2 fl oz / 60 ml $29.95 (this) /product/pure-batana-oil",
      "100 ml Sold out /product/pure-batana-oil-100-ml",
    ]);
  const html = await readPage("/product/pure-batana-oil-100-ml");
  expect(html).toMatch(/<h1[^>]*>Pure Batana Oil<\/h1>/);
  expect(html).toContain('rel="canonical" href="http');
  const { things } = readHead(html);
  expect(v.safeParse(structuredData, things).issues).toBeUndefined();
  const product = things.find((thing) => thing["@type"] === "Product");
  expect(product).toMatchObject({
    name: "Pure Batana Oil, 100 ml",
    size: "100 ml",
    isVariantOf: { "@type": "ProductGroup", name: "Pure Batana Oil", variesBy: ["https://schema.org/size"] },
  });
  expect(product?.isVariantOf.hasVariant).toHaveLength(2);
  const feed = await readPage("/products.xml");
  expect(feed.match(/<g:item_group_id>sizes-\d+<\/g:item_group_id><g:size>/g)).toHaveLength(2);
  expect(await readPage("/")).toContain("2 sizes from $29.95");
  expect((await readPage("/")).match(/href="\/product\/pure-batana-oil-100-ml"/g)).toBeNull();
});

test("the home page names the lowest price of the sizes that can be bought", async () => {
  const { id } = (await addSize({ size: "1 oz", price: 1495, stock: 0, published: true })).body.data;
  const readLabel = async () => /\d sizes from \$[\d.]+/.exec(await readPage("/"))?.[0];
  await expect.poll(readLabel).toBe("3 sizes from $29.95");
  await call("PATCH", `/api/admin/products/${id}`, { stock: 2 });
  await expect.poll(readLabel).toBe("3 sizes from $14.95");
  await call("PATCH", `/api/admin/products/${id}`, { published: false });
  await expect.poll(readLabel).toBe("2 sizes from $29.95");
  expect((await call("DELETE", `/api/admin/products/${id}`)).status).toBe(200);
});

test("a quote has the available units of a size: sold out, restocked, too few for a bundle, unpublished", async () => {
  const { id } = (await addSize({ size: "3 oz", price: 2000, stock: 5, published: true })).body.data;
  expect((await call("PUT", `/api/admin/products/${id}/bundles/2`, { price: 3500 })).status).toBe(200);
  const shopper = shop.browser();
  expect((await shopper.post("/api/cart/add", { productId: id, quantity: 2 })).status).toBe(200);
  const readQuote = async () => {
    const { items } = (await shopper.get("/api/cart")).body.data;
    const lines = items.map(({ productId, quantity }: { productId: number; quantity: number }) => ({
      productId,
      quantity,
    }));
    expect(lines).toEqual([{ productId: id, quantity: 2 }]);
    const { body } = await shopper.post("/api/cart/quote", { items: lines });
    return body.data.items.map(({ available, total }: { available: number; total: number }) => ({
      available,
      total,
    }));
  };
  const quoteAfter = async (change: object) => {
    expect((await call("PATCH", `/api/admin/products/${id}`, change)).status).toBe(200);
    return readQuote();
  };
  expect(await readQuote()).toEqual([{ available: 5, total: 3500 }]);
  expect(await quoteAfter({ stock: 0 })).toEqual([{ available: 0, total: 3500 }]);
  expect(await quoteAfter({ stock: 1 })).toEqual([{ available: 1, total: 3500 }]);
  expect(await quoteAfter({ stock: 4 })).toEqual([{ available: 4, total: 3500 }]);
  expect(await quoteAfter({ published: false })).toEqual([{ available: 0, total: 3500 }]);
  expect(await quoteAfter({ published: true })).toEqual([{ available: 4, total: 3500 }]);
  await quoteAfter({ published: false });
  expect((await call("DELETE", `/api/admin/products/${id}/family`)).status).toBe(200);
});

test("all sizes share their reviews, which count once for the shop", async () => {
  const otherId = (await readProduct(1)).family.sizes[1].id;
  await shop.database.db
    .insert(reviews)
    .values({ productId: 1, rating: 4, comment: "Smells of coffee.", status: "published" });
  const readOtherSize = async () => (await call("GET", "/api/products/pure-batana-oil-100-ml")).body.data;
  await expect.poll(async () => (await readOtherSize()).reviewCount).toBe(1);
  const reviewPage = await shop.browser().get(`/api/reviews/product/${otherId}`);
  expect(reviewPage.body).toMatchObject({ total: 1, summary: { average: 4 }, data: [{ productId: 1 }] });
  expect((await shop.browser().get("/api/reviews")).body.summary.count).toBe(1);
});

test("an order's lines and the panel's search results name the size", async () => {
  const { id } = await findSize("100 ml");
  await call("PATCH", `/api/admin/products/${id}`, { stock: 5 });
  const buyer = shop.browser();
  const body = {
    ...checkoutBody({ price: 4490 }),
    orderItems: [{ productId: id, quantity: 1, price: 4490 }],
  };
  expect((await buyer.post("/api/stripe/create-payment-intent", body)).status).toBe(201);
  const [line] = await shop.database.db.select().from(orderLines).where(eq(orderLines.productId, id));
  expect(line?.name).toBe("Pure Batana Oil, 100 ml");
  const searchResult = await call("GET", `/api/admin/find?${new URLSearchParams({ q: "oil, 100 ml" })}`);
  expect(searchResult.body.data.products).toEqual([{ id, name: "Pure Batana Oil, 100 ml", size: "100 ml" }]);
});

test("only one of two concurrent requests to add the same size succeeds", async () => {
  const responses = await Promise.all([addSize({ size: "5 ml" }), addSize({ size: "5 ML" })]);
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 422]);
  const { id } = await findSize("5 m");
  expect((await call("PATCH", `/api/admin/products/${id}`, { size: "6 ml" })).body.data.name).toBe(
    "Pure Batana Oil, 6 ml",
  );
  expect((await call("DELETE", `/api/admin/products/${id}`)).status).toBe(200);
});

test("renaming one size renames the family", async () => {
  const { revision } = await readProduct(1);
  const { body } = await call("PATCH", "/api/admin/products/1", { name: "Batana Oil", revision });
  expect(body.data.name).toBe("Batana Oil, 2 fl oz / 60 ml");
  const [first, second] = body.data.family.sizes;
  expect((await readProduct(second.id)).name).toBe("Batana Oil, 100 ml");
  // The size typed after the name is dropped.
  await call("PATCH", `/api/admin/products/${first.id}`, { name: "Batana Oil, 2 fl oz / 60 ml" });
  expect((await readProduct(1)).family.name).toBe("Batana Oil");
  const duplicateSize = await call("PATCH", `/api/admin/products/${second.id}`, { size: "2 FL OZ / 60 ML" });
  expect(duplicateSize.body.fields).toHaveProperty("size");
  const emptySize = await call("PATCH", `/api/admin/products/${second.id}`, { size: "" });
  expect(emptySize.body.fields).toHaveProperty("size");
  const before = (await readProduct(second.id)).revision;
  await call("PATCH", "/api/admin/products/1", { name: "Pure Batana Oil" });
  const outdatedEdit = await call("PATCH", `/api/admin/products/${second.id}`, {
    name: "Late",
    revision: before,
  });
  expect(outdatedEdit).toMatchObject({
    status: 409,
    body: { current: { name: "Pure Batana Oil, 100 ml" } },
  });
});

test("the texts of one size can be copied to the others, which keep their names and pictures", async () => {
  const { id } = await findSize("100 ml");
  await call("PATCH", "/api/admin/products/1", { scent: "Coffee", description: "Rich." });
  const copyTexts = async () => (await call("POST", "/api/admin/products/1/sizes/texts")).body.data;
  expect(await copyTexts()).toEqual({ changed: ["100 ml"] });
  expect(await readProduct(id)).toMatchObject({
    scent: "Coffee",
    description: "Rich.",
    size: "100 ml",
    price: 4490,
    sku: "PBO-100",
  });
  expect(await copyTexts()).toEqual({ changed: [] });
  expect((await call("POST", "/api/admin/products/999/sizes/texts")).status).toBe(404);
});

test("the home page links to the first published size, in the order that the owner has set", async () => {
  const ids = (await readProduct(1)).family.sizes.map(({ id }: { id: number }) => id).toReversed();
  expect((await call("PUT", "/api/admin/products/1/sizes", { order: [1] })).status).toBe(409);
  const reordered = await call("PUT", "/api/admin/products/1/sizes", { order: ids });
  expect(reordered.body.data.family.sizes.map(({ id }: { id: number }) => id)).toEqual(ids);
  await expect.poll(() => readPage("/")).toContain('href="/product/pure-batana-oil-100-ml"');
  await call("PUT", `/api/admin/products/${ids[0]}/archived`, { archived: true });
  await expect.poll(() => readPage("/")).not.toContain('href="/product/pure-batana-oil-100-ml"');
  expect(await sizeLinksOn("/product/pure-batana-oil")).toEqual([]);
  const redirect = await shop.browser().fetch("/product/pure-batana-oil-100-ml", { redirect: "manual" });
  expect([redirect.status, redirect.headers.get("location")]).toEqual([302, "/product/pure-batana-oil"]);
  await call("PUT", `/api/admin/products/${ids[0]}/archived`, { archived: false });
});

test("a product can join a family as a size, and leave it again", async () => {
  const { body } = await call("POST", "/api/admin/products", { name: "Travel Oil", price: 900 });
  const { id } = body.data;
  const joinFamily = (change: object, productId = id) =>
    call("PUT", `/api/admin/products/${productId}/family`, change);
  expect((await joinFamily({ productId: 1 })).body.fields).toHaveProperty("size");
  expect((await joinFamily({ productId: 2 ** 31, size: "10 ml" })).status).toBe(422);
  expect((await joinFamily({ productId: id, size: "10 ml" })).status).toBe(409);
  expect((await joinFamily({ productId: 1, size: "10 ml" })).body.data.name).toBe("Pure Batana Oil, 10 ml");
  expect((await joinFamily({ productId: 1, size: "11 ml" })).status).toBe(409);

  const otherId = (await readProduct(1)).family.sizes.find(
    (each: { id: number }) => each.id !== 1 && each.id !== id,
  ).id;
  const leaveFamily = (productId: number) => call("DELETE", `/api/admin/products/${productId}/family`);
  expect((await leaveFamily(otherId)).body.data).toMatchObject({
    family: null,
    name: "Pure Batana Oil, 100 ml",
  });
  expect((await leaveFamily(otherId)).status).toBe(409);
  expect((await call("DELETE", `/api/admin/products/${id}`)).status).toBe(200);
  expect(await readProduct(1)).toMatchObject({ family: null, name: "Pure Batana Oil" });
  expect(await shop.database.db.select().from(productFamilies)).toEqual([]);
  const rows = await shop.database.db.select().from(products).where(eq(products.id, otherId));
  expect(rows[0]?.familyId).toBeNull();
});

test("a size without pictures shows those of the first size that has some", async () => {
  const { body } = await addSize({ size: "30 ml", pictures: false, published: true });
  expect((await readProduct(body.data.id)).images).toEqual([]);
  const readImages = async (slug: string) => (await call("GET", `/api/products/${slug}`)).body.data.images;
  const first = await readImages("pure-batana-oil");
  expect(first.length).toBeGreaterThan(0);
  await expect.poll(() => readImages(body.data.slug)).toEqual(first);
});
