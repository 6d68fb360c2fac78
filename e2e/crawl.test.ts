import { describe, expect, test } from "vitest";
import { type CrawledPages, crawl } from "./crawler.ts";
import { expectToFitSmall, look } from "./look.ts";
import { buy } from "./owner.ts";
import { shareDatabase, withReviews } from "./shop-database.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";
import { fillCart } from "./steps.ts";

shareBrowser();
shareDatabase();

/** Pages reached only from an e-mail, the payment provider or another form, and their text when opened directly. */
const unlinkedPages = [
  ["/reviews/new?product=pure-batana-oil", "Write a Review"],
  ["/orders/find?token=none", "This link no longer works"],
  ["/account/data?token=none", "This link no longer works"],
  ["/unsubscribe?token=none", "This link can’t be used"],
  ["/newsletter", "Newsletter"],
  ["/newsletter?confirm=none", "One last step"],
  ["/back-in-stock?confirm=none", "This link no longer works"],
  ["/back-in-stock?product=pure-batana-oil", "Tell me when it’s back"],
  ["/contact/sent", "Message sent"],
  ["/checkout/success?session_id=pi_none", "We couldn’t find this order"],
  ["/orders/00000000-0000-4000-8000-000000000000", "We couldn’t find this order"],
  ["/product/snake-oil", "Product Not Found"],
  ["/sandbox/checkout/none", "404"],
  ["/no-such-page", "404 Page Not Found"],
  ["/admin", "Access code"],
] as const;

const longEmail = "a.rather.long.name.of.a.buyer.of.oil@a-long-host-name.mail.example.com";

describe("every page of the shop", () => {
  const crawledPages: CrawledPages = new Map();

  test("that a visitor reaches has working links, no errors and no accessibility problems", async () => {
    await withReviews(30);
    const { page } = await openShopper({ size: "phone" });
    const sitemap = await (await fetch(at("/sitemap.xml"))).text();
    const sitemapPaths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) =>
      url.slice(at("").length),
    );
    await crawl(page, ["/"], crawledPages, `page`);
    expect(sitemapPaths.length).toBeGreaterThan(10);
    expect([...crawledPages.keys()], "the sitemap's pages are all linked").toEqual(
      expect.arrayContaining(sitemapPaths),
    );
  });

  test("that a buyer reaches has working links, no errors and no accessibility problems", async () => {
    const { page } = await openShopper({ size: "phone" });
    const { intentId } = await buy(page.context().request, { email: longEmail });
    await fillCart(page);
    const startPaths = [
      "/orders",
      "/account",
      "/cart",
      "/checkout",
      `/checkout/success?session_id=${intentId}`,
    ];
    for (const path of startPaths) crawledPages.delete(path);
    await crawl(page, startPaths, crawledPages, `buyer`);
  });

  test("that only an e-mail or a provider links to is accessible and explains itself", async () => {
    const { page, expectComplaint } = await openShopper({ size: "phone" });
    expectComplaint(/status of 404/);
    for (const [path, text] of unlinkedPages) {
      await page.goto(at(path));
      await page.getByText(text).first().waitFor();
      await look(page, `end-${path.replaceAll(/\W+/g, "-").slice(1, 40)}`);
      await expectToFitSmall(page);
    }
  });
});
