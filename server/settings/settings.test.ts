import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { defaultSettings } from "../../domain/settings/settings-schema.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { soon } from "../../test/patience.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { activity } from "../admin/tables.ts";
import { messages } from "../outbox/tables.ts";
import { settings } from "./tables.ts";

const path = "/api/admin/settings";
let shop: TestShop;
let admin: TestBrowser;
beforeAll(async () => {
  shop = await openTestShop({ PAYMENTS: "sandbox" }, { background: "all" });
  admin = await adminBrowser(shop);
});
afterEach(async () => {
  await shop.database.db.delete(settings);
});
afterAll(() => shop.stop());

const patch = (body: unknown) => send(admin, "PATCH", path, body);
const readSettings = async () => (await admin.get(path)).body.data;
const [home, abroad] = defaultSettings.shipping.zones as [Zone, Zone];
type Zone = (typeof defaultSettings.shipping.zones)[number];

describe("access", () => {
  test("to settings needs an admin session and a call from the shop's own pages", async () => {
    expect((await shop.browser().get(path)).status).toBe(401);
    expect((await send(shop.browser(), "PATCH", path, { brandName: 5 })).status).toBe(401);
    const crossSite = await admin.fetch(path, {
      method: "PATCH",
      headers: { Origin: "https://elsewhere.example", "Content-Type": "application/json" },
      body: JSON.stringify({ brandName: "Stolen" }),
    });
    expect(crossSite.status).toBe(403);
    expect((await readSettings()).brandName).toBe("Palmira");
  });
});

describe("a change of settings", () => {
  test("is optional: without one, the defaults apply; the response leaves out the phone number for text messages", async () => {
    const { sms: _, ...expected } = defaultSettings;
    const { revisions, ...all } = await readSettings();
    expect(all).toEqual(expected);
    expect(new Set(Object.values(revisions))).toEqual(new Set([null]));
  });

  test("may contain only some fields of a group: the others are kept, and lists are replaced", async () => {
    await patch({ returns: { days: 60 }, contact: { phone: " +1 512 555 0123 " }, givingPercent: 25 });
    const { status, body } = await patch({
      notifications: { email: { review: false } },
      shipping: { zones: [home] },
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      returns: { days: 60, minimumRemainingPercent: 75 },
      contact: { email: null, phone: "+1 512 555 0123", location: null },
      givingPercent: 25,
      notifications: { email: { ...defaultSettings.notifications.email, review: false } },
      shipping: { zones: [home] },
    });
    expect(await readSettings()).toEqual(body.data);
  });

  test("is logged with the fields that differ, and no others", async () => {
    await patch({ returns: { days: 45 }, brandName: "Palmira" });
    const [entry] = await shop.database.db
      .select()
      .from(activity)
      .where(eq(activity.subject, "settings:returns"));
    expect(entry).toMatchObject({
      outcome: "done",
      summary: "Returns changed",
      before: { returns: { days: 30 } },
      after: { returns: { days: 45 } },
    });
  });

  test.each<[string, unknown]>([
    ["color", { color: "red" }],
    ["sms", { sms: { phoneNumber: "5125550123", carrier: "att" } }],
    ["returns.weeks", { returns: { weeks: 4 } }],
    ["brandName", { brandName: "  " }],
    ["returns.days", { returns: { days: 1.5 } }],
    ["contact.email", { contact: { email: "owner" } }],
    ["contact.phone", { contact: { phone: "call us" } }],
    ["social.instagram", { social: { instagram: "https://instagram.com.example/palmira" } }],
    ["social.x", { social: { x: "http://x.com/palmira" } }],
    ["social.facebook", { social: { facebook: "https://me:secret@facebook.com/palmira" } }],
    ["brandName", { brandName: "Palm\nira" }],
    ["givingPercent", { givingPercent: 20.005 }],
    ["lowStockAt", { lowStockAt: -1 }],
    ["timeZone", { timeZone: "Mars/Olympus" }],
    ["calendar", { calendar: [] }],
    ["calendar.cutOff", { calendar: { cutOff: "25:00" } }],
    ["calendar.workingDays", { calendar: { workingDays: [] } }],
    ["calendar.holidays", { calendar: { holidays: ["2026-02-30"] } }],
    ["certificates.0.number", { certificates: [{ name: "Fair Trade", number: null, link: null }] }],
    [
      "certificates.0.link",
      { certificates: [{ name: "Fair Trade", number: "1", link: "http://a.example" }] },
    ],
    [
      "certificates.0.link",
      { certificates: [{ name: "Fair", number: null, link: "https://fair.example@a.example" }] },
    ],
    [
      "tax.rates.0.percent",
      { tax: { rates: [{ country: "US", state: null, percent: 8.8751, onShipping: true }] } },
    ],
    ["tax.rates.0.state", { tax: { rates: [{ country: "US", state: "ON", percent: 8, onShipping: true }] } }],
    ["taxIncludedIn", { taxIncludedIn: ["QQ"] }],
    ["taxIncludedIn", { taxIncludedIn: ["DE", "DE"] }],
    [
      "tax.rates.1.country",
      { tax: { rates: Array(2).fill({ country: "FR", state: null, percent: 20, onShipping: true }) } },
    ],
    ["shipping.zones", { shipping: {} }],
    ["shipping.zones.0.countries", { shipping: { zones: [abroad, home] } }],
    ["shipping.zones.0.countries", { shipping: { zones: [{ ...home, countries: ["XX"] }] } }],
    ["shipping.zones.0.countries", { shipping: { zones: [{ ...home, countries: [] }] } }],
    ["shipping.zones.1.countries", { shipping: { zones: [home, { ...abroad, countries: ["CA", "US"] }] } }],
    ["shipping.zones.1.id", { shipping: { zones: [home, { ...abroad, id: "us" }] } }],
    [
      "shipping.zones.1.options.0.id",
      { shipping: { zones: [home, { ...abroad, options: home.options.slice(0, 1) }] } },
    ],
    [
      "shipping.zones.0.options.0.days.1",
      { shipping: { zones: [{ ...home, options: [{ ...home.options[0], days: [5, 3] }] }] } },
    ],
    [
      "shipping.zones.0.options.0.price",
      { shipping: { zones: [{ ...home, options: [{ ...home.options[0], price: 5.95 }] }] } },
    ],
  ])("with an invalid %s is refused with the field's name, and nothing is changed", async (field, body) => {
    const { status, body: refusal } = await patch({
      currencyDisplay: "symbol_and_code",
      ...(body as object),
    });
    expect([status, refusal.error]).toEqual([422, "validation_failed"]);
    expect(Object.keys(refusal.fields)).toContain(field);
    expect((await readSettings()).currencyDisplay).toBe("symbol");
  });

  test("with a list instead of the settings is refused", async () => {
    expect(await patch([])).toMatchObject({ status: 422, body: { fields: { body: "Must be an object" } } });
  });

  test("does not overwrite a newer change of the same group, and may follow one of another group", async () => {
    const { revisions } = await readSettings();
    const firstChange = await patch({ returns: { days: 60 }, revisions });
    expect(firstChange.status).toBe(200);
    const staleChange = await patch({ returns: { days: 14 }, brandName: "Other", revisions });
    expect([staleChange.status, staleChange.body.error]).toEqual([409, "invalid_state"]);
    expect(staleChange.body.message).toMatch(/^Returns was changed in the meantime/);
    expect(staleChange.body.current).toEqual(firstChange.body.data);
    expect((await patch({ brandName: "Other", revisions })).status).toBe(200);
    expect(await readSettings()).toMatchObject({ returns: { days: 60 }, brandName: "Other" });
  });

  test("of the time zone is suggested until one has been chosen, and applies to the panel's pages and files", async () => {
    const readTimeZone = async () => (await admin.get("/api/admin/time-zone")).body.data;
    expect(await readTimeZone()).toMatchObject({ timeZone: "UTC", isChosen: false });
    const firstChoice = { timeZone: "UTC", revisions: { timeZone: null } };
    expect((await patch(firstChoice)).status, "the default is a choice, too").toBe(200);
    await expect.poll(readTimeZone).toMatchObject({ timeZone: "UTC", isChosen: true });
    expect((await patch({ timeZone: "Asia/Kathmandu" })).status).toBe(200);
    await expect.poll(readTimeZone).toMatchObject({ timeZone: "Asia/Kathmandu", isChosen: true });
    expect((await patch(firstChoice)).status, "a time zone was chosen in the meantime").toBe(409);
    await shop.database.db
      .update(activity)
      .set({ at: new Date("2026-03-01T20:00:00Z") })
      .where(eq(activity.subject, "settings:timeZone"));
    const page = await (await admin.fetch("/admin/activity?from=2026-03-02&to=2026-03-02")).text();
    expect(page).toMatch(/<time dateTime="2026-03-01T20:00:00.000Z">1:45.AM</);
    const fetchCsvHeader = async (file: string) => (await (await admin.fetch(file)).text()).split("\r\n")[0];
    expect(await fetchCsvHeader("/api/admin/orders.csv")).toContain("Placed (Asia/Kathmandu)");
    expect(await fetchCsvHeader("/api/admin/subscribers.csv")).toContain("Signed up (Asia/Kathmandu)");
    expect((await shop.browser().get("/api/admin/time-zone")).status).toBe(401);
  });

  test("of one field is kept when another field of the same group is changed concurrently", async () => {
    const responses = await Promise.all([
      patch({ returns: { days: 60 } }),
      patch({ returns: { minimumRemainingPercent: 50 } }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect((await readSettings()).returns).toEqual({ days: 60, minimumRemainingPercent: 50 });
  });
});

describe("a stored setting", () => {
  const store = (key: string, value: unknown) =>
    shop.database.db.insert(settings).values({ key, value, updatedAt: new Date() });
  const readIssues = async () =>
    (await admin.get("/api/admin/attention")).body.data.filter(
      ({ kind }: { kind: string }) => kind === "setting_unreadable",
    );

  test("falls back to its default on every page if it cannot be read, and is an issue until it is saved again", async () => {
    await store("brandName", 4711);
    await store("shipping", { zones: "everywhere" });
    await store("returns", { days: 30, minimumRemainingPercent: 60 });
    const readReturnPercent = async () => (await shop.shop.settings()).returns.minimumRemainingPercent;
    await expect.poll(readReturnPercent, soon).toBe(60);
    for (const page of ["/", "/contact", "/shipping-policy", "/cart", "/checkout"]) {
      expect((await shop.browser().get(page)).status, page).toBe(200);
    }
    expect((await order(shop.browser())).status).toBe(201);
    expect(await readSettings()).toMatchObject({
      brandName: "Palmira",
      shipping: defaultSettings.shipping,
      returns: { minimumRemainingPercent: 60 },
      unreadable: ["brandName", "shipping"],
    });

    expect(await shop.browser().get("/readyz")).toMatchObject({
      status: 200,
      body: { degraded: { settings: "cannot be read, their defaults apply: Brand name, Shipping" } },
    });

    await shop.database.db.execute("update jobs set run_at = now() where key = 'every:watch_settings'");
    await expect.poll(readIssues).toHaveLength(2);
    await shop.jobsDone();
    const mail = await shop.database.db.select().from(messages).where(eq(messages.kind, "owner_attention"));
    expect(mail.map(({ text }) => text).join()).toContain("“Brand name”");

    // Saving the default value resolves the issue, too.
    expect((await patch({ brandName: "Palmira" })).body.data.unreadable).toEqual(["shipping"]);
    expect(await readIssues()).toHaveLength(1);
    expect((await patch({ shipping: { zones: [home] } })).body.data.unreadable).toBeUndefined();
    expect(await readIssues()).toEqual([]);
    expect(await readSettings()).toMatchObject({ brandName: "Palmira", shipping: { zones: [home] } });
    await expect.poll(async () => (await shop.shop.settings()).shipping.zones, soon).toEqual([home]);
    expect((await shop.browser().get("/readyz")).body.degraded?.settings).toBeUndefined();
  });

  test("still applies if it is readable but no longer valid, and is reported when its group is saved", async () => {
    const zones = [{ ...home, options: [{ ...home.options[0], name: "By\nmail", price: 1234 }] }];
    await store("shipping", { zones });
    await store("brandName", "Palm\nira");
    const social = { ...defaultSettings.social, x: "https://x.com@x.com/palmira" };
    await store("social", social);
    expect(await readSettings()).toMatchObject({ brandName: "Palm\nira", shipping: { zones }, social });
    expect((await readSettings()).unreadable).toBeUndefined();
    const { status, body } = await patch({ shipping: { zones }, social: { instagram: null } });
    expect([status, Object.keys(body.fields)]).toEqual([
      422,
      ["shipping.zones.0.options.0.name", "social.x"],
    ]);
  });
});

describe("a saved setting", () => {
  test("soon appears on cached pages", async () => {
    const visitor = shop.browser();
    const fetchText = async (page: string) => String((await visitor.get(page)).body);
    expect(await fetchText("/contact")).toContain("30-day satisfaction guarantee");
    await patch({
      returns: { days: 47 },
      shipping: { zones: [{ ...home, options: [{ ...home.options[0], days: [11, 13], price: 777 }] }] },
      contact: { phone: "+1 512 555 0123" },
      social: { instagram: "https://www.instagram.com/palmira" },
      givingPercent: 37.5,
    });
    for (const [page, words] of [
      ["/contact", "47-day satisfaction guarantee"],
      ["/contact", "takes 11-13 business days"],
      ["/contact", "+1 512 555 0123"],
      ["/", "https://www.instagram.com/palmira"],
      ["/shipping-policy", "$7.77"],
      ["/story", "37.5%"],
      ["/cart", "777"],
    ] as const) {
      await expect.poll(() => fetchText(page), soon).toContain(words);
    }
  });

  test("of the currency code applies to totals on pages and in e-mails, not to prices", async () => {
    await patch({ currencyDisplay: "symbol_and_code" });
    const buyer = shop.browser();
    await expect.poll(async () => (await shop.shop.settings()).currencyDisplay).toBe("symbol_and_code");
    const checkout = await order(buyer);
    await confirm(buyer, checkout);
    await shop.jobsDone();
    const page = String((await buyer.get(`/orders/${checkout.body.orderId}`)).body);
    expect(page).toContain("$35.90 USD");
    expect(page).not.toContain("$29.95 USD");
    const [mail] = await shop.database.db
      .select()
      .from(messages)
      .where(eq(messages.kind, "order_confirmation"));
    expect(mail?.text).toMatch(/^Total +\$35\.90 USD$/m);
    expect(mail?.html).toContain("$35.90 USD");
  });
});
