import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { reviewLinkToken } from "../server/orders/link-tokens.ts";
import { coveredByToast, expectToFitSmall, look, lookAtLayout } from "./look.ts";
import { buy } from "./owner.ts";
import { approvePhotos, shareDatabase, withReviews } from "./shop-database.ts";
import { shopHere } from "./shop-here.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();
shareDatabase();

const square = { create: { width: 500, height: 500, channels: 3, background: "#b5703a" } } as const;
const productPage = "/product/pure-batana-oil";
const comment = "Two drops are enough for my face in winter.";

const writeButton = (page: Page) => page.getByRole("button", { name: "Write a Review" }).first();
const dialog = (page: Page) => page.getByRole("dialog", { name: "Write a Review" });
const submitButton = (page: Page) => page.getByRole("button", { name: "Submit Review" });
const section = (page: Page) => page.locator("#reviews");
const cards = (page: Page) => page.locator("main li", { hasText: "Review no." });

/** Bodies of the reviews that the page sends. */
function recordSentReviews(page: Page): unknown[] {
  const sent: unknown[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname === "/api/reviews") {
      sent.push(request.postDataJSON());
    }
  });
  return sent;
}

async function fillReview(page: Page, text: string = comment): Promise<void> {
  await page.getByRole("radio", { name: "4 Good" }).check();
  await page.getByLabel("Your review").fill(text);
  await page.getByLabel("Your name").fill("Ada Maria Obi");
}

describe("writing a review", () => {
  test("sends the shop's first review once, shows it, and counts it everywhere on the page", async () => {
    await withReviews(0);
    const { page } = await openShopper({ size: "phone" });
    const sent = recordSentReviews(page);
    await page.goto(at(productPage));
    await page.getByText("Be the first to review this product").waitFor();
    await writeButton(page).click();
    await dialog(page).waitFor();
    await lookAtLayout(page, "review-dialog");
    await fillReview(page);
    await page.getByText(`${comment.length} / 500`).waitFor();
    const canSend = Promise.withResolvers<void>();
    await page.route("**/api/reviews", async (route) => {
      if (route.request().method() === "POST") await canSend.promise;
      await route.continue();
    });
    await submitButton(page).dblclick();
    // Text typed now would be lost with the dialog.
    await expect.poll(() => page.getByLabel("Your review").isDisabled()).toBe(true);
    canSend.resolve();
    await page.getByText("Review submitted").first().waitFor();
    await page.getByText("Thank you for your feedback!").first().waitFor();
    await dialog(page).waitFor({ state: "detached" });
    await section(page).getByRole("heading", { name: "Customer Reviews (1)" }).waitFor();
    await section(page).getByText("Ada Maria Obi").waitFor();
    await page.locator("article").getByRole("link", { name: "1 review" }).waitFor();
    expect(await section(page).getByText("Verified Buyer").count()).toBe(0);
    expect(sent).toEqual([
      {
        productId: 1,
        rating: 4,
        comment,
        customerName: "Ada Maria Obi",
        hair: null,
        skin: null,
        photos: [],
        website: "",
        token: null,
      },
    ]);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
  });

  test("summarizes problems, shows each at its field, and lets them be corrected there", async () => {
    await withReviews(0);
    const { page } = await openShopper();
    const sent = recordSentReviews(page);
    await page.goto(at("/"));
    await section(page).getByText("Be the first to share your experience with the product!").waitFor();
    await writeButton(page).click();
    await submitButton(page).click();
    const summary = dialog(page).getByRole("alert");
    await expect.poll(() => summary.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await dialog(page).getByText("Please select a rating").count()).toBe(2);
    expect(await dialog(page).getByText("Comment must be at least 10 characters").count()).toBe(2);
    await look(page, "review-errors");
    await expectToFitSmall(page);
    await summary.getByRole("link", { name: "Comment must be at least 10 characters" }).click();
    await page.keyboard.insertText("a".repeat(501));
    expect(await page.getByLabel("Your review").getAttribute("aria-invalid")).toBe("true");
    await dialog(page).getByText("Comment must be less than 500 characters").first().waitFor();
    await page.getByLabel("Your review").fill(comment);
    expect(await page.getByLabel("Your review").getAttribute("aria-invalid")).toBeNull();
    expect(sent).toEqual([]);
  });

  test("keeps a review that could not be sent when the dialog is closed or the page reloaded", async () => {
    await withReviews(1);
    const { page, expectComplaint } = await openShopper({ size: "phone" });
    expectComplaint(/status of 500/);
    await page.route("**/api/reviews", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 500, json: { success: false, error: "internal", message: "Sorry." } })
        : route.continue(),
    );
    await page.goto(at("/reviews"));
    await writeButton(page).click();
    await fillReview(page);
    await submitButton(page).click();
    await page.getByText("Error submitting review").first().waitFor();
    await page.getByText("Please try again later.").first().waitFor();
    await dialog(page).getByText("Your review was not sent.").waitFor();
    for (const width of [1360, 1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const parts = width < 1280 ? "[role=dialog] :is(button, input, textarea)" : "[role=dialog]";
      expect(await coveredByToast(page, parts), `${width} px`).toEqual([]);
    }
    await lookAtLayout(page, "review-failed");
    await expect.poll(() => page.getByLabel("Your review").inputValue()).toBe(comment);
    await page.getByRole("button", { name: "Dismiss" }).click();
    await dialog(page).waitFor();
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    await page.reload();
    await writeButton(page).click();
    await expect.poll(() => page.getByLabel("Your review").inputValue()).toBe(comment);
    expect(await page.getByRole("radio", { name: "4 Good" }).isChecked()).toBe(true);
    await page.unroute("**/api/reviews");
    await submitButton(page).click();
    await page.getByText(comment).waitFor();
    await page.reload();
    await writeButton(page).click();
    await dialog(page).getByText("You have reviewed this product before.").waitFor();
  });

  test("a second time edits the first review; the page of all reviews has a button for this at its end, too", async () => {
    await withReviews(30);
    const { page } = await openShopper();
    await page.goto(at("/reviews"));
    await writeButton(page).click();
    await fillReview(page);
    await submitButton(page).click();
    await page.getByText(comment).waitFor();
    await page.getByText("from 31 reviews").waitFor();
    await page.getByRole("button", { name: "Write a Review" }).last().click();
    await expect.poll(() => page.getByLabel("Your review").inputValue()).toBe(comment);
    await page.getByLabel("Your review").fill(`${comment} Still true.`);
    await submitButton(page).click();
    await page.getByText(`${comment} Still true.`).waitFor();
    await page.getByText("from 31 reviews").waitFor();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  });

  test("through an e-mailed link shows the badge in the dialog on any device, and removes the token from the URL", async () => {
    await withReviews(0);
    const buyer = await openShopper();
    const { orderId } = await buy(buyer.context.request);
    const secret = readFileSync(join(shopHere().dataDir, "session-secret"), "utf8").trim();
    const token = reviewLinkToken(secret, { order: { id: orderId, events: [] }, productId: 1 }, new Date());
    const { page } = await openShopper({ size: "phone" });
    const response = await page.goto(at(`${productPage}?review=${token}`));
    expect(response?.headers()).toMatchObject({
      "cache-control": "private, no-store",
      "referrer-policy": "no-referrer",
    });
    await dialog(page).getByText("Your review gets this badge").waitFor();
    await expect.poll(() => page.url()).toBe(at(productPage));
    await expect.poll(() => page.getByLabel("Your name").inputValue()).toBe("Ada O.");
    await lookAtLayout(page, "review-invited");
    await page.getByRole("radio", { name: "5 Excellent" }).check();
    await page.getByLabel("Your review").fill(comment);
    await page.reload();
    await writeButton(page).click();
    await dialog(page).getByText("Your review gets this badge").waitFor();
    await submitButton(page).click();
    await section(page).getByText("Verified Buyer").waitFor();
    await section(page).getByText("Ada O.").waitFor();
  });

  test("through an e-mailed link opens the dialog once, and returns the focus to its button", async () => {
    await withReviews(0);
    const { page } = await openShopper();
    // A link without proof also opens the dialog.
    await page.goto(at(`${productPage}?review=old`));
    await dialog(page).getByText("This link no longer shows that you bought the product.").waitFor();
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    await expect
      .poll(() => writeButton(page).evaluate((button) => button === document.activeElement))
      .toBe(true);
    await page.keyboard.press("Enter");
    await page.getByRole("radio", { name: "5 Excellent" }).check();
    await page.getByLabel("Your review").fill(comment);
    await submitButton(page).click();
    // After the first review the section is rendered anew.
    await section(page).getByText(comment).waitFor();
    await page.getByText("Review submitted").first().waitFor();
    expect(await dialog(page).count()).toBe(0);
  });
});

test("a product's page stays whole if the code that shows the visitor's own review cannot be loaded", async () => {
  const { page, expectComplaint } = await openShopper();
  expectComplaint(/ERR_FAILED/);
  await page.addInitScript(() => localStorage.setItem("reviewed", "1"));
  await page.route("**/own-review-*.js", (route) => route.abort());
  const failed = page.waitForEvent("requestfailed");
  await page.goto(at(productPage));
  await failed;
  await writeButton(page).click();
  await dialog(page).waitFor();
});

test("a photo added before the writer's earlier review has loaded stays in the form", async () => {
  await withReviews(0);
  const { page, context } = await openShopper();
  const earlier = { productId: 1, rating: 4, comment, customerName: "Ada Maria Obi" };
  expect((await context.request.post(at("/api/reviews"), { data: earlier })).ok()).toBe(true);
  const reading = Promise.withResolvers<Route>();
  await page.route("**/api/reviews/mine?*", reading.resolve);
  await page.goto(at(productPage));
  await writeButton(page).click();
  const read = await reading.promise;
  const photo = { name: "curls.png", mimeType: "image/png", buffer: await sharp(square).png().toBuffer() };
  const uploading = Promise.withResolvers<Route>();
  await page.route("**/api/reviews/photos", uploading.resolve);
  await page.getByLabel("Add photos").setInputFiles(photo);
  const upload = await uploading.promise;
  await read.continue();
  await dialog(page)
    .getByText("Sending this replaces your review")
    .or(dialog(page).getByText("Sending this replaces it"))
    .waitFor();
  await upload.continue();
  await dialog(page).getByText("Added").waitFor();
});

test("a photo is sent with the review, waits for the owner, and gets helpful votes", async () => {
  await withReviews(0);
  const { page } = await openShopper({ size: "phone" });
  await page.goto(at(productPage));
  await writeButton(page).click();
  await fillReview(page);
  await page.getByLabel("Your hair").selectOption("Curly");
  const photo = { name: "curls.png", mimeType: "image/png", buffer: await sharp(square).png().toBuffer() };
  await page.getByLabel("Add photos").setInputFiles(Array.from({ length: 5 }, () => photo));
  await dialog(page).getByText("Only 4 photos fit. 1 more was left out.").waitFor();
  await page.getByRole("button", { name: "Remove photo 4" }).click();
  await expect.poll(() => dialog(page).getByText("Added").count()).toBe(3);
  await look(page, "review-photos");
  await submitButton(page).click();
  const ownReview = section(page).getByRole("region", { name: "Review by you" });
  await ownReview.getByText("Your photos join it once we have had a look.").waitFor();
  await page.reload();
  await section(page).getByText("· Your review").waitFor();
  expect(await section(page).locator("li").getByRole("button", { name: "Helpful" }).count()).toBe(0);
  // A list that leaves it out has it above.
  await page.goto(at(`${productPage}?rating=1`));
  await ownReview.waitFor();

  await approvePhotos();
  const otherVisitor = await openShopper({ size: "phone" });
  await otherVisitor.page.goto(at(`${productPage}?hair=curly#reviews`));
  // Three photos make a strip above the reviews; full-screen, each shows who took it and what they wrote.
  const photoStrip = otherVisitor.page.getByRole("list", { name: "Photos from customers" });
  await photoStrip.getByRole("link", { name: "Photo 2 by Ada Maria Obi" }).click();
  const photoDialog = otherVisitor.page.getByRole("dialog", { name: "Photos from customers" });
  await photoDialog.getByText("Ada Maria Obi", { exact: true }).waitFor();
  await photoDialog.getByText(comment).waitFor();
  await otherVisitor.page.keyboard.press("Escape");
  await photoDialog.waitFor({ state: "detached" });
  const voteResponse = otherVisitor.page.waitForResponse(/\/helpful$/);
  await otherVisitor.page.getByRole("button", { name: "Helpful" }).click();
  await voteResponse;
  const votedButton = otherVisitor.page.getByRole("button", { name: "Helpful (1)" });
  await expect.poll(() => votedButton.getAttribute("aria-pressed")).toBe("true");
  await otherVisitor.page.reload();
  await expect.poll(() => votedButton.getAttribute("aria-pressed")).toBe("true");
  // Scrolled to the top, where the bottom bar does not cover the footer's links.
  await otherVisitor.page.evaluate(() => window.scrollTo(0, 0));
  await lookAtLayout(otherVisitor.page, "review-photo-shown");
});

describe("the list of reviews", () => {
  test("loads more reviews in place, and moves the focus to the first of them", async () => {
    await withReviews(60);
    const { page } = await openShopper({ size: "phone" });
    await page.goto(at("/reviews"));
    expect(await cards(page).count()).toBe(24);
    await page.getByRole("link", { name: "Load more" }).click();
    await expect.poll(() => cards(page).count()).toBe(48);
    const focused = page.locator(":focus");
    await expect.poll(() => focused.textContent()).toContain("Review no. 36 of this oil.");
    await page.getByRole("link", { name: "Load more" }).click();
    await expect.poll(() => cards(page).count()).toBe(60);
    expect(await page.getByRole("link", { name: "Load more" }).count()).toBe(0);
    // After a visit to a product's page, Back shows all loaded reviews again.
    await cards(page).last().getByRole("link", { name: "Pure Batana Oil" }).click();
    await page.getByRole("heading", { name: "Customer Reviews (60)" }).waitFor();
    await page.goBack();
    await expect.poll(() => cards(page).count()).toBe(60);
  });

  test("keeps the sort order and the star filter in the URL", async () => {
    await withReviews(60);
    const { page } = await openShopper();
    await page.goto(at("/reviews"));
    await page.getByText("Most helpful first").waitFor();
    await page.getByText("Filter", { exact: true }).click();
    await page.getByRole("link", { name: "Lowest" }).click();
    await expect.poll(() => page.url()).toBe(at("/reviews?sort=lowest"));
    await cards(page).first().getByText("Review no. 56 of this oil.").waitFor();
    await page.getByRole("link", { name: "5 stars 12 reviews" }).click();
    await expect.poll(() => page.url()).toBe(at("/reviews?sort=lowest&rating=5"));
    await page.getByText("12 reviews with 5 stars").waitFor();
    await expect.poll(() => cards(page).count()).toBe(12);
    await lookAtLayout(page, "reviews-filtered");
    await page.goBack();
    await expect.poll(() => cards(page).count()).toBe(24);
    await page.goto(at("/reviews?sort=by-moon&rating=9&cursor=x"));
    await cards(page).first().getByText("Review no. 60 of this oil.").waitFor();
  });

  test("lets only an admin delete a review, after a confirmation", async () => {
    await withReviews(3);
    const { page, context, expectComplaint } = await openShopper({ size: "phone" });
    expectComplaint(/status of 401/);
    await page.goto(at("/reviews"));
    expect(await page.getByRole("button", { name: /^Delete review/ }).count()).toBe(0);
    await page.goto(at("/admin"));
    await page.getByLabel("Access code").fill(shopHere().accessCode);
    await page.getByRole("button", { name: "Unlock" }).click();
    await page.getByText("Access Granted").first().waitFor();
    await page.goto(at("/reviews"));
    await page.getByRole("button", { name: "Delete review by Reviewer 2" }).click();
    await page.getByText("The review by Reviewer 2 will be removed").waitFor();
    await look(page, "review-delete");
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await cards(page).count()).toBe(3);
    await page.getByRole("button", { name: "Delete review by Reviewer 2" }).click();
    await page.getByRole("button", { name: "Delete review", exact: true }).click();
    await page.getByText("Your review has been successfully deleted.").first().waitFor();
    await expect.poll(() => cards(page).count()).toBe(2);
    await page.getByText("from 2 reviews").waitFor();
    // The session has ended in the meantime, in another tab.
    expect((await context.request.post(at("/api/admin/logout"), { data: {} })).ok()).toBe(true);
    await page.getByRole("button", { name: "Delete review by Reviewer 1" }).click();
    await page.getByRole("button", { name: "Delete review", exact: true }).click();
    await page.getByText("Failed to delete review. Please try again.").first().waitFor();
    expect(await cards(page).count()).toBe(2);
  });
});

test("a review is written with the keyboard alone", async () => {
  await withReviews(0);
  const { page } = await openShopper();
  await page.goto(at("/reviews"));
  await writeButton(page).focus();
  await page.keyboard.press("Enter");
  await dialog(page).waitFor();
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  expect(await page.getByRole("radio", { name: "4 Good" }).isChecked()).toBe(true);
  await page.keyboard.press("Tab");
  await page.keyboard.type(comment);
  // Past the photos, to the name.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText(comment).waitFor();
  await page.getByText("from 1 review").waitFor();
});
