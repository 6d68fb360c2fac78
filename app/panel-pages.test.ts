import { afterAll, beforeAll, expect, test } from "vitest";
import { adminBrowser } from "../test/admin.ts";
import { confirm, order } from "../test/checkout.ts";
import { attributeValue, elementText, openPlain } from "../test/plain-browser.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../test/shop.ts";

let shop: TestShop;
let admin: TestBrowser;
beforeAll(async () => {
  shop = await openTestShop();
  admin = await adminBrowser(shop);
  const buyer = shop.browser();
  await confirm(buyer, await order(buyer, { email: "once@example.com" }));
  await shop.jobsDone();
});
afterAll(() => shop.stop());

test("the keys page lists required connections first, and each optional one on a single line until it is set", async () => {
  const page = await openPlain(admin, "/admin/settings/keys");
  expect(page.text).toMatch(
    /Needed to sell.*Stripe.*Mail server.*Optional.*Twilio.*EasyPost.*Shippo.*Sign-in without a passkey.*Access code/,
  );
  expect(elementText(page.one("#mail"))).toContain("Not set");
  for (const name of ["twilio", "easypost", "shippo"])
    expect(elementText(page.one(`#${name}`))).not.toMatch(/set|Mode/);
});

test("the page of a customer with one order shows the order date once", async () => {
  const [customer] = (await admin.get("/api/admin/customers")).body.data;
  const page = await openPlain(admin, `/admin/customers/${customer.id}`);
  const figures = page.all("main dl dt").map(elementText);
  expect(figures.slice(0, 3)).toEqual(["Spent", "Paid orders", "Ordered"]);
  expect(figures).not.toContain("First order");
});

test("the list of sent e-mails has no badge beside e-mails that were only stored", async () => {
  const page = await openPlain(admin, "/admin/messages/sent");
  expect(page.text).toContain("Kept, not sent");
  expect(page.all("main td .rounded-full").map(elementText)).not.toContain("Kept, not sent");
});

test("the overview shows open tasks first, then four tiles and one chart, without a breakdown of the figures", async () => {
  const page = await openPlain(admin, "/admin");
  expect(page.text).toMatch(/To do first.*Net.*Sales.*Orders.*Average order.*Sales per day/);
  expect(
    page
      .all("main h2")
      .map(elementText)
      .filter((title) => title.startsWith("Sales per")),
  ).toHaveLength(1);
  expect(page.text).not.toContain("How it adds up");
});

test("an order's page links to the previous and the next order", async () => {
  const buyer = shop.browser();
  await confirm(buyer, await order(buyer, { email: "later@example.com" }));
  await shop.jobsDone();
  const [newest, older] = (await admin.get("/api/orders")).body.data;
  const neighborLinks = async (id: string) =>
    (await openPlain(admin, `/admin/orders/${id}`))
      .all("main a")
      .map((link) => [attributeValue(link, "aria-label"), attributeValue(link, "href")].join(" "))
      .filter((link) => /^(Next|Previous) order/.test(link));
  expect(await neighborLinks(newest.orderId)).toEqual([
    `Next order, #${newest.number - 1} /admin/orders/${older.orderId}`,
  ]);
  expect(await neighborLinks(older.orderId)).toEqual([
    `Previous order, #${newest.number} /admin/orders/${newest.orderId}`,
  ]);
});

test("opening pages leaves no entry in the activity log", async () => {
  const count = async () => (await admin.get("/api/admin/activity")).body.data.length;
  const before = await count();
  for (const path of ["/admin", "/admin/orders", "/admin/customers", "/admin/books", "/admin/people"])
    expect((await openPlain(admin, path)).status).toBe(200);
  expect(await count()).toBe(before);
});
