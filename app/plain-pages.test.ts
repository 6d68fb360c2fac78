import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { products } from "../server/catalog/tables.ts";
import { stock } from "../server/inventory/tables.ts";
import { reviews } from "../server/reviews/tables.ts";
import { adminBrowser, send } from "../test/admin.ts";
import { confirm, order } from "../test/checkout.ts";
import { keptMail } from "../test/kept-mail.ts";
import {
  attributeValue,
  elementText,
  initialValue,
  linkIn,
  openPlain,
  type PlainPage,
} from "../test/plain-browser.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../test/shop.ts";

let shop: TestShop;
let browser: TestBrowser;
beforeAll(async () => {
  shop = await openTestShop();
});
afterAll(() => shop.stop());
beforeEach(() => {
  browser = shop.browser();
});

const productPage = "/product/pure-batana-oil";

const openPage = (path: string) => openPlain(browser, path);
const elementTexts = (page: PlainPage, selector: string) => page.all(selector).map(elementText);
const buttons = (page: PlainPage) => elementTexts(page, "main button");
const isInvalid = (page: PlainPage, label: string) =>
  attributeValue(page.field(label), "aria-invalid") === "true";

async function buy(email: string): Promise<{ number: number; orderId: string; intentId: string }> {
  const started = await order(browser, { email });
  await confirm(browser, started);
  await shop.jobsDone();
  const { orderNumber: number, orderId, paymentIntentId: intentId } = started.body;
  return { number, orderId, intentId };
}

/** The newest e-mail to this address that contains `words`. */
async function waitForEmail(email: string, words: string): Promise<string> {
  await shop.jobsDone();
  const mail = keptMail(shop, email).findLast((text) => text.includes(words));
  if (!mail) throw new Error(`No mail to ${email} has ${words}`);
  return mail;
}

describe("without JavaScript", () => {
  test.each(["/", productPage])("the page %s states name, price and stock", async (path) => {
    const page = await openPage(path);
    expect(elementTexts(page, "h1")).toEqual(["Pure Batana Oil"]);
    expect(page.text).toContain("$29.95");
    expect(buttons(page)).toContain("Buy Now");
    expect(elementTexts(page, "h2").join()).toMatch(/Reviews/);

    const setStock = (units: number) =>
      shop.database.db
        .update(stock)
        .set({ onHand: sql`${stock.reserved} + ${units}` })
        .where(eq(stock.productId, 1));
    await setStock(0);
    await expect.poll(async () => buttons(await openPage(path))).toContain("Sold out");
    expect(buttons(await openPage(path))).not.toContain("Buy Now");
    await setStock(500);
    await expect.poll(async () => buttons(await openPage(path))).toContain("Buy Now");
  });

  test("a product's page states unit prices and the time for returns", async () => {
    const { text } = await openPage(productPage);
    expect(text).toContain("$14.98 / fl oz · $49.92 / 100 ml");
    expect(text).toContain("30-day returns");
    expect(text).toMatch(/Arrives [A-Z][a-z]{2} \d+ – ([A-Z][a-z]{2} )?\d+ in the United States/);
    // A range of dates in the details is never broken over two lines.
    const { body } = await browser.get(productPage);
    expect(body).toMatch(/free over \$50\.00\. Arrives\u00a0[A-Z][a-z]{2}\u00a0\d+\u00a0–\u00a0/);
  });

  test.each([
    ["benefits", "What one good oil can do"],
    ["story", "From a palm in Honduras to a classroom in Liberia"],
    ["how-to-use", "A few drops, warm hands"],
    ["faq", "Questions, answered"],
    ["shipping-policy", "Shipping policy"],
    ["returns-policy", "Returns policy"],
    ["privacy", "Privacy policy"],
    ["terms", "Terms of sale"],
  ])("the page /%s has its heading and text", async (path, heading) => {
    const page = await openPage(`/${path}`);
    expect(elementTexts(page, "h1").join()).toContain(heading);
    expect(page.text.length).toBeGreaterThan(1000);
  });

  test("the how-to-use page has a picture for each step, and the product's video", async () => {
    const sources = (page: PlainPage, selector: string) =>
      page.all(selector).map((element) => attributeValue(element, "src"));
    const steps = sources(await openPage("/how-to-use"), "#howtouse li img");
    expect(steps.map((source) => /use-(hair|face|body)/.exec(source ?? "")?.[1])).toEqual([
      "hair",
      "face",
      "body",
    ]);
    const clip = "https://videos.example.com/oil.mp4";
    await shop.database.db.update(products).set({ videoUrl: clip });
    await expect.poll(async () => sources(await openPage("/how-to-use"), "#howtouse video")).toEqual([clip]);
    await shop.database.db.update(products).set({ videoUrl: null });
  });

  test("the list of reviews says if there are none, otherwise continues on further pages, and the home page links to it", async () => {
    expect((await openPage("/reviews")).text).toContain("No reviews found.");
    await shop.database.db.insert(reviews).values(
      Array.from({ length: 30 }, (_, index) => ({
        productId: 1,
        rating: 1 + (index % 5),
        comment: `Review no. ${index + 1} of this oil.`,
        status: "published" as const,
      })),
    );
    await expect.poll(async () => (await openPage("/reviews")).text).toContain("from 30 reviews");
    const cards = (page: PlainPage) =>
      page.all("main li").filter((item) => /Review no\./.test(elementText(item)));
    const first = await openPage("/reviews?sort=highest");
    expect(cards(first)).toHaveLength(24);
    const second = await first.follow("Load more");
    expect(cards(second)).toHaveLength(6);
    const numbers = [...cards(first), ...cards(second)].map(
      (card) => /no\. \d+/.exec(elementText(card))?.[0],
    );
    expect(new Set(numbers).size).toBe(30);
    expect(cards(await second.follow("Back to the first reviews"))).toHaveLength(24);
    const home = await openPage("/");
    expect(cards(home)).toHaveLength(5);
    // In one piece, for programs that read the HTML: React puts comments between pieces of a text.
    expect(home.html).toContain("3.0/5 (30 reviews)");
    expect(home.html).toContain("View All Reviews (30)");
    expect((await home.follow("View All Reviews (30)")).text).toContain("3.0 average from 30 reviews");
  });

  test("a review is written in a plain form, which keeps its entries when it has errors", async () => {
    const comment = "Two drops are enough for my face in winter.";
    const form = await (await openPage(productPage)).send("Write a Review");
    expect(form.path).toMatch(/^\/reviews\/new\?/);
    const refused = await form.send("Submit Review", { "4": "4", "Your review": "Great oil" });
    expect(refused.status).toBe(422);
    expect(refused.text.match(/Comment must be at least 10 characters/g)).toHaveLength(2);
    expect(attributeValue(refused.one('input[type="radio"][checked]'), "value")).toBe("4");
    expect(initialValue(refused.field("Your review"))).toBe("Great oil");

    const sent = await refused.send("Submit Review", { "Your review": comment });
    expect(sent.path).toBe("/reviews?sent=1");
    expect(sent.text).toContain("Thank you for your feedback!");
    expect(sent.text).toContain(comment);
  });

  test("an incomplete message keeps its entries, and is sent once it is complete", async () => {
    const words = "Do you sell boxes of 12 to salons?";
    const page = await openPage("/contact");
    const refused = await page.send("Send Message", { Name: "Leah", Message: words, Subject: "wholesale" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Missing information");
    expect(isInvalid(refused, "Email Address")).toBe(true);
    expect(initialValue(refused.field("Name"))).toBe("Leah");
    expect(initialValue(refused.field("Message"))).toBe(words);
    expect(initialValue(refused.field("Subject"))).toBe("wholesale");

    const sent = await refused.send("Send Message", { "Email Address": "leah@example.com" });
    expect(sent.path).toMatch(/^\/contact\/sent\?/);
    expect(elementTexts(sent, "h1, h2")).toContain("Message sent");
    const reference = /M-\d+/.exec(sent.text)?.[0] ?? "none";
    await waitForEmail("leah@example.com", reference);
  });

  test("orders are found by an e-mailed link that works once, and opening its page does not use it up", async () => {
    const { number } = await buy("finder@example.com");
    browser = shop.browser();
    const page = await openPage("/orders");
    expect(page.text).toContain("You haven’t placed any orders yet.");
    const refused = await page.send("Send me the link", { "Email Address": "no address" });
    expect(refused.status).toBe(422);
    expect(isInvalid(refused, "Email Address")).toBe(true);
    expect(initialValue(refused.field("Email Address"))).toBe("no address");
    const confirmation = await refused.send("Send me the link", { "Email Address": "finder@example.com" });
    expect(confirmation.text).toContain("Check your inbox.");

    const link = linkIn(await waitForEmail("finder@example.com", "/orders/find"), "/orders/find");
    await openPage(link);
    const orders = await (await openPage(link)).send("Show my orders");
    expect(orders.text).toContain(`Order #${number}`);
    browser = shop.browser();
    const usedLink = await openPage(link);
    expect(elementTexts(usedLink, "h1")).toEqual(["This link no longer works"]);
  });

  test("an old link to confirm the newsletter shows once that it has expired, and what to do", async () => {
    const page = await (await openPage("/newsletter?confirm=none")).send("Yes, sign me up");
    expect(elementTexts(page, "h1")).toEqual(["This link no longer works"]);
    expect(
      elementTexts(page, "main")
        .join()
        .match(/no longer works/g),
    ).toHaveLength(1);
    expect(page.text).toContain("You can sign up again at the foot of any other page.");
  });

  test("data is deleted by an e-mailed link and plain forms", async () => {
    const email = "scriptless@example.com";
    await buy(email);
    const confirmation = await (await openPage("/account")).send("Delete my data", {
      "Email Address": email,
    });
    expect(confirmation.text).toContain("Check your inbox.");
    const page = await openPage(
      linkIn(await waitForEmail(email, "See what will be deleted"), "/account/data"),
    );
    const refused = await page.send("Delete my data");
    expect(refused.text).toContain("Please confirm that you want your data deleted");
    const confirmed = await refused.send("Delete my data", { "Delete my data. I understand": "yes" });
    expect(elementTexts(confirmed, "h1, h2")).toContain("Your data is being deleted");
  });
});

describe("each editorial page", () => {
  test.each([
    ["benefits", "benefits"],
    ["story", "story"],
    ["how-to-use", "howtouse"],
  ])("/%s contains its section of the home page and a link to the product", async (path, section) => {
    const page = await openPage(`/${path}`);
    expect(page.all(`main [id="${section}"]`)).toHaveLength(1);
    expect((await page.follow("See the product")).path).toBe(productPage);
  });

  test("is marked in the header as the current page", async () => {
    const page = await openPage("/benefits");
    expect(page.all('nav[aria-label="Main"] [aria-current="page"]').map(elementText)).toEqual(["Benefits"]);
  });
});

describe("a missing or moved page", () => {
  test("at an unknown path is a 404 page with links", async () => {
    const page = await openPage("/no-such-page");
    expect(page.status).toBe(404);
    expect(elementTexts(page, "h1")).toEqual(["404 Page Not Found"]);
    expect(page.html).not.toContain("app/routes.ts");
    expect((await page.follow("Return to Home")).path).toBe("/");
  });

  test("of an unknown product is an error page in the shop's design", async () => {
    const page = await openPage("/product/snake-oil");
    expect(page.status).toBe(404);
    expect(elementTexts(page, "h1")).toEqual(["Product Not Found"]);
    expect(page.text).toContain("Sorry, the product you’re looking for doesn’t exist or has been removed.");
    expect((await page.follow("Return to Home")).path).toBe("/");
  });

  test("of orders, at its old path, redirects to the new one", async () => {
    const page = await openPage("/account/orders");
    expect(page.path).toBe("/orders");
    expect(elementTexts(page, "h1")).toEqual(["My Orders"]);
  });
});

test("public pages set no cookie, contain nothing personal, and are the same for a shopper with a cart", async () => {
  await openPage("/");
  expect([...browser.cookies]).toEqual([]);
  const response = await browser.fetch("/api/cart/add", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ productId: 1, quantity: 1 }),
  });
  expect(response.status).toBeLessThan(300);
  expect(response.headers.getSetCookie().join()).toMatch(/HttpOnly;.*SameSite=Lax/);
  const [cookie = ["", "none"]] = browser.cookies;
  for (const path of ["/", productPage]) {
    const { html } = await openPage(path);
    expect(html).toBe((await openPlain(shop.browser(), path)).html);
    expect(html).not.toContain(cookie[1]);
  }
});

test("the confirmation e-mail is sent once, and its link opens the order on another device", async () => {
  const { number } = await buy("mailed@example.com");
  const mail = await waitForEmail("mailed@example.com", `#${number}`);
  expect(keptMail(shop, "mailed@example.com")).toHaveLength(1);
  browser = shop.browser();
  const page = await openPage(linkIn(mail, "/orders/"));
  expect(elementTexts(page, "h1").join()).toContain(`Order #${number}`);
});

test("the thank-you page of a cancelled order leads to the order", async () => {
  const { number, orderId, intentId } = await buy("moves-on@example.com");
  const thanksPath = `/checkout/success?session_id=${intentId}`;
  const thanks = await openPage(thanksPath);
  expect(thanks.text).toContain("Thank you for your order!");
  expect(thanks.text).toContain("Contact Us");
  await browser.post(`/api/orders/${orderId}/cancel`);
  const page = await openPage(thanksPath);
  expect(elementTexts(page, "h1").join()).toContain(`Order #${number}`);
  expect(page.text).toContain("This order is cancelled.");
});

test("the page of a shipped order leads to a review, says why its return was declined, and names what was refunded", async () => {
  const { orderId } = await buy("declined@example.com");
  const owner = await adminBrowser(shop);
  const parcel = { carrier: "DHL", trackingNumber: "3318810025" };
  await owner.post(`/api/admin/orders/${orderId}/ship`, parcel);
  const orderPage = () => openPage(`/orders/${orderId}`);
  expect((await orderPage()).text).toContain("You can return your order within 30 days");
  expect(buttons(await (await orderPage()).follow("Write a review")).join()).toContain("Submit Review");
  await browser.post(`/api/orders/${orderId}/return`, { reason: "It is empty" });
  const { id } = (await browser.get(`/api/orders/${orderId}`)).body.data.returns[0];
  await send(owner, "PATCH", `/api/admin/returns/${id}`, { status: "declined", answer: "It was used up." });
  expect((await orderPage()).text).toMatch(/Return declined.*It was used up\./);

  // A refund leaves the parcel's state unchanged, and a full one replaces the text about the return.
  const refund = async (amount: number) => {
    await owner.post(`/api/admin/orders/${orderId}/refund`, { amount, reason: "A dent in the box" });
    await shop.jobsDone();
    return orderPage();
  };
  const refundedInPart = await refund(1000);
  expect(refundedInPart.text).toContain("−$10.00");
  expect(elementTexts(refundedInPart, "main header a").join()).toContain("Track package");
  const refunded = await refund(2590);
  expect(refunded.text).toContain("$35.90 refunded");
  expect(refunded.text).not.toContain("You can return your order");
  expect(elementTexts(refunded, "#order-notices").join()).not.toContain("Return declined");
});

test("the page of an order whose return was refunded says so in its title", async () => {
  const { orderId } = await buy("returned@example.com");
  const owner = await adminBrowser(shop);
  await owner.post(`/api/admin/orders/${orderId}/ship`, { carrier: "DHL", trackingNumber: null });
  await browser.post(`/api/orders/${orderId}/return`, { reason: "Not for my hair" });
  const { id } = (await browser.get(`/api/orders/${orderId}`)).body.data.returns[0];
  await owner.post(`/api/admin/orders/${orderId}/refund`, { amount: 2995, reason: null, returnId: id });
  await shop.jobsDone();
  expect((await openPage(`/orders/${orderId}`)).text).toContain("$29.95 refunded for your return");
});

test("a visitor sees neither the success page nor the order of another visitor", async () => {
  const { orderId, intentId } = await buy("private@example.com");
  const success = `/checkout/success?session_id=${intentId}`;
  expect((await openPage(success)).text).toContain("Thank you for your order!");
  browser = shop.browser();
  for (const path of [success, `/orders/${orderId}`, `/orders/${orderId}?token=1.a.b`]) {
    const page = await openPage(path);
    expect(page.status).toBe(404);
    expect(page.text).toContain("We couldn’t find this order");
    expect(page.html).not.toContain("private@example.com");
  }
});

test.each(["/", productPage, "/reviews"])(
  "the owner's reply is shown below its review on %s",
  async (path) => {
    await shop.database.db.delete(reviews);
    await shop.database.db.insert(reviews).values({
      productId: 1,
      rating: 5,
      comment: "The dropper was broken.",
      status: "published",
      reply: "We have sent you another one.",
    });
    await expect.poll(async () => (await openPage(path)).text).toContain("The dropper was broken.");
    const review = (await openPage(path))
      .all("main li")
      .find((item) => elementText(item).includes("The dropper was broken."));
    expect(review && elementText(review)).toContain("Palmira: We have sent you another one.");
    // A product's own page does not repeat its name on each review.
    const links = review?.querySelectorAll(`a[href="${productPage}"]`) ?? [];
    if (path !== "/") expect(links).toHaveLength(path === "/reviews" ? 1 : 0);
  },
);

test("an order of many lines is listed with its first lines, and its page shows all of them", async () => {
  const rows = ["Comb", "Towel", "Soap", "Balm"].map((name) => ({
    slug: name.toLowerCase(),
    name,
    shortDescription: name,
    description: name,
    size: "One",
    priceCents: 1000,
    published: true,
  }));
  const added = await shop.database.db.insert(products).values(rows).returning({ id: products.id });
  await shop.database.db.insert(stock).values(added.map(({ id }) => ({ productId: id, onHand: 5 })));
  const others = added.map(({ id }) => ({ productId: id, quantity: 1, price: 1000 }));
  const items = [{ productId: 1, quantity: 2, price: 2995 }, ...others];
  const started = await order(browser, { items, email: "lines@example.com" });
  await confirm(browser, started);
  await shop.jobsDone();
  const list = await openPage("/orders");
  expect(list.text).toContain("Quantity 2");
  expect(elementTexts(list, "main li").at(-1)).toBe("and 2 more");
  const { text } = await openPage(`/orders/${started.body.orderId}`);
  for (const part of [
    "2 × Pure Batana Oil",
    "$29.95 each",
    "1 Main St",
    "Austin, TX 78701",
    "lines@example.com",
    "Free",
  ])
    expect(text).toContain(part);
});
