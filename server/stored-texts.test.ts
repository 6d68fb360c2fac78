import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { type AllSettings, settingsGroupNames } from "../domain/settings/settings.ts";
import { defaultSettings } from "../domain/settings/settings-schema.ts";
import { adminBrowser, send } from "../test/admin.ts";
import { checkoutBody } from "../test/checkout.ts";
import { openTestShop, type TestBrowser } from "../test/shop.ts";

const shop = await openTestShop({ PAYMENTS: "sandbox" });
const admin = await adminBrowser(shop);
afterAll(() => shop.stop());

/** Texts that a parser could mistake for another type, and usual ones. */
const lookalikes = [
  "4711",
  "-0",
  "1e3",
  "true",
  "null",
  '"quoted"',
  '{"a":1}',
  '["x"]',
  "{}",
  "[]",
  "2026-01-01",
  "007",
];
const word = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...lookalikes) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 2 }).filter((text) => text.length <= 40) },
  { weight: 1, arbitrary: fc.stringMatching(/^[ -~äéß漢🌿]{1,30}$/u).filter((text) => text.trim() !== "") },
);
const text = word.map((sampleText) => sampleText.trim());
const runs = { numRuns: 8, examples: lookalikes.slice(0, 7).map((example): [string] => [example]) };

const readData = async (browser: TestBrowser, path: string) => {
  const { status, body } = await browser.get(path);
  expect(status, path).toBe(200);
  return body.data;
};

test("any text saved in the settings is returned unchanged, and the shop keeps working", async () => {
  const [zone] = defaultSettings.shipping.zones;
  const [option] = zone?.options ?? [];
  await fc.assert(
    fc.asyncProperty(text, async (sampleText) => {
      const saved = {
        brandName: sampleText,
        contact: { location: sampleText, email: "4711@example.com", phone: "4711471" },
        shipping: { zones: [{ ...zone, id: "4711", options: [{ ...option, name: sampleText }] }] },
      };
      expect(await send(admin, "PATCH", "/api/admin/settings", saved)).toMatchObject({ status: 200 });
      expect(await readData(admin, "/api/admin/settings")).toMatchObject(saved);
      expect((await shop.browser().get("/api/products/pure-batana-oil")).status).toBe(200);
      const carrier = { phoneNumber: "4711471147", carrier: sampleText.slice(0, 40).trim() };
      expect((await admin.post("/api/notifications/sms-settings", carrier)).status).toBe(200);
      expect(await readData(admin, "/api/notifications/sms-settings")).toMatchObject(carrier);
      // The activity log also has the texts before and after a change.
      const log = JSON.stringify(await readData(admin, "/api/admin/activity"));
      expect(log).toContain(JSON.stringify(sampleText).slice(1, -1));
    }),
    runs,
  );
  for (const page of ["/", "/cart", "/shipping-policy"])
    expect((await shop.browser().get(page)).status).toBe(200);
});

test("every group of the settings is returned completely", async () => {
  // `sms` and `founderPicture` are saved by separate calls.
  const {
    sms: _,
    founderPicture,
    ...groups
  } = {
    ...defaultSettings,
    brandName: "0",
    currencyDisplay: "symbol_and_code",
    returns: { days: 0, minimumRemainingPercent: 12.5 },
    contact: { email: null, phone: "4711471", location: "null" },
    social: { instagram: null, facebook: null, tiktok: null, x: "https://x.com/1" },
    givingPercent: 0,
    reviews: { publish: "hold", requestAfterDeliveredDays: 1, requestAfterShippedDays: 2 },
    notifications: {
      email: { order: false, message: true, review: false, lowStock: true, attention: false },
    },
    lowStockAt: 0,
    timeZone: "Europe/Berlin",
    tax: { ...defaultSettings.tax, rates: [{ country: "US", state: "TX", percent: 8.25, onShipping: true }] },
  } satisfies AllSettings;
  expect(Object.keys(groups).length).toBe(Object.keys(settingsGroupNames).length - 2);
  expect(await send(admin, "PATCH", "/api/admin/settings", groups)).toMatchObject({ status: 200 });
  const { revisions: _at, ...storedGroups } = await readData(admin, "/api/admin/settings");
  expect(storedGroups).toEqual({ ...groups, founderPicture });
  await shop.database.db.execute("delete from settings");
});

test("any text sent for products, orders, messages and reviews is returned unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(text, async (sampleText) => {
      const product = {
        name: sampleText,
        size: sampleText,
        shortDescription: sampleText,
        description: sampleText,
        usage: sampleText,
        benefits: [sampleText, "4711", "true"],
      };
      expect((await send(admin, "PATCH", "/api/admin/products/1", product)).status).toBe(200);
      expect(await readData(shop.browser(), "/api/products/pure-batana-oil")).toMatchObject(product);

      const buyer = shop.browser();
      const body = checkoutBody();
      const placed = await buyer.post("/api/stripe/create-payment-intent", {
        ...body,
        metadata: { ...body.metadata, customerName: sampleText },
        shipping: { ...body.shipping, line1: sampleText, line2: sampleText, city: sampleText },
      });
      expect(placed.status, JSON.stringify(placed.body)).toBe(201);
      const { orderId } = placed.body;
      const note = await admin.post(`/api/admin/orders/${orderId}/notes`, { text: sampleText });
      expect(note.body.data).toMatchObject({ text: sampleText });
      const order = await readData(admin, `/api/admin/orders/${orderId}`);
      expect(order).toMatchObject({
        customerName: sampleText,
        shipping: { line1: sampleText, line2: sampleText, city: sampleText },
        notes: [{ text: sampleText }],
      });
      await buyer.post(`/api/orders/${orderId}/cancel`);

      const contactResponse = await buyer.post("/api/contact", {
        name: sampleText,
        email: "ada@example.com",
        subject: "other",
        message: sampleText,
      });
      expect(contactResponse.status, JSON.stringify(contactResponse.body)).toBe(201);
      const message = await readData(admin, `/api/admin/messages/${contactResponse.body.data.id}`);
      expect(message).toMatchObject({ name: sampleText, message: sampleText });

      const comment = `${sampleText} `.repeat(10).slice(0, 200).trim().padEnd(10, ".");
      const review = { productId: 1, rating: 5, comment, customerName: sampleText };
      const posted = await buyer.post("/api/reviews", review);
      expect(posted.body.data, JSON.stringify(posted.body)).toMatchObject({
        comment,
        customerName: sampleText,
      });
    }),
    runs,
  );
  await shop.jobsDone();
  // Waiting e-mails are composed from the data stored in the outbox, without a failure.
  const { rows } = await shop.database.db.execute("select 1 from messages where status = 'failed'");
  expect(rows).toEqual([]);
});
