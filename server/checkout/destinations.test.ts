import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { checkoutBody, order } from "../../test/checkout.ts";
import { soon } from "../../test/patience.ts";
import { openTestShop } from "../../test/shop.ts";

const shop = await openTestShop();
const admin = await adminBrowser(shop);
afterAll(() => shop.stop());

const setTax = (tax: object) => changeSettings({ tax });
/** Changes settings, and waits until the shop uses them. */
async function changeSettings(settings: object): Promise<void> {
  const { status } = await send(admin, "PATCH", "/api/admin/settings", settings);
  expect(status).toBe(200);
  await vi.waitFor(async () => expect(await shop.ctx.settings()).toMatchObject(settings), soon);
}
const texas = { country: "US", state: "TX", percent: 8.25, onShipping: false };

describe("a one-line address, where the tax rate depends on the state", () => {
  beforeAll(async () => {
    await setTax({ mode: "table", rates: [texas] });
  });
  afterAll(async () => {
    await setTax({ mode: "none", rates: [] });
  });

  test.each([
    ["TX 78701", "1 Main St, Austin, TX 78701, United States"],
    ["a state written out", "1 Main St, Austin, Texas, USA"],
  ])("pays the same tax as one in separate fields: %s", async (_, line) => {
    expect((await orderOnOneLine(line, 3837)).status).toBe(201);
    expect((await order(shop.browser(), { amount: 3837 })).status).toBe(201);
    const untaxed = await orderOnOneLine(line, 3590);
    expect([untaxed.status, untaxed.body.error, untaxed.body.total]).toEqual([409, "price_changed", 3837]);
  });

  test("is taxed at the rate of its state, even if a different country is sent separately", async () => {
    const response = await orderOnOneLine("1 Main St, Austin, TX 78701, United States", 3590, "Canada");
    expect([response.status, response.body.total]).toEqual([409, 3837]);
  });

  test.each(["TX", "tx", "Texas"])(
    "is quoted the total that checkout charges, however the state is written: %s",
    async (state) => {
      const items = [{ productId: 1, quantity: 1 }];
      const quote = await shop.browser().post("/api/cart/quote", { items, country: "US", state });
      expect(quote.body.data.totals.total).toBe(3837);
    },
  );

  test("is not taxed in another state", async () => {
    expect((await orderOnOneLine("1 Main St, Portland, OR 97201, United States", 3590)).status).toBe(201);
  });

  test.each([
    ["no state", "1 Main St, Austin, United States"],
    ["no country", "1 Main St, somewhere"],
    ["an ambiguous state or country", "1 Main St, Los Angeles, CA"],
  ])("is refused if it yields %s", async (_, line) => {
    const response = await orderOnOneLine(line, 3590);
    expect([response.status, Object.keys(response.body.fields)]).toEqual([422, ["shippingAddress"]]);
  });

  test("must have a valid state if it is sent in separate fields", async () => {
    const body = checkoutBody();
    const misspelled = { ...body, shipping: { ...body.shipping, state: "Texsa" } };
    const response = await shop.browser().post("/api/stripe/create-payment-intent", misspelled);
    expect([response.status, Object.keys(response.body.fields)]).toEqual([422, ["shipping.state"]]);
  });
});

test("an unreadable one-line address is accepted where no tax depends on it", async () => {
  expect((await orderOnOneLine("1 Main St, somewhere", 3590)).status).toBe(201);
});

describe("an address in separate fields", () => {
  const orderTo = (parts: object) => {
    const body = checkoutBody({ shippingOption: null });
    const shipping = { ...body.shipping, ...parts };
    return shop.browser().post("/api/stripe/create-payment-intent", { ...body, shipping });
  };

  test.each([
    ["DE", { postalCode: "" }, { "shipping.postalCode": "Enter your postal code" }],
    ["GB", { postalCode: " " }, { "shipping.postalCode": "Enter your postcode" }],
    ["GB", { city: undefined }, { "shipping.city": "Enter your town or city" }],
    ["AU", { state: undefined }, { "shipping.state": "Enter your state" }],
    ["JP", { city: "", state: "" }, { "shipping.state": "Enter your prefecture" }],
  ])("in %s is refused without a part that is required there: %j", async (country, parts, fields) => {
    const response = await orderTo({ country, ...parts });
    expect([response.status, response.body.fields]).toEqual([422, fields]);
  });

  test.each([
    ["HK", { state: "", postalCode: "" }],
    ["IE", { state: "", postalCode: "" }],
    ["IT", { state: "" }],
    ["SG", { city: "", state: "", postalCode: "546080" }],
    // Postal codes and states that do not match the country's pattern are accepted, too.
    ["DE", { postalCode: "A-1010" }],
    ["CA", { state: "TX" }],
  ])(
    "in %s is accepted without optional parts, and with an unusual state or postal code: %j",
    async (country, parts) => {
      expect((await orderTo({ country, ...parts })).status).toBe(201);
    },
  );
});

describe("countries under sanctions", () => {
  afterEach(async () => {
    const { data } = (await admin.get("/api/admin/settings")).body;
    const zones = data.shipping.zones.filter(({ id }: { id: string }) => id !== "named");
    await changeSettings({ shipping: { zones } });
  });

  test.each(["CU", "IR", "KP", "SY"])("are refused as destinations: %s", async (country) => {
    for (const shippingOption of [null, "us-standard"]) {
      const response = await order(shop.browser(), { country, shippingOption });
      expect([response.status, Object.keys(response.body.fields)]).toEqual([422, ["shipping.country"]]);
    }
    const line = await orderOnOneLine("1 Main St, somewhere", 3590, country);
    expect(line.status).toBe(422);
  });

  test.each([
    ["Calle 23, La Habana, Cuba 10400", undefined],
    ["1 Azadi St, Tehran, Islamic Republic of Iran", undefined],
    ["1 Azadi St, Tehran, Iran", "US"],
  ])("are recognized in a one-line address: %s", async (line, country) => {
    const response = await orderOnOneLine(line, 3590, country);
    expect([response.status, Object.keys(response.body.fields ?? {})]).toEqual([422, ["shipping.country"]]);
  });

  test("are accepted as destinations if the owner adds them", async () => {
    const { data } = (await admin.get("/api/admin/settings")).body;
    const [home, rest] = data.shipping.zones;
    const option = { ...rest.options[0], id: "named-standard" };
    const zones = [home, { id: "named", countries: ["CU"], options: [option] }, rest];
    await changeSettings({ shipping: { zones } });
    const cuba = await order(shop.browser(), { country: "CU", shippingOption: null });
    expect(cuba.status).toBe(201);
    expect((await order(shop.browser(), { country: "IR", shippingOption: null })).status).toBe(422);
  });

  test("are missing from the structured data, and the shipping policy excludes them", async () => {
    const product = (await shop.browser().get("/product/pure-batana-oil")).body;
    const [, json] = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(product) ?? [];
    expect(json).toContain('"CA"');
    for (const country of ["CU", "IR", "KP", "SY"]) expect(json).not.toContain(`"${country}"`);
    const policy = (await shop.browser().get("/shipping-policy")).body;
    expect(policy).toContain("We don’t ship to Cuba, Iran, North Korea, or Syria.");
  });
});

describe("the settings of wallets", () => {
  const readWallets = async () => (await shop.browser().get("/api/wallets")).body.data;

  test("contain the payee and the shipping countries that wallets support", async () => {
    const { countries, ...rest } = await readWallets();
    expect(rest).toEqual({ provider: "sandbox", publishableKey: null, businessName: "Palmira" });
    expect(countries).toContain("US");
    expect(countries).toContain("DE");
    for (const country of ["CU", "IR", "KP", "SY", "SD", "MH"]) expect(countries).not.toContain(country);
  });

  test("follow the owner’s zones", async () => {
    const { data } = (await admin.get("/api/admin/settings")).body;
    const [home] = data.shipping.zones;
    await changeSettings({ shipping: { zones: [{ ...home, countries: ["US", "CA"] }] } });
    await vi.waitFor(async () => expect((await readWallets()).countries.sort()).toEqual(["CA", "US"]), soon);
    await changeSettings({ shipping: data.shipping });
  });
});

/** Orders like the older client: with the address on one line. */
function orderOnOneLine(line: string, amount: number, country?: string) {
  const { shipping: _, ...body } = checkoutBody({ amount, shippingOption: null });
  const metadata = { ...body.metadata, shippingAddress: line, ...(country ? { country } : {}) };
  return shop.browser().post("/api/stripe/create-payment-intent", { ...body, metadata });
}
