import { expect, test } from "vitest";
import { shareDatabase } from "./shop-database.ts";
import { at, openShopper, type Shopper, shareBrowser } from "./shopper.ts";

shareBrowser();
shareDatabase();

/** Makes the cart drawer fail to load, so that a toast confirms Add to Cart instead. */
async function blockDrawer({ page, expectComplaint }: Shopper): Promise<void> {
  expectComplaint(/ERR_FAILED/);
  await page.route("**/assets/cart-drawer-*.js", (route) => route.abort());
}

test("Add to Cart shows one toast, which disappears after five seconds; F8 moves the focus to it and keeps it open until it is closed", async () => {
  const shopper = await openShopper({ isFirstVisit: true });
  const { page } = shopper;
  await blockDrawer(shopper);
  await page.clock.install();
  await page.goto(at("/product/pure-batana-oil"));
  await page.getByRole("button", { name: "Increase quantity" }).click();
  const addButton = page.locator("article").getByRole("button", { name: "Add to Cart" });
  const toast = page.getByRole("region", { name: /Notifications/ }).getByRole("listitem");

  await addButton.click();
  await toast.getByText("2 × Pure Batana Oil added to your cart").waitFor();
  await page.getByRole("button", { name: "Decrease quantity" }).click();
  // From here on, time advances only when the test advances it.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  await addButton.click();
  await toast.getByText("1 × Pure Batana Oil added to your cart").waitFor();
  await toast.getByText("Added to cart").waitFor();
  expect(await toast.count()).toBe(1);

  await page.clock.runFor(4000);
  expect(await toast.count()).toBe(1);
  await page.clock.runFor(1500);
  await toast.waitFor({ state: "detached" });

  await addButton.click();
  await toast.waitFor();

  await page.keyboard.press("F8");
  const region = page.getByRole("region", { name: /Notifications/ });
  expect(await region.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await page.clock.runFor(10_000);
  expect(await toast.count()).toBe(1);
  await page.keyboard.press("Escape");
  await toast.waitFor({ state: "detached" });

  // The next toast disappears automatically again.
  await addButton.click();
  await toast.waitFor();
  await page.clock.runFor(5500);
  await toast.waitFor({ state: "detached" });
});

test("Add to Cart opens the cart beside the page, and Escape, Back or a click on the page closes it", async () => {
  const { page } = await openShopper();
  await page.goto(at("/product/pure-batana-oil"));
  const addButton = page.locator("article").getByRole("button", { name: "Add to Cart" });
  const drawer = page.getByRole("dialog", { name: "Added to cart" });
  await addButton.click();
  await drawer.getByText("1 × Pure Batana Oil added to your cart").waitFor();
  await drawer.getByText("Add $20.05 more for free shipping").waitFor();
  await drawer.getByRole("button", { name: "Add one more bottle" }).click();
  await drawer.getByText("Free shipping on this order").waitFor();
  await drawer.getByText("$59.90").first().waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.textContent === "Add to Cart");

  await addButton.press("Enter");
  await drawer.waitFor();
  await page.goBack();
  await drawer.waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/product/pure-batana-oil");

  await addButton.click();
  await drawer.waitFor();
  await page.getByRole("link", { name: "Cart, 4 items" }).click();
  await page.getByRole("heading", { name: "Your Cart" }).waitFor();
  await drawer.waitFor({ state: "detached" });
});

test("the drawer links to the cart", async () => {
  const { page } = await openShopper({ size: "phone" });
  await page.goto(at("/"));
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await page.getByRole("link", { name: "View cart" }).click();
  await page.getByRole("heading", { name: "Your Cart" }).waitFor();
  await page.getByRole("link", { name: "Cart, 1 item" }).waitFor();
});

test("the phone's menu opens, links to pages and is closed on the next page", async () => {
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

  // With its groups folded, the footer fits a phone's screen. A page that loads slowly shows its progress immediately.
  const footer = page.getByRole("contentinfo");
  expect((await footer.boundingBox())?.height).toBeLessThan(844);
  const pageReleased = Promise.withResolvers<void>();
  await page.route("**/story.data*", async (route) => {
    await pageReleased.promise;
    await route.continue();
  });
  const storyLink = footer.getByRole("link", { name: "Our Story" });
  expect(await storyLink.isVisible()).toBe(false);
  await footer.locator("summary", { hasText: "Learn" }).click();
  await storyLink.click();
  await page.locator("[data-pending]").waitFor();
  pageReleased.resolve();
  await page.getByRole("heading", { name: "From a palm in Honduras" }).waitFor();
  await page.locator("[data-pending]").waitFor({ state: "detached" });
});

test("the collapsed links of a policy lead to its headings on a phone, and are not printed", async () => {
  const { page } = await openShopper({ size: "phone" });
  await page.goto(at("/privacy"));
  const links = page.getByRole("navigation", { name: "On this page" });
  await links.locator("summary").click();
  const topic = links.getByRole("link").nth(2);
  const name = (await topic.textContent()) ?? "";
  await topic.click();
  const top = async () => (await page.getByRole("heading", { name, exact: true }).boundingBox())?.y ?? 0;
  await expect.poll(top).toBeLessThan(300);
  expect(await top(), "below the header").toBeGreaterThanOrEqual(60);
  await page.emulateMedia({ media: "print" });
  expect(await links.isVisible()).toBe(false);
});

test("the header shrinks and gets its shadow once the page is scrolled", async () => {
  const { page } = await openShopper();
  await page.goto(at("/"));
  const measure = () =>
    page
      .locator("header")
      .first()
      .evaluate((header) => ({
        height: header.getBoundingClientRect().height,
        shadow: getComputedStyle(header).boxShadow,
        pageHeight: document.documentElement.scrollHeight,
      }));
  const before = await measure();
  await page.mouse.wheel(0, 600);
  await expect.poll(async () => (await measure()).height).toBe(60);
  await expect.poll(async () => (await measure()).shadow).not.toBe(before.shadow);
  expect(before.height).toBe(80);
  expect((await measure()).pageHeight).toBe(before.pageHeight);
});

test("a picture that cannot be loaded is replaced by the product's first one", async () => {
  const { page, expectComplaint } = await openShopper();
  expectComplaint(/images\/bottle-in-hand/);
  await page.route("**/images/bottle-in-hand*", (route) => route.abort("failed"));
  await page.goto(at("/product/pure-batana-oil"));
  const thumbnails = page.getByRole("group", { name: "Product images" }).getByRole("button");
  expect(await thumbnails.count()).toBeGreaterThanOrEqual(4);
  const third = thumbnails.nth(2).locator("img");
  await expect
    .poll(() => third.evaluate((image) => image instanceof HTMLImageElement && image.currentSrc))
    .toContain("/images/product-front");
});

test("a product that cannot be loaded is reported as missing, and can be requested again", async () => {
  const { page, expectComplaint } = await openShopper();
  expectComplaint(/status of 500|Error/);
  await page.route("**/product/*.data*", (route) => route.fulfill({ status: 500, body: "" }));
  await page.goto(at("/cart"));
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Shop" }).click();
  const problem = page
    .getByRole("alert")
    .filter({ has: page.getByRole("heading", { name: "Product Not Found" }) });
  await problem
    .getByText("Sorry, the product you’re looking for doesn’t exist or has been removed.")
    .waitFor();
  expect(await problem.getByRole("link", { name: "Return to Home" }).getAttribute("href")).toBe("/");
  await problem.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("heading", { name: "Pure Batana Oil", level: 1 }).waitFor();
});

test("if the front picture fails as well, the shop's logo is shown", async () => {
  const { page, expectComplaint } = await openShopper();
  expectComplaint(/images\//);
  await page.route("**/images/product*", (route) => route.abort("failed"));
  await page.goto(at("/product/pure-batana-oil"));
  const frontPicture = page.locator("article img").first();
  await expect.poll(() => frontPicture.getAttribute("src")).toMatch(/mark|^data:image\/svg/);
});

test("a click on a thumbnail shows its picture large, and a click on that fills the screen", async () => {
  const { page } = await openShopper({ size: "phone" });
  await page.goto(at("/product/pure-batana-oil"));
  const pictures = page.getByRole("list", { name: "Product pictures" });
  const imageDot = (n: number) => page.locator(`button[aria-current][aria-label^="Show image ${n} of"]`);
  await imageDot(1).waitFor();
  await page.getByRole("button", { name: "Show image 2 of" }).click();
  await imageDot(2).waitFor();
  const second = pictures.getByRole("link").nth(1);
  await expect.poll(async () => Math.round((await second.boundingBox())?.x ?? -1)).toBe(0);

  await second.click();
  const fullScreenDialog = page.getByRole("dialog", { name: "Product pictures, full screen" });
  await fullScreenDialog.getByText(/^Picture 2 of \d: /).waitFor();
  await page.keyboard.press("ArrowRight");
  await fullScreenDialog.getByText(/^Picture 3 of /).waitFor();
  await page.keyboard.press("Home");
  await fullScreenDialog.getByText(/^Picture 1 of /).waitFor();
  const width = () =>
    fullScreenDialog
      .locator("img")
      .evaluateAll((images) => Math.max(...images.map((image) => image.getBoundingClientRect().width)));
  const widthBefore = await width();
  await expect
    .poll(async () => {
      await page.keyboard.press("+");
      return width();
    })
    .toBeGreaterThan(widthBefore);
  await page.keyboard.press("End");
  await fullScreenDialog.getByText(/^Picture (\d) of \1: /).waitFor();
  await page.keyboard.press("Escape");
  await fullScreenDialog.waitFor({ state: "detached" });
  const last = pictures.getByRole("link").last();
  await expect.poll(() => last.evaluate((link) => link === document.activeElement)).toBe(true);
  await last.click();
  await fullScreenDialog.waitFor();
  await page.goBack();
  await fullScreenDialog.waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/product/pure-batana-oil");
});
