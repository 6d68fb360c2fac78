import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { soon } from "../test/patience.ts";
import { expectToFit, look, takePicture } from "./look.ts";
import { buy, openOwner } from "./owner.ts";
import { setPrice, shareDatabase, withReviews } from "./shop-database.ts";
import { at, openShopper, shareBrowser, sizes } from "./shopper.ts";
import { fillCart } from "./steps.ts";

shareBrowser();
shareDatabase();

const productPage = "/product/pure-batana-oil";
const pages = ["/", productPage, "/reviews", "/story", "/contact", "/cart", "/checkout", "/orders"];

test("at 200% zoom, and with letters twice as large, every page fits and its main action can be reached", async () => {
  await withReviews(3);
  const { page } = await openShopper();
  await buy(page.context().request);
  await fillCart(page);
  for (const path of pages) {
    // A window of 1280 pixels at 200% has room for half as many.
    await page.setViewportSize({ width: 640, height: 400 });
    await page.goto(at(path));
    await page.locator("h1").waitFor();
    await expectToFit(page);
    await page.setViewportSize(sizes.desktop.viewport);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    await expectToFit(page);
    await page.setViewportSize(sizes.phone.viewport);
    const excessPixels = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await excessPixels(), `pixels too wide on a phone: ${path}`).toBeLessThanOrEqual(0);
    await page.setViewportSize(sizes.desktop.viewport);
    const cutOff = await page.evaluate(() =>
      [...document.querySelectorAll("main a, main button, main h1, main h2, main label")]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .filter((element) => element.clientWidth > 1 && getComputedStyle(element).display !== "inline")
        .filter((element) => element.scrollWidth > element.clientWidth + 1)
        .map((element) => element.outerHTML.slice(0, 140)),
    );
    expect(cutOff, `cut off on ${path}`).toEqual([]);
  }
  await page.setViewportSize({ width: 640, height: 400 });
  await page.goto(at("/cart"));
  await page.getByRole("link", { name: "Secure Checkout" }).first().click();
  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await page.getByText("Please fill out all required fields").waitFor();
});

test("with letters twice as large, no page of the panel is wider than a phone", async () => {
  const { page, context } = await openOwner({ size: "phone" });
  const { orderId } = await buy(context.request);
  const panelPages = [
    ...["books", "money", "ship-next", "products", "content/menu", "notifications"],
    ...["settings/shipping", "settings/giving", "settings/keys", `orders/${orderId}?status=to_ship`],
    ...["drafts/new", "settings/shop?go-live"],
  ];
  for (const path of panelPages) {
    await page.goto(at(`/admin/${path}`));
    if (path === "drafts/new") await page.getByText("Subtotal", { exact: true }).waitFor();
    if (path.endsWith("?go-live")) await page.getByRole("link", { name: /^Next:/ }).waitFor();
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    await expectToFit(page);
  }
});

/** Whether the screenshot of the area has more than one color. */
async function hasSeveralColors(locator: Locator): Promise<boolean> {
  const { channels } = await sharp(await locator.screenshot()).stats();
  return channels.some(({ stdev }) => stdev > 10);
}

test("with forced colors, drawn controls and the focus ring stay visible", async () => {
  await withReviews(5);
  const { page } = await openShopper({ size: "phone" });
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(at(productPage));
  await takePicture(page, "forced-colors");
  const article = page.locator("article");
  for (const { viewport } of [sizes.desktop, sizes.phone]) {
    await page.setViewportSize(viewport);
    expect(await hasSeveralColors(page.getByRole("link", { name: "Palmira, home" }))).toBe(true);
    expect(await hasSeveralColors(article.getByRole("img", { name: /out of 5 stars/ }))).toBe(true);
    expect(await hasSeveralColors(article.getByRole("button", { name: "Increase quantity" }))).toBe(true);
  }
  const bars = await page.locator("#reviews ul[aria-label=Ratings] li > a > :nth-child(2)").all();
  expect(bars).toHaveLength(5);
  for (const bar of bars) expect(await hasSeveralColors(bar)).toBe(true);
  const buyButton = article.getByRole("button", { name: "Buy Now" });
  const readStyle = (name: "borderTopStyle" | "outlineStyle") =>
    buyButton.evaluate((button, property) => getComputedStyle(button)[property], name);
  expect(await readStyle("borderTopStyle")).toBe("solid");
  await article.getByRole("button", { name: "Add to Cart" }).focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  const ring = await page.evaluate(
    () => getComputedStyle(document.activeElement ?? document.body).outlineStyle,
  );
  expect(ring).toBe("solid");

  await page.getByRole("button", { name: "Write a Review" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Write a Review" });
  await dialog.getByRole("radio", { name: "4 Good" }).check();
  await takePicture(page, "forced-colors-dialog");
  const selectedPicture = await dialog.locator("label", { hasText: "Good" }).screenshot();
  await dialog.getByRole("radio", { name: "5 Excellent" }).check();
  expect((await dialog.locator("label", { hasText: "Good" }).screenshot()).equals(selectedPicture)).toBe(
    false,
  );
});

// Every page has a header, and some pages on phones have a bar at the bottom, which could cover the focused element.
describe.each([
  ["phone", ["Tab", "Shift+Tab"], ["/", productPage, "/cart"]],
  ["desktop", ["Shift+Tab"], [productPage, "/reviews"]],
] as const)("the keyboard's focus (%s)", (size, keys, paths) => {
  /** The focused element, and whether any of it is visible beside header and bar; null: nothing has the focus. */
  const readFocus = (page: Page) =>
    page.evaluate(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return null;
      const { left, top, width, height } = focused.getBoundingClientRect();
      const points = [0.1, 0.5, 0.9].flatMap((x) =>
        [0.1, 0.5, 0.9].map((y) => [left + width * x, top + height * y] as const),
      );
      const isVisible = points.some(([x, y]) => {
        const topElement = document.elementFromPoint(x, y);
        return topElement !== null && (focused.contains(topElement) || topElement.contains(focused));
      });
      return { element: focused.outerHTML.slice(0, 300), isVisible };
    });

  test("is never hidden by the header or the bar at the bottom, forward or backward", async () => {
    await withReviews(3);
    const { page } = await openShopper({ size });
    await fillCart(page);
    for (const path of paths) {
      await page.goto(at(path));
      await page.locator("h1").waitFor();
      for (const key of keys) {
        const stops = new Set<string>();
        for (let step = 0; step < 90; step += 1) {
          await page.keyboard.press(key);
          const stop = await readFocus(page);
          if (stop === null) break;
          // The page reacts a frame later, or after hydration, which may move the focus.
          if (!stop.isVisible) {
            await expect
              .poll(async () => (await readFocus(page))?.isVisible, {
                ...soon,
                message: `${key} on ${path}: ${stop.element}`,
              })
              .not.toBe(false);
          }
          stops.add(stop.element);
        }
        expect(stops.size, `${key} on ${path}`).toBeGreaterThan(10);
      }
    }
  });
});

test("the first tab stop is a link that skips the header", async () => {
  const { page } = await openShopper({ size: "phone" });
  await page.goto(at("/story"));
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
  expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await page.locator("main").evaluate((main) => main.contains(document.activeElement))).toBe(true);
});

test("the page's loading state is accessible", async () => {
  await withReviews(3);
  const { page } = await openShopper({ size: "phone" });
  const heldRequests: (() => void)[] = [];
  await page.route(/\.data(\?|$)/, async (route) => {
    await new Promise<void>((resolve) => {
      heldRequests.push(resolve);
    });
    await route.continue();
  });
  for (const [from, link, text] of [
    ["/story", "Palmira, home", "Loading product"],
    ["/story", "Pure Batana Oil", "Loading product"],
    ["/story", "Reviews", "Loading reviews"],
    ["/story", "My Orders", "Loading your orders"],
  ] as const) {
    await page.goto(at(from));
    // The footer's groups are folded on phones.
    await page.evaluate(() => {
      for (const group of document.querySelectorAll<HTMLDetailsElement>("footer details")) group.open = true;
    });
    await page.getByRole("link", { name: link, exact: true }).last().click();
    await page.getByText(text).waitFor();
    await look(page, `loading-${link.replaceAll(/\W+/g, "-")}`);
    // Two requests: a prefetch when the pointer came near, and the navigation.
    for (const release of heldRequests.splice(0)) release();
    await page.getByText(text).waitFor({ state: "detached" });
    expect(await page.locator("h1").count()).toBe(1);
  }
});

describe("page transitions", () => {
  /** Number of animated transitions between pages so far. */
  const fadeCount = (page: Page) => page.evaluate(() => Number(window.name));
  const countFades = (page: Page) =>
    page.addInitScript(() => {
      const start = document.startViewTransition.bind(document);
      document.startViewTransition = (...args) => {
        window.name = String(Number(window.name) + 1);
        return start(...args);
      };
    });

  test("fade from page to page if motion is allowed, even in quick succession", async () => {
    const { page } = await openShopper();
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await countFades(page);
    await page.goto(at("/"));
    const header = page.getByRole("navigation", { name: "Main" });
    await header.getByRole("link", { name: "Benefits" }).click();
    await page.getByRole("heading", { level: 1, name: "What one good oil can do" }).waitFor();
    expect(await fadeCount(page)).toBe(1);
    for (const name of ["How to Use", "Benefits", "How to Use"]) {
      await header.getByRole("link", { name }).click();
    }
    await page.getByRole("heading", { level: 1, name: "A few drops, warm hands" }).waitFor();
    expect(page.url()).toBe(at("/how-to-use"));
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "What one good oil can do" }).waitFor();
  });

  test("are not animated if the visitor prefers reduced motion", async () => {
    const { page } = await openShopper();
    await countFades(page);
    await page.goto(at("/"));
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Benefits" }).click();
    await page.getByRole("heading", { level: 1, name: "What one good oil can do" }).waitFor();
    expect(await fadeCount(page)).toBe(0);
    await page.goto(at(productPage));
    await page.locator("article").getByRole("button", { name: "Add to Cart" }).click();
    await page.getByText("Added to cart").first().waitFor();
    const movingProperties = await page.evaluate(() =>
      document
        .getAnimations()
        .filter((animation) => Number(animation.effect?.getComputedTiming().duration) > 1)
        .map((animation) => (animation instanceof CSSTransition ? animation.transitionProperty : "animation"))
        .filter((property) => !/color|opacity|shadow/.test(property)),
    );
    expect(movingProperties).toEqual([]);
  });
});

describe("a screen reader announces", () => {
  /** All announcements of live regions since the page was opened. */
  const readAnnouncements = (page: Page) =>
    page.evaluate(() => (window as unknown as { announcements: string[] }).announcements);
  const recordAnnouncements = (page: Page) =>
    page.addInitScript(() => {
      const announcements: string[] = [];
      Object.assign(window, { announcements });
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const element = target instanceof Element ? target : target.parentElement;
          const region = element?.closest("[role=status], [role=alert], [aria-live]");
          const text = region?.textContent?.trim();
          if (text) announcements.push(text);
        }
      }).observe(document, { childList: true, characterData: true, subtree: true });
    });

  test("the cart's content and total", async () => {
    const { page } = await openShopper();
    await fillCart(page);
    await recordAnnouncements(page);
    await page.goto(at("/cart"));
    await page.getByText("Add $20.05 more for free shipping").waitFor();
    await page.getByRole("button", { name: "Increase quantity" }).click();
    await expect.poll(() => readAnnouncements(page)).toContain("Cart, 2 items");
    await expect.poll(() => readAnnouncements(page)).toContain("Total $59.90");
    await expect.poll(() => readAnnouncements(page)).toContain("Free shipping on this order");
    await setPrice(3195);
    await page.getByRole("button", { name: "Refresh Prices" }).click();
    await expect.poll(() => readAnnouncements(page)).toContain("Total $63.90");
    await page.getByRole("button", { name: "Remove Pure Batana Oil" }).click();
    await expect.poll(() => readAnnouncements(page)).toContain("Pure Batana Oil removed.");
  });

  test("the new total after a change of country", async () => {
    const { page } = await openShopper();
    await fillCart(page, 2);
    await recordAnnouncements(page);
    await page.goto(at("/checkout"));
    await page.getByLabel("Country").selectOption("IE");
    await expect.poll(() => readAnnouncements(page)).toContain("Total $65.85");
  });
});
