import { eq } from "drizzle-orm";
import * as v from "valibot";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { ShippingPolicy } from "../../domain/shipping/shipping-policy.ts";
import { products } from "../../server/catalog/tables.ts";
import { stock } from "../../server/inventory/tables.ts";
import { reviews } from "../../server/reviews/tables.ts";
import { settings } from "../../server/settings/tables.ts";
import { readHead, type Thing } from "../../test/page-head.ts";
import { structuredData } from "../../test/schema-org.ts";
import { openTestShop } from "../../test/shop.ts";

const publicUrl = "https://shop.example";
const productPath = "/product/pure-batana-oil";
const shop = await openTestShop({ PUBLIC_URL: publicUrl, PAYMENTS: "sandbox" });
afterAll(() => shop.stop());
afterEach(async () => {
  await shop.database.db.delete(settings);
  await shop.database.db.delete(reviews);
});

async function readThings(path: string): Promise<Thing[]> {
  return readHead((await shop.browser().get(path)).body).things;
}

async function thing(type: string, path = productPath): Promise<Thing | undefined> {
  return (await readThings(path)).find((candidate) => candidate["@type"] === type);
}

const saveSetting = (key: string, value: unknown) => shop.database.db.insert(settings).values({ key, value });

async function insertReview(changes: Partial<typeof reviews.$inferInsert>): Promise<void> {
  await shop.database.db
    .insert(reviews)
    .values({ productId: 1, rating: 5, comment: "It smells of coffee.", status: "published", ...changes });
}

test("the structured data of every page in the sitemap is valid for schema.org and Google", async () => {
  await saveSetting("contact", { email: "owner@shop.example", phone: "+1 555 0100", location: "Tela" });
  await insertReview({ customerName: "Ada" });
  await expect.poll(async () => (await thing("Product"))?.review).toBeDefined();
  const { body } = await shop.browser().get("/sitemap.xml");
  for (const [, address = ""] of body.matchAll(/<url><loc>([^<]+)<\/loc>/g)) {
    const path = address.slice(publicUrl.length);
    const things = await readThings(path);
    expect(v.safeParse(structuredData, things).issues, path).toBeUndefined();
    const types = things.map((described) => described["@type"]);
    if (path === "/") expect(types).toEqual(["OnlineStore", "WebSite", "Product"]);
    else expect(types[0], path).toBe("BreadcrumbList");
  }
});

test("private pages have no structured data", async () => {
  for (const path of ["/cart", "/checkout", "/orders", "/admin"])
    expect((await shop.browser().get(path)).body, path).not.toContain("ld+json");
});

describe("a product's structured data", () => {
  test("states its price, condition, stock and pictures", async () => {
    const product = await thing("Product");
    expect(product).toMatchObject({
      name: "Pure Batana Oil",
      url: publicUrl + productPath,
      offers: {
        price: "29.95",
        priceCurrency: "USD",
        availability: "https://schema.org/InStock",
        itemCondition: "https://schema.org/NewCondition",
      },
    });
    expect(product?.image).toHaveLength(8);
  });

  test("shows a changed price or stock immediately", async () => {
    const { db } = shop.database;
    await db.update(stock).set({ onHand: 0 }).where(eq(stock.productId, 1));
    await db.update(products).set({ priceCents: 4005 }).where(eq(products.id, 1));
    await expect
      .poll(async () => (await thing("Product"))?.offers)
      .toMatchObject({ availability: "https://schema.org/OutOfStock", price: "40.05" });
    await db.update(stock).set({ onHand: 100 }).where(eq(stock.productId, 1));
    await db.update(products).set({ priceCents: 2995 }).where(eq(products.id, 1));
    await expect
      .poll(async () => (await thing("Product"))?.offers)
      .toMatchObject({ availability: "https://schema.org/InStock", price: "29.95" });
  });

  test("contains GTIN, MPN and the payer of return postage once the owner has entered them", async () => {
    const initial = await thing("Product");
    for (const name of ["gtin", "mpn"]) expect(initial).not.toHaveProperty(name);
    expect(initial?.offers.hasMerchantReturnPolicy).not.toHaveProperty("returnFees");
    const { db } = shop.database;
    await db.update(products).set({ gtin: "4006381333931", mpn: "PBO-60" }).where(eq(products.id, 1));
    await saveSetting("returnShipping", "shop");
    await expect
      .poll(() => thing("Product"))
      .toMatchObject({
        gtin: "4006381333931",
        mpn: "PBO-60",
        offers: { hasMerchantReturnPolicy: { returnFees: "https://schema.org/FreeReturn" } },
      });
    await db.update(products).set({ gtin: null, mpn: null }).where(eq(products.id, 1));
    await expect.poll(() => thing("Product")).not.toHaveProperty("gtin");
  });

  test("has no rating and no reviews while there are none", async () => {
    const product = await thing("Product");
    expect(product).not.toHaveProperty("aggregateRating");
    expect(product).not.toHaveProperty("review");
  });

  test("has the rating of all published reviews, and lists the newest five with a name", async () => {
    for (let day = 1; day <= 7; day += 1) {
      const createdAt = new Date(`2026-03-0${day}T12:00:00Z`);
      await insertReview({ customerName: `Buyer ${day}`, rating: day === 1 ? 2 : 5, createdAt });
    }
    await insertReview({ customerName: null, rating: 1 });
    await insertReview({ customerName: "Hidden", rating: 1, status: "hidden" });
    await insertReview({ customerName: "Held", rating: 1, status: "pending" });
    await expect
      .poll(async () => (await thing("Product"))?.aggregateRating)
      .toMatchObject({ ratingValue: 4.1, reviewCount: 8 });
    const listedReviews = (await thing("Product"))?.review;
    expect(listedReviews.map(({ author }: Thing) => author.name)).toEqual([
      "Buyer 7",
      "Buyer 6",
      "Buyer 5",
      "Buyer 4",
      "Buyer 3",
    ]);
    expect(listedReviews[0]).toMatchObject({ datePublished: "2026-03-07", reviewRating: { ratingValue: 5 } });
  });

  test("stays inside its script element, whatever text buyers or the owner enter", async () => {
    const comment = "</script><script>alert(1)</script> <!-- \u2028 &amp;";
    await insertReview({ customerName: "</script>", comment });
    await expect.poll(async () => (await thing("Product"))?.review?.[0]?.reviewBody).toBe(comment);
    const { body } = await shop.browser().get(productPath);
    expect(body).not.toContain("<script>alert(1)");
  });
});

describe("structured data from the settings", () => {
  const policy: ShippingPolicy = {
    zones: [
      {
        id: "nordic",
        countries: ["SE", "FI"],
        options: [{ id: "post", name: "Post", price: 1234, freeFrom: 2000, days: [2, 9] }],
      },
      {
        id: "rest",
        countries: "*",
        options: [{ id: "air", name: "Air mail", price: 777, freeFrom: 9000, days: [21, 21] }],
      },
    ],
  };

  test("list every shipping zone with the cost of sending one unit", async () => {
    await saveSetting("shipping", policy);
    await expect.poll(async () => (await thing("Product"))?.offers.shippingDetails).toHaveLength(2);
    const [nordic, rest] = (await thing("Product"))?.offers.shippingDetails ?? [];
    expect(nordic).toMatchObject({
      shippingLabel: "Post",
      shippingRate: { value: "0.00", currency: "USD" },
      shippingDestination: { addressCountry: ["SE", "FI"] },
      deliveryTime: {
        handlingTime: { minValue: 1, maxValue: 2 },
        transitTime: { minValue: 2, maxValue: 9 },
      },
    });
    expect(rest).toMatchObject({
      shippingRate: { value: "7.77" },
      deliveryTime: { transitTime: { minValue: 21, maxValue: 21 } },
    });
    const elsewhere = rest.shippingDestination.addressCountry;
    expect(elsewhere).toContain("US");
    expect(elsewhere).not.toContain("SE");
    expect(v.safeParse(structuredData, await readThings(productPath)).success).toBe(true);
  });

  test.each([
    [
      12,
      { merchantReturnDays: 12, returnPolicyCategory: "https://schema.org/MerchantReturnFiniteReturnWindow" },
    ],
    [0, { returnPolicyCategory: "https://schema.org/MerchantReturnNotPermitted" }],
  ])("states a returns window of %i days", async (days, policyThing) => {
    await saveSetting("returns", { days, minimumRemainingPercent: 10 });
    await expect
      .poll(async () => (await thing("Product"))?.offers.hasMerchantReturnPolicy)
      .toMatchObject(policyThing);
    await expect
      .poll(async () => (await thing("OnlineStore", "/"))?.hasMerchantReturnPolicy)
      .toMatchObject(policyThing);
    expect(v.safeParse(structuredData, await readThings(productPath)).success).toBe(true);
  });

  test("contain contact details and profiles only once they are set", async () => {
    const initial = await thing("OnlineStore", "/");
    expect(initial).not.toHaveProperty("contactPoint");
    expect(initial).not.toHaveProperty("sameAs");
    await saveSetting("contact", { email: null, phone: "+504 555", location: null });
    await saveSetting("social", { instagram: "https://i.example/p", facebook: null, tiktok: null, x: null });
    await expect
      .poll(() => thing("OnlineStore", "/"))
      .toMatchObject({ contactPoint: { telephone: "+504 555" }, sameAs: ["https://i.example/p"] });
    expect((await thing("OnlineStore", "/"))?.contactPoint).not.toHaveProperty("email");
  });
});

test.each(["/contact", "/faq"])(
  "structured data of the questions on %s has the answers that the page shows",
  async (path) => {
    await saveSetting("returns", { days: 17, minimumRemainingPercent: 60 });
    await expect
      .poll(async () => JSON.stringify((await thing("FAQPage", path))?.mainEntity))
      .toContain("17-day");
    const { body } = await shop.browser().get(path);
    const visibleText = body
      .slice(body.indexOf("<body"))
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ");
    for (const { name, acceptedAnswer } of (await thing("FAQPage", path))?.mainEntity ?? []) {
      expect(visibleText).toContain(name);
      for (const sentence of acceptedAnswer.text.split(/(?<=[.:]) /))
        expect(visibleText).toContain(sentence.replace(/:$/, "").slice(0, 30));
    }
  },
);

test("a missing property of structured data is reported", () => {
  const product = { "@type": "Product", name: "Oil" };
  expect(v.safeParse(structuredData, [product]).success).toBe(false);
});
