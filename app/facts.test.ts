import { afterAll, describe, expect, test } from "vitest";
import {
  abandonedCartDays,
  cartDays,
  declinedCardDays,
  disputeEvidenceDays,
  disputeWindowDays,
  sentStockAlertDays,
  stockAlertDays,
  unconfirmedDays,
  unpaidOrderDays,
  unsubscribedDays,
  visitorCookieDays,
} from "../domain/privacy/retention.ts";
import type { ShopSettings } from "../domain/settings/settings.ts";
import { arrivalText } from "../domain/shipping/arrival.ts";
import { enqueueOrderPaid } from "../server/orders/mail.ts";
import { messages } from "../server/outbox/tables.ts";
import { recordDonation } from "../server/sales/donations.ts";
import { readSettings } from "../server/settings/queries.ts";
import { settings as settingsTable } from "../server/settings/tables.ts";
import { indexedPages } from "../server/site/files.ts";
import { contradictions, visibleText } from "../test/contradictions.ts";
import { insertPaidOrder } from "../test/paid-order.ts";
import { openTestShop } from "../test/shop.ts";

/** No number equals a default. */
const unusual: Partial<ShopSettings> = {
  shipping: {
    zones: [
      {
        id: "us",
        countries: ["US"],
        options: [
          { id: "us-standard", name: "Standard", price: 777, freeFrom: 8800, days: [11, 13] },
          { id: "us-courier", name: "Courier", price: 2121, freeFrom: null, days: [4, 4] },
        ],
      },
      {
        id: "neighbors",
        countries: ["CA", "MX"],
        options: [{ id: "near", name: "By road", price: 1313, freeFrom: null, days: [16, 19] }],
      },
      {
        id: "world",
        countries: "*",
        options: [{ id: "far", name: "By sea", price: 1717, freeFrom: null, days: [41, 43] }],
      },
    ],
  },
  returns: { days: 47, minimumRemainingPercent: 61 },
  givingPercent: 37.5,
  contact: { email: "hello@oil.example", phone: "+1 555 0100", location: "Austin, Texas" },
};
/** No free shipping, no giving, no returns, and no contact details. */
const strict: Partial<ShopSettings> = {
  shipping: {
    zones: [
      {
        id: "world",
        countries: "*",
        options: [{ id: "post", name: "Post", price: 909, freeFrom: null, days: [21, 22] }],
      },
    ],
  },
  returns: { days: 0, minimumRemainingPercent: 61 },
  givingPercent: 0,
};
const exampleCents = 2995;
/** The price with its unit prices per fluid ounce and 100 ml. */
const knownCents = [exampleCents, 1498, 4992];
const pages = [
  ...indexedPages.map(({ path }) => path),
  "/product/pure-batana-oil",
  "/cart",
  "/checkout",
  "/orders",
];

/** Only the privacy page states how long personal data is kept. */
const pageDays = (path: string) =>
  path === "/privacy"
    ? [
        visitorCookieDays,
        abandonedCartDays,
        cartDays,
        unpaidOrderDays,
        disputeWindowDays,
        disputeEvidenceDays,
        declinedCardDays,
        unconfirmedDays,
        unsubscribedDays,
        stockAlertDays,
        sentStockAlertDays,
      ]
    : [];

const shop = await openTestShop({ PAYMENTS: "sandbox" });
afterAll(() => shop.stop());

async function saveSettings(changes: Partial<ShopSettings>): Promise<ShopSettings> {
  const { db } = shop.database;
  await db.delete(settingsTable);
  await db.insert(settingsTable).values(Object.entries(changes).map(([key, value]) => ({ key, value })));
  const savedSettings = (await readSettings(db)).shop;
  await expect.poll(() => shop.shop.settings()).toEqual(savedSettings);
  return savedSettings;
}

async function read(path: string): Promise<string> {
  const { status, body } = await shop.browser().get(path);
  expect(status, path).toBe(200);
  return visibleText(String(body));
}

test.each([
  ["unusual", unusual],
  ["strict", strict],
])("pages promise nothing that the owner's settings exclude (%s)", async (_, changes) => {
  const settings = await saveSettings(changes);
  for (const path of pages)
    expect(
      contradictions(await read(path), settings, { cents: knownCents, days: pageDays(path) }),
      path,
    ).toEqual([]);
});

test("pages state the owner's settings where shoppers look for them", async () => {
  await saveSettings(unusual);
  const shipping = await read("/shipping-policy");
  for (const words of [
    "11-13 business days",
    "$7.77",
    "free over $88.00",
    "4 business days",
    "Canada and Mexico",
    "41-43",
  ]) {
    expect(shipping).toContain(words);
  }
  expect(await read("/returns-policy")).toContain("within 47 days if the bottle is at least 61% full");
  expect(await read("/contact")).toContain("47-day satisfaction guarantee");
  expect(await read("/story")).toContain("37.5% of the proceeds");
  for (const path of ["/privacy", "/terms"]) {
    const words = await read(path);
    for (const contact of ["hello@oil.example", "+1 555 0100", "Austin, Texas", "contact form"])
      expect(words).toContain(contact);
  }
});

test("a badge is shown as the owner's own statement with a sentence, until a certificate proves it or the owner hides it", async () => {
  const means = "Growers set the price themselves.";
  const badges = {
    fairTrade: { isShown: true, means },
    sustainable: { isShown: true, means: "No tree is cut." },
  };
  await saveSettings({ certificates: [], badges });
  for (const path of ["/", "/story"]) {
    const words = await read(path);
    expect(words).toMatch(
      /Fair Trade\s*Growers set the price themselves\.\s*Sustainable.*Our own statements, not certificates\./,
    );
    expect(words.match(/own statement/g)).toHaveLength(1);
  }
  await saveSettings({ certificates: [{ name: "fair trade", number: "FT-4711", link: null }], badges });
  for (const path of ["/", "/story"]) {
    const words = await read(path);
    expect(words).toMatch(/Fair Trade\s*FT-4711\s*Growers set the price themselves\./);
    expect(words).toMatch(/“Sustainable” is our own statement, not a certificate\./);
    expect(words.match(/FT-4711/g)).toHaveLength(1);
  }
  await saveSettings({
    badges: {
      fairTrade: { ...badges.fairTrade, isShown: false },
      sustainable: { ...badges.sustainable, isShown: false },
    },
  });
  for (const path of ["/", "/story"]) {
    const words = await read(path);
    expect(words).toContain("Cold-pressed");
    expect(words).not.toMatch(/Fair Trade|Sustainable|own statement/);
  }
});

test("the confirmation e-mail states the same settings as the pages, and the amount that the order donates", async () => {
  const settings = await saveSettings(unusual);
  const { db } = shop.database;
  const orderId = await insertPaidOrder(db, { givingPercent: settings.givingPercent });
  await recordDonation(db, { amountCents: 900, sentOn: "2026-10-05", note: null }, new Date());
  shop.travel(61_000);
  await enqueueOrderPaid(shop.ctx, db, orderId);
  await shop.jobsDone();
  const sent = await db.select({ kind: messages.kind, text: messages.text }).from(messages);
  const text = sent.find(({ kind }) => kind === "order_confirmation")?.text ?? "";
  expect(text).toContain("$11.23 of this order goes to education in a village in Liberia.\n");
  expect(text).not.toMatch(/Set aside|Proceeds/);
  expect(contradictions(text, settings, { cents: [exampleCents, 595, 3590, 1123, 0] })).toEqual([]);
  await expect
    .poll(() => read("/story"))
    .toMatch(/Set aside so far: \$11\.23 , since .* \. Sent: \$9\.00 , on October 5, 2026\.\s*How we count/);
});

test("arrival dates follow from the owner's calendar and today's date", async () => {
  const arrival = async () =>
    (await read("/product/pure-batana-oil")).match(/Arrives ([^.]*?) in the United States/)?.[1];
  const quotedArrival = async (destination: object) => {
    const items = [{ productId: 1, quantity: 1 }];
    const { body } = await shop.browser().post("/api/cart/quote", { items, ...destination });
    const [{ arrival: days }] = body.data.shippingOptions;
    return days && arrivalText(days);
  };
  await saveSettings({ brandName: "Palmira" });
  const defaultArrival = await arrival();
  expect(defaultArrival).toMatch(/^[A-Z][a-z]{2} \d/);
  await saveSettings({ calendar: { cutOff: "00:00", workingDays: [3], holidays: [] } });
  const packedOnWednesdays = await arrival();
  expect(await quotedArrival({ country: "US" })).toBe(`Arrives ${packedOnWednesdays}`);
  expect(await quotedArrival({})).toBeNull();
  expect(packedOnWednesdays).not.toBe(defaultArrival);
  shop.travel(8 * 24 * 60 * 60 * 1000);
  expect(await arrival()).not.toBe(packedOnWednesdays);
});

describe("the check for texts that contradict the settings", () => {
  test.each([
    ["Ships in 3-5 business days", "3-5 business days"],
    ["A 30-day guarantee", "30-day"],
    ["at least 75% full", "75%"],
    ["Standard shipping is $5.95", "$5.95"],
    ["Keeps for 24 months", "24 months"],
    ["One fifth of it is given", "One fifth"],
    ["Return it within thirty days", "thirty days"],
  ])("finds the contradiction in: %s", async (text, found) => {
    const settings = { ...(await readSettings(shop.database.db)).shop, ...unusual };
    expect(contradictions(text, settings, { cents: [exampleCents] })).toEqual([found]);
  });

  test("finds promises of free shipping and donations that the settings do not make", async () => {
    const settings = { ...(await readSettings(shop.database.db)).shop, ...strict };
    expect(contradictions("Free shipping, and some of the proceeds go to education", settings)).toEqual([
      "Free shipping",
      "of the proceeds",
    ]);
  });

  test("reads a page's text, head, pictures and structured data", () => {
    const html = `<meta content="7 days"><script>var days = "8 days"</script><p>9<!-- --> days</p>
      <img alt="10 days"><script type="application/ld+json">{"text":"12 days"}</script>`;
    expect(visibleText(html).match(/\d+ days/g)).toEqual(["9 days", "7 days", "10 days", "12 days"]);
  });
});
