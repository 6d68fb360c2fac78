import { afterAll, beforeAll, expect, test } from "vitest";
import { adminBrowser } from "../test/admin.ts";
import { confirm, order } from "../test/checkout.ts";
import { openPlain, textOf } from "../test/plain-browser.ts";
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

test("the keys page begins with what is needed to sell; the rest is a line each until it is set", async () => {
  const page = await openPlain(admin, "/admin/settings/keys");
  expect(page.text).toMatch(
    /Needed to sell.*Stripe.*Mail server.*Optional.*Twilio.*EasyPost.*Shippo.*Without a passkey.*Access code/,
  );
  expect(textOf(page.one("#mail"))).toContain("Not set");
  for (const name of ["twilio", "easypost", "shippo"])
    expect(textOf(page.one(`#${name}`))).not.toMatch(/set|Mode/);
});

test("the page of a customer with one order has its day once", async () => {
  const [customer] = (await admin.get("/api/admin/customers")).body.data;
  const page = await openPlain(admin, `/admin/customers/${customer.id}`);
  const figures = page.all("main dl dt").map(textOf);
  expect(figures.slice(0, 3)).toEqual(["Spent", "Paid orders", "Ordered"]);
  expect(figures).not.toContain("First order");
});

test("the list of sent e-mails has no badge on each e-mail that is kept", async () => {
  const page = await openPlain(admin, "/admin/messages/sent");
  expect(page.text).toContain("Kept, not sent");
  expect(page.all("main td .rounded-full").map(textOf)).not.toContain("Kept, not sent");
});
