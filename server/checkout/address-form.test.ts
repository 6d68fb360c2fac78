import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { confirm, order } from "../../test/checkout.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { orders } from "../orders/tables.ts";
import { expireOrders } from "../payments/cancellation/close.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
});
afterAll(() => shop.stop());

const formEntries = {
  firstName: "Ada",
  lastName: "Obi",
  email: "ada@example.com",
  phone: "",
  country: "US",
  line1: "1 Main St",
  line2: "",
  city: "Austin",
  state: "TX",
  postalCode: "78701",
  shippingOption: "us-standard",
  discountCode: "",
  gift: "",
  giftFrom: "",
  giftNote: "",
  askedAbout: "",
  askedAboutZip: "",
};

function submitForm(browser: TestBrowser, changes: Partial<typeof formEntries> = {}): Promise<Response> {
  const body = new URLSearchParams({ ...formEntries, ...changes });
  return browser.fetch("/checkout", { method: "POST", body, redirect: "manual" });
}

async function browserWithCart(quantity = 1): Promise<TestBrowser> {
  const browser = shop.browser();
  await browser.post("/api/cart/add", { productId: 1, quantity });
  return browser;
}

describe("the address form without JavaScript", () => {
  test("orders the server's cart and leads to the provider's page", async () => {
    const browser = await browserWithCart(2);
    const response = await submitForm(browser);
    expect(response.status).toBe(303);
    const page = await browser.get(response.headers.get("location") ?? "");
    expect(page.body).toMatch(/Pay (<!-- -->)?\$59\.90/);
    const { data } = (await browser.get("/api/orders/user/1")).body;
    const { body } = await browser.get(`/api/orders/${data[0].id}`);
    expect(body.data).toMatchObject({
      customerName: "Ada Obi",
      shipping: { line1: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" },
      items: [{ productId: 1, quantity: 2 }],
    });
    // Submitting the form again opens the same order.
    expect((await submitForm(browser)).headers.get("location")).toBe(response.headers.get("location"));
  });

  test("is shown again with its problems and all values", async () => {
    const response = await submitForm(await browserWithCart(), {
      city: "",
      email: "ada@example",
      line1: 'The "Mill"',
    });
    const html = await response.text();
    expect(response.status).toBe(422);
    expect(html).toContain("Enter your city");
    expect(html).toContain("Enter a valid email address");
    expect(html).toMatch(/<input[^>]*name="line1"[^>]*value="The &quot;Mill&quot;"/);
    expect(html).toContain("Continue to Payment");
    expect(html).toContain("$35.90");
  });

  test("orders a gift, and is shown again with its note", async () => {
    const browser = await browserWithCart();
    const gift = { gift: "on", giftFrom: "Bo", giftNote: "Happy\r\nbirthday" };
    const html = await (await submitForm(browser, { ...gift, city: "" })).text();
    expect(html).toMatch(/<input[^>]*name="gift"[^>]*checked=""/);
    expect(html).toContain("From Bo: Happy");
    expect(html).toMatch(/<textarea[^>]*name="giftNote"[^>]*>Happy\nbirthday</);
    expect((await submitForm(browser, { ...gift, giftNote: "x".repeat(301) })).status).toBe(422);
    expect((await submitForm(browser, gift)).status).toBe(303);
    const { data } = (await browser.get("/api/orders/user/1")).body;
    const { body } = await browser.get(`/api/orders/${data[0].id}`);
    expect(body.data.gift).toEqual({ from: "Bo", note: "Happy\nbirthday" });
  });

  test("asks once to check an unlikely phone number, and then accepts it", async () => {
    const browser = await browserWithCart();
    const response = await submitForm(browser, { phone: "12345" });
    const html = await response.text();
    expect(response.status).toBe(422);
    expect(html).toContain("Please check this number.");
    expect(html).toMatch(/<input[^>]*name="askedAbout"[^>]*value="12345"/);
    expect((await submitForm(browser, { phone: "12345", askedAbout: "12345" })).status).toBe(303);
    expect((await submitForm(await browserWithCart(), { phone: "5551234567" })).status).toBe(303);
  });

  test("asks once to check an unlikely ZIP code, and then accepts it", async () => {
    const browser = await browserWithCart();
    const response = await submitForm(browser, { postalCode: "7870" });
    const html = await response.text();
    expect(response.status).toBe(422);
    expect(html).toContain("A US ZIP code has five digits");
    expect(html).toMatch(/<input[^>]*name="askedAboutZip"[^>]*value="7870"/);
    expect((await submitForm(browser, { postalCode: "787", askedAboutZip: "7870" })).status).toBe(422);
    expect((await submitForm(browser, { postalCode: "7870", askedAboutZip: "7870" })).status).toBe(303);
  });

  test("adapts its labels and shipping options to another country", async () => {
    const response = await submitForm(await browserWithCart(), { country: "GB", state: "", postalCode: "" });
    const html = await response.text();
    expect(response.status).toBe(422);
    expect(html).toContain("Enter your postcode");
    expect(html).not.toContain("State/Province");
    const options = await submitForm(await browserWithCart(), {
      country: "GB",
      state: "",
      postalCode: "SW1A 1AA",
    });
    expect(options.status).toBe(422);
    expect(await options.text()).toContain("Choose how to ship to the United Kingdom");
    const choice = {
      country: "GB",
      state: "",
      postalCode: "SW1A 1AA",
      shippingOption: "international-standard",
    };
    expect((await submitForm(await browserWithCart(), choice)).status).toBe(303);
  });

  test("explains that a discount code does not apply, and removes it", async () => {
    const response = await submitForm(await browserWithCart(), { discountCode: "NO-SUCH-CODE" });
    const html = await response.text();
    expect(response.status).toBe(422);
    expect(html).toContain("Your discount code wasn’t applied.");
    expect(html).not.toContain("NO-SUCH-CODE");
  });

  test("redirects to the cart if the cart is empty", async () => {
    const response = await submitForm(shop.browser());
    expect([response.status, response.headers.get("location")]).toEqual([303, "/cart"]);
  });
});

describe("a payment that is opened again after a reload", () => {
  const reopenPayment = (browser: TestBrowser, started: { body: { paymentIntentId: string } }) =>
    browser.get(`/api/checkout/payments/${started.body.paymentIntentId}`);

  test("has the same data as before, and is not found by other visitors", async () => {
    const browser = shop.browser();
    const started = await order(browser);
    const { success: _, ...body } = started.body;
    expect((await reopenPayment(browser, started)).body.data).toEqual(body);
    expect((await reopenPayment(shop.browser(), started)).status).toBe(404);
  });

  test("is reported as paid if it has been paid in the meantime", async () => {
    const browser = shop.browser();
    const started = await order(browser);
    await confirm(browser, started);
    expect((await reopenPayment(browser, started)).body.data).toMatchObject({
      payment: "paid",
      status: "succeeded",
    });
  });

  test("is not opened for an order that has closed", async () => {
    const browser = shop.browser();
    const started = await order(browser);
    const { db } = shop.database;
    await db
      .update(orders)
      .set({ expiresAt: new Date(0) })
      .where(eq(orders.id, started.body.orderId));
    await expireOrders(shop.ctx);
    expect((await reopenPayment(browser, started)).status).toBe(404);
  });
});
