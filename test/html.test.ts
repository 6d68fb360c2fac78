import { matchPath } from "react-router";
import { afterAll, expect, test } from "vitest";
import routes from "../app/routes.ts";
import { adminBrowser } from "./admin.ts";
import { type FilledShop, fillShop } from "./filled-shop.ts";
import { htmlProblems } from "./html-problems.ts";
import { openTestShop, type TestBrowser } from "./shop.ts";

let filled: FilledShop;
const shop = await openTestShop();
afterAll(() => shop.stop());

const visited = new Set<string>();

/** Opens these pages and expects no problems in their HTML. */
async function expectValid(browser: TestBrowser, paths: readonly string[]): Promise<void> {
  const problems: string[] = [];
  for (const path of paths) {
    const page = await browser.fetch(path);
    expect([200, 404], path).toContain(page.status);
    problems.push(...(await htmlProblems(await page.text())).map((problem) => `${path}: ${problem}`));
    visited.add(new URL(path, "http://localhost").pathname);
  }
  expect(problems).toEqual([]);
}

test("pages of a shop that has sold nothing yet are valid HTML", async () => {
  const admin = await adminBrowser(shop);
  const lists = [
    "donations",
    "orders",
    "reviews",
    "questions",
    "messages",
    "messages/sent",
    "discounts",
    "notifications",
    "people",
    "account",
    "join?token=none",
  ];
  await expectValid(admin, [
    "/admin",
    ...lists.map((list) => `/admin/${list}`),
    "/admin/books",
    "/admin/sources",
    "/admin/money",
  ]);
  await expectValid(shop.browser(), ["/reviews", "/orders", "/account", "/cart", "/admin"]);
});

test("every page of the shop is valid HTML", async () => {
  filled = await fillShop(shop);
  const { buyer, intentId, orders, sessionId } = filled;
  await expectValid(buyer, [
    ...["/", "/product/pure-batana-oil", "/product/snake-oil", "/reviews", "/reviews?rating=1&sort=lowest"],
    ...[
      "/reviews/new?product=pure-batana-oil",
      "/questions/new?product=pure-batana-oil",
      "/questions/new?sent=1",
      "/cart",
      "/checkout",
      `/sandbox/checkout/${sessionId}`,
    ],
    ...[`/checkout/success?session_id=${intentId}`, "/checkout/success?session_id=pi_none", "/orders"],
    ...Object.values(orders).map((id) => `/orders/${id}`),
    ...[
      `/orders/${orders.paid}/again`,
      "/orders/none/again",
      "/orders/find?token=none",
      "/account",
      "/account/data?token=none",
      "/unsubscribe?token=none",
    ],
    ...["/newsletter", "/newsletter?asked", "/newsletter?confirm=none"],
    ...["/back-in-stock?confirm=none", "/back-in-stock?product=pure-batana-oil"],
    ...["/back-in-stock?product=pure-batana-oil&asked=confirm"],
    ...["/faq", "/contact", "/contact/sent", "/contact-simple", "/benefits", "/story", "/how-to-use"],
    ...[
      "/shipping-policy",
      "/returns-policy",
      "/privacy",
      "/terms",
      "/offline",
      "/no-such-page",
      "/api/docs",
    ],
  ]);
});

test("every page of the admin panel is valid HTML", async () => {
  const { admin, batchId, discountId, messageId, orders, outboxId } = filled;
  const campaign = await admin.post("/api/admin/campaigns", {
    subject: "A new harvest",
    audience: "segment",
  });
  const paths = [
    ...["", "/donations", "/products", "/products/new", "/products/1", "/products/1/preview", "/orders"],
    ...["/products/1/stock", `/products/1/stock/batches/${batchId}`, `/packing-slips?order=${orders.paid}`],
    ...["/ship-next", "/disputes/dp_1", "/drafts", "/drafts/new"],
    ...["/import/products", "/import/stock", "/import/discounts", "/import/customers", "/import/subscribers"],
    ...[
      "/content",
      "/content/story",
      "/content/faq",
      "/content/emails",
      "/content/emails/order_shipped",
      "/content/menu",
    ],
    ...Object.values(orders).map((id) => `/orders/${id}`),
    ...[
      "/reviews",
      "/questions",
      "/messages",
      `/messages/${messageId}`,
      `/messages/sent/${outboxId}`,
      "/messages/sent",
    ],
    ...[
      "/discounts",
      `/discounts/${discountId}`,
      "/discounts/new",
      "/subscribers",
      ...["/campaigns", `/campaigns/${campaign.body.data.id}`],
      ...["/customers", "/customers/1"],
      "/notifications",
      ...[
        "/settings",
        "/settings/shop",
        "/settings/shipping",
        "/settings/labels",
        "/settings/tax",
        "/settings/contact",
      ],
      ...[
        "/settings/returns",
        "/settings/giving",
        "/settings/marketing",
        "/settings/keys",
        "/settings/keys/api",
        "/settings/keys/webhooks",
        "/settings/keys/webhooks/6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
      ],
    ],
    ...["/more", "/money", "/go-live", "/backups", "/activity", "/jobs", "/sessions"],
  ];
  const { body } = await admin.post("/api/admin/drafts", {
    email: "ida@example.com",
    customerName: "Ida Kern",
    items: [{ productId: 1, quantity: 2 }],
    shipping: { line1: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" },
  });
  const { id } = body.data;
  await expectValid(
    admin,
    [...paths, `/drafts/${id}`].map((path) => `/admin${path}`),
  );
  const { pathname, search } = new URL((await admin.post(`/api/admin/drafts/${id}/link`)).body.url);
  await expectValid(shop.browser(), [`${pathname}${search}`]);
});

test.each([
  ["/checkout", { country: "JP" }],
  ["/contact", {}],
  ["/contact-simple", { name: "Ada", email: "no address", message: "" }],
  ["/reviews/new?product=pure-batana-oil", { rating: "9", comment: "Short" }],
  ["/orders", { email: "no address" }],
  ["/account", { email: "no address" }],
])("a form returned with error messages is valid HTML: %s", async (path, fields) => {
  const page = await shop.browser().fetch(path, { method: "POST", body: new URLSearchParams(fields) });
  expect(page.status).toBe(422);
  expect(await htmlProblems(await page.text())).toEqual([]);
});

test("the tests for valid HTML cover every page", async () => {
  type Routes = Awaited<typeof routes>;
  const routePatterns = (list: Routes, parentPath = ""): string[] =>
    list.flatMap(({ path = "", children, file }) => {
      const pattern = `${parentPath}/${path}`.replaceAll(/\/+/g, "/");
      return children ? routePatterns(children, pattern) : file.endsWith(".tsx") ? [pattern] : [];
    });
  const isVisited = (pattern: string) => [...visited].some((path) => matchPath(pattern, path));
  const redirects = ["/account/orders"];
  const patterns = routePatterns(await routes);
  expect(patterns.length).toBeGreaterThan(40);
  expect(patterns.filter((pattern) => !isVisited(pattern))).toEqual(redirects);
});
