import { expect, test } from "vitest";
import { setStock, shareDatabase } from "./shop-database.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();
shareDatabase();

test("Add to Cart says so in one toast, which goes after five seconds", async () => {
  const { page } = await openShopper();
  await page.clock.install();
  await page.goto(at("/product/pure-batana-oil"));
  await page.getByRole("button", { name: "Increase quantity" }).click();
  const add = page.locator("article").getByRole("button", { name: "Add to Cart" });
  const toast = page.getByRole("region", { name: /Notifications/ }).getByRole("listitem");

  await add.click();
  await toast.getByText("2 × Pure Batana Oil added to your cart").waitFor();
  await page.getByRole("button", { name: "Decrease quantity" }).click();
  await add.click();
  await toast.getByText("1 × Pure Batana Oil added to your cart").waitFor();
  await toast.getByText("Added to cart").waitFor();
  expect(await toast.count()).toBe(1);

  await page.clock.runFor(4000);
  expect(await toast.count()).toBe(1);
  await page.clock.runFor(1500);
  await toast.waitFor({ state: "detached" });
});

test("F8 moves focus to the toast, where it waits to be read and closed; the next one goes by itself again", async () => {
  const { page } = await openShopper();
  await page.clock.install();
  await page.goto(at("/product/pure-batana-oil"));
  const add = page.locator("article").getByRole("button", { name: "Add to Cart" });
  const toast = page.getByRole("region", { name: /Notifications/ }).getByRole("listitem");
  await add.click();
  await toast.waitFor();

  await page.keyboard.press("F8");
  const region = page.getByRole("region", { name: /Notifications/ });
  expect(await region.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await page.clock.runFor(10_000);
  expect(await toast.count()).toBe(1);
  await page.keyboard.press("Escape");
  await toast.waitFor({ state: "detached" });

  await add.click();
  await toast.waitFor();
  await page.clock.runFor(5500);
  await toast.waitFor({ state: "detached" });
});

test("a toast leads to the cart", async () => {
  const { page } = await openShopper({ size: "phone" });
  await page.goto(at("/"));
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await page.getByRole("link", { name: "View cart" }).click();
  await page.getByRole("heading", { name: "Your Cart" }).waitFor();
  await page.getByRole("link", { name: "Cart, 1 item" }).waitFor();
});

test("the phone's menu opens, leads on and is closed on the next page", async () => {
  const { page } = await openShopper({ size: "phone" });
  await page.goto(at("/product/pure-batana-oil"));
  await page.getByRole("button", { name: "Open menu" }).click();
  const menu = page.getByRole("navigation", { name: "Mobile" });
  await menu.waitFor();
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "hidden" });

  await page.getByRole("button", { name: "Open menu" }).click();
  await menu.getByRole("link", { name: "My Orders" }).click();
  await page.getByRole("heading", { name: "My Orders" }).waitFor();
  await menu.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Open menu" }).click();
  await menu.getByRole("link", { name: "How to Use" }).click();
  await page.locator("#howtouse").waitFor();
  await menu.waitFor({ state: "hidden" });
});

test("the header shrinks and gets its shadow once the page is scrolled", async () => {
  const { page } = await openShopper();
  await page.goto(at("/"));
  // The header keeps its place in the page; its bar shrinks.
  const header = page.locator("header > div > div").first();
  const height = async () => (await header.boundingBox())?.height ?? 0;
  const before = await height();
  await page.mouse.wheel(0, 600);
  await expect.poll(height).toBeLessThan(before);
});

test("an unknown address is a 404 page with ways on", async () => {
  const { page, expectComplaint } = await openShopper();
  expectComplaint(/status of 404/);
  const answer = await page.goto(at("/no-such-page"));
  expect(answer?.status()).toBe(404);
  await page.getByRole("heading", { name: "404 Page Not Found" }).waitFor();
  expect(await page.getByText("app/routes.ts").count()).toBe(0);
  await page.getByRole("link", { name: "Return to Home" }).click();
  await page.getByRole("button", { name: "Buy Now" }).first().waitFor();
});

test("the account's old address of the orders leads to them", async () => {
  const { page } = await openShopper();
  await page.goto(at("/account/orders"));
  await page.getByRole("heading", { name: "My Orders" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/orders");
});

test("an unknown product is told so in the shop's words", async () => {
  const { page, expectComplaint } = await openShopper({ size: "phone" });
  expectComplaint(/status of 404/);
  expect((await page.goto(at("/product/snake-oil")))?.status()).toBe(404);
  await page.getByRole("heading", { name: "Product Not Found" }).waitFor();
  await page.getByText("Sorry, the product you're looking for doesn't exist or has been removed.").waitFor();
  await page.getByRole("link", { name: "Return to Home" }).click();
  await page.getByRole("button", { name: "Buy Now" }).first().waitFor();
});

test.each(["/", "/product/pure-batana-oil"])(
  "%s says name, price and stock without JavaScript",
  async (path) => {
    const { page } = await openShopper({ javaScriptEnabled: false });
    await page.goto(at(path));
    await page.getByRole("heading", { level: 1, name: "Pure Batana Oil" }).waitFor();
    await page.getByText("$29.95").first().waitFor();
    await page.getByRole("button", { name: "Buy Now" }).first().waitFor();
    await page.getByRole("heading", { name: /Reviews/ }).waitFor();

    await setStock(0);
    await page.reload();
    await page.getByRole("button", { name: "Sold out" }).first().waitFor();
    expect(await page.getByRole("button", { name: "Buy Now" }).count()).toBe(0);
  },
);

test("public pages set no cookie, hold nothing personal and are the same for a shopper with a cart", async () => {
  const { page, context } = await openShopper();
  await page.goto(at("/"));
  expect(await context.cookies()).toEqual([]);
  const mirrored = page.waitForResponse("**/api/cart/add");
  await page.getByRole("button", { name: "Add to Cart" }).first().click();
  await mirrored;
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax" });

  for (const path of ["/", "/product/pure-batana-oil"]) {
    const [known, unknown] = await Promise.all([
      context.request.get(at(path)).then((answer) => answer.text()),
      fetch(at(path)).then((answer) => answer.text()),
    ]);
    expect(known).toBe(unknown);
    expect(known).not.toContain(cookie?.value);
  }
});

test("a picture that fails is replaced by the product's first", async () => {
  const { page, expectComplaint } = await openShopper();
  expectComplaint(/images\/dropper/);
  await page.route("**/images/dropper*", (route) => route.abort("failed"));
  await page.goto(at("/product/pure-batana-oil"));
  const thumbnails = page.getByRole("group", { name: "Product images" }).getByRole("button");
  expect(await thumbnails.count()).toBeGreaterThanOrEqual(4);
  const third = thumbnails.nth(2).locator("img");
  await expect
    .poll(() => third.evaluate((image) => image instanceof HTMLImageElement && image.currentSrc))
    .toContain("/images/product-front");
});

test("a thumbnail brings its picture to the large place", async () => {
  const { page } = await openShopper({ size: "phone" });
  await page.goto(at("/product/pure-batana-oil"));
  const large = page.locator("article img").first();
  const before = await large.getAttribute("src");
  const second = page.getByRole("button", { name: "Show image 2 of" });
  await second.click();
  expect(await large.getAttribute("src")).not.toBe(before);
  expect(await second.getAttribute("aria-current")).toBe("true");
});
