import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { lookAtLayout } from "./look.ts";
import { addReview, shareDatabase, withReviews, withSecondProduct } from "./shop-database.ts";
import { shopHere } from "./shop-here.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();
shareDatabase();

const productPage = "/product/pure-batana-oil";

/** Paths of the calls for lists of reviews, in the order in which the page makes them. */
function recordListRequests(page: Page): string[] {
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "GET" && /^\/api\/reviews(\/product\/\d+)?$/.test(pathname))
      requests.push(pathname);
  });
  return requests;
}

/** The event of a window that becomes visible again, which browsers without a screen never send. */
async function returnToTab(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
}

test("reviews are cached for five minutes, and loaded again when the shopper comes back later, on every page", async () => {
  const { page } = await openShopper();
  await page.clock.install();
  const requests = recordListRequests(page);
  for (const [path, selector] of [
    ["/", "#reviews"],
    [productPage, "#reviews"],
    ["/reviews", "main"],
  ] as const) {
    await withReviews(3);
    requests.length = 0;
    await page.goto(at(path), { waitUntil: "networkidle" });
    await page.locator(selector).scrollIntoViewIfNeeded();
    await addReview("Written while nobody looked at the page.");

    await page.clock.fastForward("04:50");
    await returnToTab(page);
    await page.clock.runFor(1000);
    expect(requests, path).toEqual([]);

    await page.clock.fastForward("00:15");
    await page.clock.runFor(1000);
    expect(requests, path).toEqual([]);
    await returnToTab(page);
    await page.getByText("Written while nobody looked at the page.").waitFor();
    expect(requests, path).toHaveLength(1);
  }
});

test("a list of reviews that fails to load is requested three more times, after one, two and four seconds, and stays visible", async () => {
  await withReviews(3);
  const { page, expectComplaint } = await openShopper();
  expectComplaint(/status of 500/);
  await page.clock.install();
  await page.goto(at("/reviews"), { waitUntil: "networkidle" });
  // Times of the requests by the page's clock.
  const requestTimes: number[] = [];
  await page.route("**/api/reviews?*", (route) => {
    requestTimes.push(Number(new URL(route.request().url()).searchParams.get("_t")));
    return route.fulfill({ status: 500, json: { success: false, error: "internal", message: "Sorry." } });
  });
  await page.clock.fastForward("06:00");
  await returnToTab(page);
  const countRequests = async () => {
    await page.clock.runFor(200);
    return requestTimes.length;
  };
  await expect.poll(countRequests, { interval: 10 }).toBe(4);
  const pauses = requestTimes.slice(1).map((time, index) => time - (requestTimes[index] ?? 0));
  for (const [index, pauseMs] of [1000, 2000, 4000].entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(pauseMs);
    // The measured times include that of the response.
    expect(pauses[index]).toBeLessThan(pauseMs + 1900);
  }
  await page.clock.runFor(60_000);
  expect(requestTimes).toHaveLength(4);
  expect(await page.locator("main li", { hasText: "Review no." }).count()).toBe(3);
});

test("on every page of reviews, a review that could not be deleted stays, and a toast reports the failure", async () => {
  await withReviews(2);
  const { page, expectComplaint } = await openShopper();
  expectComplaint(/status of 500/);
  await page.goto(at("/admin"));
  await page.getByLabel("Access code").fill(shopHere().accessCode);
  await page.getByRole("button", { name: "Unlock" }).click();
  await page.getByText("Access Granted").first().waitFor();
  await page.route("**/api/reviews/*", (route) =>
    route.request().method() === "DELETE"
      ? route.fulfill({ status: 500, json: { success: false, error: "internal", message: "Sorry." } })
      : route.continue(),
  );
  for (const [path, title] of [
    ["/", "Error"],
    [productPage, "Error"],
    ["/reviews", null],
  ] as const) {
    await page.goto(at(path));
    await page.getByRole("button", { name: "Delete review by Reviewer 2" }).click();
    await page.getByRole("button", { name: "Delete review", exact: true }).click();
    const toast = page.getByRole("region", { name: /Notifications/ }).getByRole("listitem");
    if (title !== null) await toast.getByText(title, { exact: true }).waitFor();
    await toast.getByText("Failed to delete review. Please try again.", { exact: true }).waitFor();
    expect(await page.getByText("Review no. 2 of this oil.").count()).toBe(1);
  }
});

describe("with several products", () => {
  /** The ids of products that reviews are sent for. */
  const recordReviewedIds = (page: Page): number[] => {
    const ids: number[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && new URL(request.url()).pathname === "/api/reviews") {
        ids.push(request.postDataJSON().productId);
      }
    });
    return ids;
  };
  const writeReview = async (page: Page, words: string) => {
    await page.getByRole("radio", { name: "5 Excellent" }).check();
    await page.getByLabel("Your review").fill(words);
    await page.getByRole("button", { name: "Submit Review" }).click();
    await page.getByText("Review submitted").first().waitFor();
  };

  test("the review dialog preselects the product of a product's page, and lets the writer choose one on the page of all reviews", async () => {
    await withReviews(0);
    const second = await withSecondProduct();
    const { page } = await openShopper({ size: "phone" });
    const ids = recordReviewedIds(page);
    await page.goto(at(`/product/${second.slug}`));
    await page.getByRole("button", { name: "Write a Review" }).first().click();
    expect(await page.getByRole("combobox", { name: "Product" }).count()).toBe(0);
    await writeReview(page, "A small bottle is all I need.");
    await page.getByText("A small bottle is all I need.").waitFor();

    await page.goto(at("/reviews"));
    await page.getByRole("button", { name: "Write a Review" }).first().click();
    await page.getByRole("combobox", { name: "Product" }).selectOption("Pure Batana Oil");
    await writeReview(page, "The large bottle lasts all winter.");
    await page.getByText("The large bottle lasts all winter.").waitFor();
    expect(ids).toEqual([second.id, 1]);

    await page.goto(at(productPage));
    await page.locator("#reviews").getByText("The large bottle lasts all winter.").waitFor();
    expect(await page.getByText("A small bottle is all I need.").count()).toBe(0);
  });
});

test("the review dialog is at the bottom of a phone's screen, in the middle elsewhere, and keeps the focus", async () => {
  await withReviews(0);
  const { page } = await openShopper({ size: "phone" });
  await page.goto(at("/reviews"));
  await lookAtLayout(page, "reviews-empty");
  await page.getByRole("button", { name: "Write a Review" }).click();
  const dialog = page.getByRole("dialog", { name: "Write a Review" });
  await dialog.waitFor();
  const dialogBox = () => dialog.evaluate((element) => element.getBoundingClientRect().toJSON());
  await expect.poll(dialogBox).toMatchObject({ left: 0, width: 390, bottom: 844 });
  for (const key of ["Tab", "Shift+Tab"]) {
    const stops = new Set<string>();
    for (let step = 0; step < 15; step += 1) {
      await page.keyboard.press(key);
      expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
      stops.add(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200) ?? ""));
    }
    expect(stops.size).toBeGreaterThan(4);
  }
  await page.setViewportSize({ width: 1360, height: 900 });
  const dialogCenter = async () => {
    const { left, right, top, bottom } = await dialogBox();
    return [Math.round((left + right) / 2), Math.round((top + bottom) / 2)];
  };
  await expect.poll(dialogCenter).toEqual([680, 450]);
});
