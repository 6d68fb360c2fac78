import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { databaseUrlOf, startShop } from "../test/running-shop.ts";
import { look } from "./look.ts";
import { openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();

test("reviews that cannot be read are said to be, on pages that stand without them, and can be tried again", async () => {
  // A server of its own, started only now: one that has made a page before would go on showing that.
  const first = await startShop();
  onTestFinished(() => first.stop());
  const connectionString = databaseUrlOf(first.dataDir);
  const pool = new pg.Pool({ connectionString, max: 1 });
  onTestFinished(() => pool.end());
  await pool.query("alter table reviews rename to reviews_elsewhere");
  const shop = await startShop({ DATABASE_URL: connectionString });
  onTestFinished(() => shop.stop());

  const { page, expectComplaint } = await openShopper({ origins: [shop.url] });
  expectComplaint(/status of 500/);
  await page.clock.install();
  await page.goto(`${shop.url}/reviews`);
  await page.getByRole("heading", { name: "Error Loading Reviews" }).waitFor();
  await page.getByText("We couldn't load the reviews. Please try again later.").waitFor();
  await look(page, "reviews-unread");
  await page.getByRole("link", { name: "Return to Home" }).click();

  const section = page.locator("#reviews");
  await section.getByRole("heading", { name: "Unable to load reviews" }).waitFor();
  await section.getByText("This might be due to a network issue.").waitFor();
  await look(page, "home-reviews-unread");
  // Near the screen the list is asked for again: a first time, and three more a second, two and four later.
  let failures = 0;
  page.on("response", (answer) => {
    if (answer.url().includes("/api/reviews")) failures += 1;
  });
  await section.scrollIntoViewIfNeeded();
  const tries = async () => {
    await page.clock.runFor(500);
    return failures;
  };
  await expect.poll(tries, { interval: 10, timeout: 20_000 }).toBe(4);
  await pool.query("alter table reviews_elsewhere rename to reviews");
  await section.getByRole("button", { name: "Try Again" }).click();
  await section.getByText("Be the first to share your experience with the product!").waitFor();
});
