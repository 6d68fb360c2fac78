import type { Page, Route } from "playwright-core";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import type { AdminProduct } from "../domain/catalog/product-admin.ts";
import type { AdminSettings } from "../domain/settings/settings-schema.ts";
import { soon } from "../test/patience.ts";
import { coveredByToast, expectToFit, lookAtLayout } from "./look.ts";
import { asOwner, buy, openOwner, waitForToast } from "./owner.ts";
import { shareDatabase, spoilSetting, withReviews } from "./shop-database.ts";
import { at, openShopper, sizes as screens, shareBrowser } from "./shopper.ts";
import { continueToPayment, fillCart, openCheckout, payWith, waitForThankYouPage } from "./steps.ts";

shareBrowser();
shareDatabase();

const productPage = "/product/pure-batana-oil";

/** The HTML of a page as any visitor gets it, possibly from the cache. */
const readPage = async (path: string) => (await fetch(at(path))).text();

/** Requests the pages twice, after which the shop caches them. */
async function cachePages(...paths: string[]): Promise<void> {
  for (const path of [...paths, ...paths]) await readPage(path);
}

test("a new price and a bundle soon appear on every cached page, and in the cart after a refresh", async () => {
  onTestFinished(async () => {
    await asOwner("PUT", "/api/products/1/price", { price: 2995 });
    await asOwner("DELETE", "/api/admin/products/1/bundles/2");
  });
  const { page: shopper } = await openShopper({ size: "phone" });
  await fillCart(shopper);
  await shopper.goto(at("/cart"));
  await cachePages(productPage, "/");

  const { page } = await openOwner({ size: "phone" });
  await page.goto(at("/admin/products"));
  const updateButton = page.getByRole("button", { name: "Update Price" });
  const price = page.getByLabel("New price (USD)");
  await expect.poll(() => updateButton.isDisabled()).toBe(true);
  // Anything but an amount in plain digits is refused, not rounded.
  for (const typed of ["", "30.999", "1e5", "-5"]) {
    await price.fill(typed);
    await expect.poll(() => updateButton.isDisabled()).toBe(true);
  }
  await page.getByText("Enter it without a minus sign").waitFor();
  // A price of zero has to be confirmed.
  await price.fill("0");
  await updateButton.click();
  const priceConfirmation = page.getByRole("dialog", {
    name: "Change Pure Batana Oil from $29.95 to $0.00?",
  });
  await priceConfirmation.getByRole("button", { name: "Cancel" }).click();
  await priceConfirmation.waitFor({ state: "hidden" });
  await price.fill("31.95");
  const saveResponse = page.waitForResponse((response) => response.request().method() === "PUT");
  await updateButton.click();
  expect((await saveResponse).status()).toBe(200);
  for (const path of [productPage, "/"]) {
    await expect.poll(() => readPage(path), soon).toContain("$31.95");
  }
  await waitForToast(page, "Product price updated successfully");
  await page.getByText("$31.95").first().waitFor();
  await expect.poll(() => updateButton.isDisabled()).toBe(true);

  await shopper.getByRole("button", { name: "Refresh Prices" }).click();
  await shopper.getByText("$37.90").first().waitFor();
  await shopper.goto(at(productPage));
  await shopper.getByText("$31.95").first().waitFor();

  // The shopper already has one bottle: with two more, a bundle and a single unit are charged.
  await page.goto(at("/admin/products/1?tab=sizes"));
  await page.getByLabel("Price of 2 (USD)").fill("30");
  await page.getByRole("button", { name: "Add Bundle" }).click();
  const confirmation = page.getByRole("dialog", { name: "Sell 2 for $30.00?" });
  await confirmation.getByText("less than half of the $63.90").waitFor();
  await confirmation.getByRole("button", { name: "Cancel" }).click();
  await page.getByLabel("Price of 2 (USD)").fill("60");
  await page.getByRole("button", { name: "Add Bundle" }).click();
  await waitForToast(page, "2 for $60.00 is on offer");
  await expect.poll(() => readPage(productPage), soon).toContain("$60.00");
  await shopper.reload();
  await shopper.getByRole("radio", { name: "2 bottles $60.00" }).check();
  // Forced colors drop the background and the shadow of a choice.
  await shopper.emulateMedia({ forcedColors: "active" });
  const bundles = shopper.locator("label:has([type=radio])");
  expect(
    await bundles.evaluateAll((all) => all.map((bundle) => getComputedStyle(bundle).borderTopWidth)),
  ).toEqual(["1px", "3px"]);
  // The price at the top of the page is that of the chosen bundle.
  await shopper.getByText("$60.002 bottles · Save $3.90").waitFor();
  await shopper.getByRole("button", { name: "Add to Cart" }).first().click();
  await shopper.goto(at("/cart"));
  await shopper.getByText("2 for $60.00, saving $3.90").first().waitFor();
  await shopper.getByText("$91.95").first().waitFor();
});

test("a size is added in the panel, moved first, and bought in the shop", async () => {
  const sizePath = "/product/pure-batana-oil-100-ml";
  onTestFinished(async () => {
    const { family } = await asOwner<AdminProduct>("PUT", "/api/products/1/price", { price: 2995 });
    for (const { id } of family?.sizes.filter((size) => size.id !== 1) ?? []) {
      await asOwner("PATCH", `/api/admin/products/${id}`, { published: false });
      await asOwner("DELETE", `/api/admin/products/${id}`);
    }
  });
  const { page, expectComplaint } = await openOwner({ size: "phone" });
  expectComplaint(/422 .*\/sizes/);
  await page.goto(at("/admin/products/1?tab=sizes"));
  await page.getByRole("button", { name: "Add a size" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a size of Pure Batana Oil" });
  await dialog.getByLabel("Size *").fill("2 fl oz / 60 ml");
  await dialog.getByLabel("Price (USD) *").fill("44.90");
  await dialog.getByLabel("Units in stock").fill("12");
  await dialog.getByText("Publish it at once").click();
  await dialog.getByRole("button", { name: "Add size" }).click();
  await dialog.getByText("This product already has this size").waitFor();
  await dialog.getByLabel("Size *").fill("100 ml");
  await dialog.getByRole("button", { name: "Add size" }).click();
  await waitForToast(page, "Pure Batana Oil, 100 ml added");
  await page.getByRole("button", { name: "Move 100 ml up" }).click();
  await waitForToast(page, "Order saved");
  await expect.poll(() => readPage("/"), soon).toContain(sizePath);

  const { page: shopper } = await openShopper({ size: "phone" });
  await shopper.goto(at(productPage));
  const responseReleased = Promise.withResolvers<void>();
  // Also holds the skeleton's code: after a fifth of a second it would replace the page, and its buttons.
  await shopper.route(/pure-batana-oil-100-ml\.data|\/page-skeleton-/, async (route) => {
    await responseReleased.promise;
    await route.continue();
  });
  const sizes = shopper.getByRole("navigation", { name: "Sizes" });
  await sizes.getByRole("link", { name: "100 ml $44.90" }).click();
  const chosenSize = sizes.locator("[aria-current=page]", { hasText: "100 ml" });
  await chosenSize.waitFor();
  await shopper.emulateMedia({ forcedColors: "active" });
  expect(await chosenSize.evaluate((link) => getComputedStyle(link).borderTopWidth)).toBe("3px");
  // Until the new size's page has loaded, the buttons would buy the old size, so they are disabled.
  await shopper.locator("article [inert]", { hasText: "Add to Cart" }).waitFor();
  responseReleased.resolve();
  await shopper.locator("article").getByRole("button", { name: "Add to Cart" }).click();
  await shopper.getByText("1 × Pure Batana Oil, 100 ml added to your cart").waitFor();

  // More sizes than fit beside each other scroll in their row, not with the page.
  for (const [size, stock] of [
    ["30 ml", 1],
    ["200 ml", 0],
  ])
    await asOwner("POST", "/api/admin/products/1/sizes", { size, price: 1790, stock, published: true });
  await expect.poll(() => readPage(productPage), soon).toContain("200 ml");
  await shopper.setViewportSize(screens.small.viewport);
  await shopper.goto(at(productPage));
  await expectToFit(shopper);
  const soldOut = sizes.getByRole("link", { name: "200 ml Sold out" });
  expect(await soldOut.evaluate((link) => getComputedStyle(link).borderTopStyle)).toBe("dashed");
});

test("the tabs of a product share one Save button and are kept in the URL, and a refused field opens its tab", async () => {
  onTestFinished(async () => {
    await asOwner("PATCH", "/api/admin/products/1", { scent: null, sku: null });
  });
  const { page, expectComplaint } = await openOwner({ size: "phone" });
  expectComplaint(/status of 422/);
  await page.goto(at("/admin/products/1"));
  const tabs = page.getByRole("navigation", { name: "Parts of the product" });
  const openTab = (name: string) => tabs.getByRole("link", { name }).click();
  await page.getByLabel("Scent").fill("Roasted");
  await tabs.getByRole("link", { name: /^Texts.*with unsaved changes/ }).waitFor();
  await openTab("Price and stock");
  await page.getByLabel("SKU", { exact: true }).fill("PBO-60");
  await page.getByText("2 changes").waitFor();
  // Save is the only filled button.
  await page.getByLabel("New price (USD)").fill("31.95");
  const updateButton = page.getByRole("button", { name: "Update Price" });
  const background = () => updateButton.evaluate((button) => getComputedStyle(button).backgroundColor);
  await expect.poll(background).toBe("rgba(0, 0, 0, 0)");
  await openTab("Search engines");
  await page.getByLabel("Bar code number").fill("123");
  await page.goBack();
  await page.getByLabel("SKU", { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe("?tab=price");
  await expect.poll(() => page.getByLabel("SKU", { exact: true }).inputValue()).toBe("PBO-60");

  await page.getByRole("button", { name: "Save", exact: true }).click();
  const refusedField = page.locator("#gtin:focus");
  await refusedField.waitFor();
  expect(new URL(page.url()).search).toBe("?tab=search");
  await refusedField.fill("");
  await page.keyboard.press("Enter");
  await waitForToast(page, "Product saved");
  const { data } = (await (await page.request.get(at("/api/admin/products/1"))).json()) as {
    data: AdminProduct;
  };
  expect(data).toMatchObject({ scent: "Roasted", sku: "PBO-60", price: 2995 });

  const pageHeight = async (path: string) => {
    await page.goto(at(path));
    return page.evaluate(() => document.documentElement.scrollHeight);
  };
  for (const tab of ["", "?tab=pictures", "?tab=price", "?tab=sizes", "?tab=search"]) {
    expect(await pageHeight(`/admin/products/1${tab}`), tab).toBeLessThan(2500);
  }
  // The menu's links are collapsed.
  expect(await pageHeight("/admin/content/menu")).toBeLessThan(2800);
});

test("a picture is checked, described, uploaded and moved first, and shoppers see it", async () => {
  const { page, expectComplaint } = await openOwner();
  expectComplaint(/status of 422/);
  await page.goto(at("/admin/products/1?tab=pictures"));
  const picture = await sharp({
    create: { width: 900, height: 900, channels: 3, background: "#7a5c3e" },
  })
    .jpeg()
    .toBuffer();
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"/>');
  await page.getByLabel("Choose pictures").setInputFiles([
    { name: "back.jpg", mimeType: "image/jpeg", buffer: picture },
    { name: "drawing.jpg", mimeType: "image/jpeg", buffer: drawing },
  ]);
  const uploadList = page.getByRole("list", { name: "Pictures to upload" });
  await page.getByRole("button", { name: "Upload 2 pictures" }).click();
  await uploadList.getByText("Say what is in the picture").first().waitFor();
  const altTextFields = uploadList.getByLabel("What is in the picture");
  expect(await altTextFields.first().evaluate((box) => box === document.activeElement)).toBe(true);
  await altTextFields.nth(0).fill("The back of the bottle");
  await altTextFields.nth(1).fill("A drawing");
  await page.getByRole("button", { name: "Upload 2 pictures" }).click();
  await uploadList.getByRole("alert").waitFor();
  expect(await uploadList.getByRole("listitem").count()).toBe(1);
  onTestFinished(async () => {
    const { data } = (await (await page.request.get(at("/api/admin/products/1"))).json()) as {
      data: AdminProduct;
    };
    for (const { id, alt } of data.images) {
      if (alt === "The back of the bottle") await asOwner("DELETE", `/api/admin/products/1/images/${id}`);
    }
  });

  await page.getByRole("button", { name: /^Move picture \d, The back of the bottle: arrow/ }).focus();
  await page.keyboard.press("Home");
  await page.getByRole("button", { name: "Move picture 1, The back of the bottle: arrow" }).waitFor();
  await expect.poll(() => page.getByText("Processing", { exact: true }).count()).toBe(0);

  await expect.poll(() => readPage(productPage), soon).toContain("The back of the bottle");
  const { page: shopper } = await openShopper({ size: "phone" });
  await shopper.goto(at(productPage));
  const galleryPicture = shopper.locator("article").getByRole("img", { name: "The back of the bottle" });
  await expect
    .poll(() => galleryPicture.evaluate((img) => (img as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
});

test("a review is hidden only with a reason, disappears from pages immediately, and is shown again with an answer", async () => {
  await withReviews(2);
  const comment = "Arrived with a loose cap and half of it gone.";
  const { page, expectComplaint } = await openOwner({ size: "phone" });
  expectComplaint(/status of 422/);
  await page.request.post(at("/api/reviews"), {
    data: { productId: 1, rating: 1, comment, customerName: "Ines" },
  });
  await cachePages(productPage, "/reviews");
  expect(await readPage(productPage)).toContain(comment);

  await page.goto(at("/admin/reviews"));
  await page.getByRole("button", { name: "Hide review by Ines" }).click();
  const dialog = page.getByRole("dialog", { name: "Hide this review?" });
  await dialog.getByRole("button", { name: "Hide review" }).click();
  await expect.poll(() => dialog.getByLabel("Reason").getAttribute("aria-invalid")).toBe("true");
  await dialog.getByLabel("Reason").fill("About another shop’s parcel");
  await dialog.getByRole("button", { name: "Hide review" }).click();
  await waitForToast(page, "Review hidden");
  for (const path of [productPage, "/reviews"]) {
    await expect.poll(() => readPage(path), soon).not.toContain(comment);
  }
  await page.getByText("Hidden because: About another shop’s parcel").waitFor();

  await page.getByRole("button", { name: "Reply to review by Ines" }).click();
  await page.getByLabel("Your reply").fill("A new bottle is on its way to you.");
  await page.getByRole("button", { name: "Save reply" }).click();
  await waitForToast(page, "Reply saved");
  await page.getByRole("button", { name: "Publish review by Ines" }).click();
  await waitForToast(page, "Review published");
  await expect.poll(() => readPage(productPage), soon).toContain("A new bottle is on its way to you.");

  await page.goto(at("/admin/activity"));
  await page
    .getByText(/^Hid a review/)
    .first()
    .waitFor();
});

/** Opens the filled-in checkout form and enters a discount code. */
async function tryCode(page: Page, code: string, email: string): Promise<void> {
  await openCheckout(page, 1, email);
  await page.getByRole("button", { name: "Add a discount code" }).first().click();
  await page.getByLabel("Discount code").first().fill(code);
  await page.keyboard.press("Enter");
}

test("a discount code is created, applied to a purchase, counted, and refused once it is off", async () => {
  const { page } = await openOwner();
  await page.goto(at("/admin/discounts"));
  await page.getByRole("link", { name: "New discount" }).click();
  const form = page.getByRole("dialog", { name: "New discount" });
  await form.getByLabel("Percent").fill("130");
  await form.getByRole("button", { name: "Create discount" }).click();
  await form.getByText("Please check these fields").waitFor();
  // Conditions are folded until they are wanted, or wrong.
  const minimum = form.getByLabel("Minimum number of items");
  expect(await minimum.isVisible()).toBe(false);
  const conditions = form.getByRole("heading", { name: "Conditions" });
  await conditions.click();
  await minimum.fill("-1");
  await conditions.click();
  await form.getByRole("button", { name: "Create discount" }).click();
  await minimum.waitFor();
  await minimum.fill("");
  await form.getByRole("textbox", { name: "Code" }).fill("welcome20");
  await form.getByLabel("Percent").fill("20");
  await form.getByRole("button", { name: "Create discount" }).click();
  await waitForToast(page, "WELCOME20 can be used now");
  await form.waitFor({ state: "detached" });

  const email = "saves@example.com";
  const { page: shopper } = await openShopper({ size: "phone" });
  await shopper.goto(at("/?utm_campaign=%00Spring"), { referer: "https://www.example.com/a?b=c" });
  await tryCode(shopper, "Welcome20", email);
  await shopper.getByRole("button", { name: "Remove discount code WELCOME20" }).first().waitFor();
  // $29.95 less 20%, and $5.95 to ship it.
  await shopper.getByRole("button", { name: "Continue to Payment • $29.91" }).waitFor();
  await continueToPayment(shopper);
  await payWith(shopper, "Succeeds");
  await waitForThankYouPage(shopper);

  await page.goto(at(`/admin/orders?q=${encodeURIComponent(email)}`));
  await page.locator("[data-order-link]").click();
  await page.getByRole("heading", { name: /^Order #/ }).waitFor();
  await page.getByText("Discount (WELCOME20)").waitFor();
  await page.getByText("−$5.99").waitFor();
  await page.getByText("Came from example.com (campaign spring)").waitFor();
  await page.goto(at("/admin/discounts"));
  const row = page.getByRole("row").filter({ hasText: "WELCOME20" });
  expect(await row.getByRole("cell").nth(2).textContent()).toContain("1");
  await row.getByRole("link", { name: "WELCOME20" }).click();
  await page.getByText(at("/?code=WELCOME20")).waitFor();
  const { page: invitedShopper } = await openShopper({ size: "phone" });
  await invitedShopper.goto(at("/?code=WELCOME20"));
  await expect.poll(() => invitedShopper.url()).toBe(at("/"));
  await fillCart(invitedShopper);
  await invitedShopper.goto(at("/cart"));
  await invitedShopper.getByText("Your code WELCOME20 is waiting for you at checkout.").waitFor();
  await invitedShopper.goto(at("/checkout"));
  await invitedShopper.getByRole("button", { name: "Remove discount code WELCOME20" }).first().click();
  await invitedShopper.reload();
  await invitedShopper.getByRole("button", { name: "Add a discount code" }).first().click();
  await invitedShopper.getByLabel("Discount code").first().fill("WELCOME20");
  await invitedShopper.keyboard.press("Enter");
  await invitedShopper.getByRole("button", { name: "Remove discount code WELCOME20" }).first().waitFor();

  // The code of the newest link or entry replaces the current one, unless it is refused.
  await asOwner("POST", "/api/admin/discounts", { code: "NEWER5", kind: "percent", value: 5 });
  const endsAt = "2026-01-02T00:00:00Z";
  await asOwner("POST", "/api/admin/discounts", { code: "PAST10", kind: "percent", value: 10, endsAt });
  await invitedShopper.goto(at("/cart?code=NEWER5"));
  await invitedShopper.getByText("Your code NEWER5 is waiting for you at checkout.").waitFor();
  await invitedShopper.goto(at("/checkout"));
  await invitedShopper.getByRole("button", { name: "Remove discount code NEWER5" }).first().waitFor();
  // The focus has not moved, so the page stays at its top.
  expect(await invitedShopper.evaluate(() => document.activeElement === document.body)).toBe(true);
  await invitedShopper.goto(at("/checkout?code=PAST10"));
  await invitedShopper.getByText("PAST10: This discount code was valid until").last().waitFor();
  await invitedShopper.getByRole("button", { name: "Remove discount code NEWER5" }).first().waitFor();

  await page.keyboard.press("Escape");
  await row.getByRole("switch", { name: "WELCOME20 can be used" }).click();
  await waitForToast(page, "WELCOME20 is off");

  const { page: lateShopper } = await openShopper();
  await tryCode(lateShopper, "WELCOME20", "late@example.com");
  await expect
    .poll(() => lateShopper.getByLabel("Discount code").first().getAttribute("aria-invalid"))
    .toBe("true");
  await lateShopper.getByRole("button", { name: "Continue to Payment • $35.90" }).waitFor();
});

test("changed settings of shipping and returns soon appear in the cart and on the pages that explain them", async () => {
  const { page } = await openOwner({ size: "phone" });
  const { data } = (await (await page.request.get(at("/api/admin/settings"))).json()) as {
    data: AdminSettings;
  };
  const { shipping, returns } = data;
  onTestFinished(async () => {
    await asOwner("PATCH", "/api/admin/settings", { shipping, returns });
  });
  await cachePages("/contact", "/shipping-policy");

  await page.goto(at("/admin/settings"));
  await page.getByLabel("Find a setting").fill("rates");
  await page.getByRole("link", { name: /^Shipping/ }).click();
  const section = page.locator("#shipping");
  const standard = section.getByRole("group", { name: "Standard", exact: true }).first();
  await standard.getByText("$5.95, free from $50.00, 3-5 days").click();
  await standard.getByLabel("Price").fill("6.45");
  await standard.getByLabel("Free from").fill("40");
  await standard.getByLabel("at most").fill("2");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Nothing was saved. Please check:").waitFor();
  await standard.getByText("Please check").click();
  await page.getByRole("link", { name: "Must not be less than the minimum" }).press("Enter");
  await standard.getByLabel("at most").fill("7");
  await section.getByLabel("Live rates at checkout").first().check();
  await section.getByText("takes 3-7 business days").waitFor();
  await page.getByRole("button", { name: "Save changes" }).click();
  await waitForToast(page, "Shipping saved");
  // This page once had all settings, and bookmarks may still lead here.
  await page.goto(at("/admin/settings#returns"));
  await page.locator("#returns").getByLabel("Returns window").fill("45");
  await page.getByRole("button", { name: "Save changes" }).click();
  await waitForToast(page, "Returns saved");

  for (const text of ["takes 3-7 business days", "45-day satisfaction guarantee"]) {
    await expect.poll(() => readPage("/contact"), soon).toContain(text);
  }
  await expect.poll(() => readPage("/shipping-policy"), soon).toContain("about $6.45");
  const { page: shopper } = await openShopper({ size: "phone" });
  await fillCart(shopper);
  await shopper.goto(at("/cart"));
  await shopper.getByText("Add $10.05 more for free shipping").waitFor();
  await shopper.getByText("$36.40").first().waitFor();
});

test("failures in the panel are reported with the specified texts, and entries are kept", async () => {
  const { page, expectComplaint } = await openOwner({ size: "phone" });
  expectComplaint(/status of 500/);
  const failingCalls = /\/admin\/(orders|products)\.data|\/price$|\/api\/notifications\//;
  const response = { success: false, error: "internal", message: "Something went wrong on our side." };
  const failCalls = () => page.route(failingCalls, (route) => route.fulfill({ status: 500, json: response }));
  const restoreCalls = () => page.unroute(failingCalls);
  const sections = page.getByRole("navigation", { name: "Admin sections" });

  await page.goto(at("/admin"));
  await failCalls();
  for (const [tab, text] of [
    ["Orders", "Failed to load Stripe orders"],
    ["Products", "Failed to load products"],
  ] as const) {
    await sections.getByRole("link", { name: tab }).click();
    await page.getByText(text).waitFor();
  }
  await restoreCalls();
  await page.getByRole("button", { name: "Retry" }).click();
  const price = page.getByLabel("New price (USD)");
  await price.fill("31.95");
  await failCalls();
  await page.getByRole("button", { name: "Update Price" }).click();
  await waitForToast(page, "Failed to update product price");
  await expect.poll(() => price.inputValue()).toBe("31.95");
  await restoreCalls();

  await page.goto(at("/admin/notifications"));
  const phone = page.getByLabel("Phone number");
  await phone.fill("512555014");
  for (const name of ["Save settings", "Send test message"]) {
    await expect.poll(() => page.getByRole("button", { name }).isDisabled()).toBe(true);
  }
  await phone.fill("(512) 555-0144");
  await failCalls();
  await page.getByRole("button", { name: "Save settings" }).click();
  await waitForToast(page, "Failed to update notification settings");
  await page.getByRole("button", { name: "Send test message" }).click();
  await waitForToast(
    page,
    "Failed to send test SMS notification. Please make sure your Twilio credentials are configured correctly.",
  );
  await expect.poll(() => phone.inputValue()).toBe("5125550144");
});

test("a donation is recorded and undone, and suspected messages are deleted together", async () => {
  const { page } = await openOwner({ size: "phone" });
  await page.goto(at("/admin/donations"));
  await page.getByRole("button", { name: "Record a donation" }).click();
  const dialog = page.getByRole("dialog", { name: "Record a donation" });
  await dialog.getByLabel("Amount (USD)").fill("99999");
  await dialog.getByLabel("Note").fill("Receipt 7");
  await dialog.getByText(/more than the \$[\d.,]+ still to be/).waitFor();
  await dialog.getByRole("button", { name: "Record $99,999.00 anyway" }).dblclick();
  await waitForToast(page, "Donation recorded");
  await page.getByText("Sent in advance").waitFor();
  await page.getByText("Receipt 7").waitFor();
  await page.getByRole("button", { name: /^Delete: / }).click();
  // Escape closes the dialog, not the toast.
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  await page.getByText("Donation recorded").first().waitFor();
  await page.getByRole("button", { name: /^Delete: / }).click();
  await page.getByRole("button", { name: "Delete donation" }).click();
  await waitForToast(page, "Donation deleted");
  await page.getByText("Nothing recorded yet").waitFor();

  for (const name of ["Robot One", "Robot Two"]) {
    const body = JSON.stringify({
      name,
      email: "r@example.com",
      subject: "other",
      message: "Buy",
      website: "x",
    });
    await fetch(at("/api/contact"), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
  }
  await page.goto(at("/admin/messages?show=suspicious&q=robot"));
  await page.getByLabel("Select all on this page").check();
  await page.getByText("2 messages selected").waitFor();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete 2 messages" }).click();
  await waitForToast(page, "2 messages deleted");
  await page.getByText("Nothing found").waitFor();
});

test("text that the owner types during a save stays in the form as an unsaved change", async () => {
  const { page } = await openOwner();
  const { data } = (await (await page.request.get(at("/api/admin/settings"))).json()) as {
    data: AdminSettings;
  };
  onTestFinished(async () => {
    await asOwner("PATCH", "/api/admin/products/1", { scent: null });
    await asOwner("PATCH", "/api/admin/settings", { returns: data.returns });
  });
  /** Presses Save, and types while the call is under way. */
  const typeDuringSave = async (path: string, save: string, type: () => Promise<void>) => {
    const saving = Promise.withResolvers<Route>();
    await page.route(`**${path}`, (route) =>
      route.request().method() === "PATCH" ? saving.resolve(route) : route.fallback(),
    );
    await page.getByRole("button", { name: save, exact: true }).click();
    const call = await saving.promise;
    await type();
    await call.continue();
    await page.unroute(`**${path}`);
  };
  await page.goto(at("/admin/products/1"));
  await page.getByLabel("Scent").fill("Roasted");
  await typeDuringSave("/api/admin/products/1", "Save", () => page.getByLabel("Scent").fill("Roasted nuts"));
  await waitForToast(page, "Product saved");
  for (const width of [1360, 1024, 800]) {
    await page.setViewportSize({ width, height: 900 });
    const covered = await coveredByToast(page, "button");
    expect(
      covered.filter((name) => ["Discard", "Save"].includes(name)),
      `${width} px`,
    ).toEqual([]);
  }
  expect(await page.getByLabel("Scent").inputValue()).toBe("Roasted nuts");
  await page.getByText("1 change").waitFor();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect.poll(() => page.getByLabel("Scent").inputValue()).toBe("Roasted");

  await page.goto(at("/admin/settings#returns"));
  const days = page.locator("#returns").getByLabel("Returns window");
  await days.fill("45");
  await typeDuringSave("/api/admin/settings", "Save changes", () => days.fill("50"));
  await waitForToast(page, "Returns saved");
  expect(await days.inputValue()).toBe("50");
  // The second save is not refused for the first one's change.
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Unsaved changes").waitFor({ state: "detached" });
  expect(await days.inputValue()).toBe("50");
});

test("a stored setting that cannot be read is repaired by saving the values shown", async () => {
  await spoilSetting("brandName");
  const { page } = await openOwner({ size: "phone" });
  await page.goto(at("/admin/settings/shop"));
  const section = page.getByRole("region", { name: "Shop", exact: true });
  const banner = section.getByText("The saved brand name can’t be read, so the default applies.");
  await banner.waitFor();
  await lookAtLayout(page, "settings-unreadable");
  await expect.poll(() => section.getByLabel("Brand name").inputValue()).toBe("Palmira");
  await page.getByRole("button", { name: "Save changes" }).click();
  await waitForToast(page, "Shop saved");
  await banner.waitFor({ state: "detached" });
});

test("an owner's day on the phone: open work, a parcel, an answer, a refund, a price, and a search", async () => {
  onTestFinished(async () => {
    await asOwner("PUT", "/api/products/1/price", { price: 2995 });
  });
  const { context } = await openShopper();
  const callersOrder = await buy(context.request, {
    email: "caller@example.com",
    quantity: 2,
    phone: "+15125550187",
  });
  await context.request.post(at("/api/contact"), {
    data: {
      name: "Cora Lane",
      email: "caller@example.com",
      subject: "order",
      message: "One bottle has a dent.",
    },
  });
  await asOwner("POST", "/api/admin/saved-replies", {
    title: "Dent",
    text: "Sorry about order {order number}.",
  });

  const { page } = await openOwner({ size: "phone" });
  await page.goto(at("/admin"));
  const toDo = page.getByRole("region", { name: "To do" });
  await toDo.getByRole("link", { name: /messages? to answer/ }).waitFor();
  await toDo.getByRole("link", { name: /orders? to ship/ }).click();
  const heading = page.getByRole("heading", { name: /^Order #/ });
  const oldestOrder = (await heading.textContent()) ?? "";
  for (const box of await page.getByRole("group", { name: "In this parcel" }).getByRole("checkbox").all())
    await box.check();
  await page.getByRole("button", { name: "Ship & next" }).click();
  await page.getByText(`${oldestOrder.trim()} is shipped`).first().waitFor();

  await page.goto(at("/admin/messages"));
  await page.getByRole("link", { name: /Unread: Cora Lane/ }).click();
  await page.getByRole("button", { name: "Reply by email" }).click();
  await page.getByRole("button", { name: "Saved replies" }).click();
  await page.getByRole("dialog", { name: "Saved replies" }).getByRole("button", { name: /^Dent/ }).click();
  const response = page.getByLabel("Answer to Cora Lane");
  await expect.poll(() => response.inputValue()).toBe(`Sorry about order #${callersOrder.number}.`);
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByRole("button", { name: "Reopen" }).waitFor();

  // Opens the sender's order from the message, and refunds one unit.
  await page.getByRole("link", { name: new RegExp(`#${callersOrder.number}`) }).click();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("button", { name: "Refund this order" }).click();
  const confirmation = page.getByRole("dialog", { name: `Refund order #${callersOrder.number}` });
  await confirmation.getByLabel("Pure Batana Oil").first().selectOption({ label: "1 of 2" });
  await confirmation.getByRole("button", { name: "Refund $29.95" }).click();
  await page.getByText("Refunded in part").first().waitFor();

  await page.getByRole("link", { name: "Products" }).click();
  await page.getByLabel("New price (USD)").first().fill("30.95");
  await page.getByRole("button", { name: "Update Price" }).first().click();
  await waitForToast(page, "Product price updated successfully");

  await page.getByRole("button", { name: /^Search/ }).click();
  // Pages are found by an owner's own words, too.
  await page.getByRole("combobox").fill("close shop");
  await page.getByRole("option", { name: /Working days/ }).waitFor();
  await page.getByRole("combobox").fill("chargeback");
  await page.getByRole("option", { name: "Disputed orders" }).waitFor();
  await page.getByRole("combobox").fill("512 555 0187");
  await page.getByRole("option", { name: new RegExp(`#${callersOrder.number}`) }).click();
  await page.getByRole("heading", { name: `Order #${callersOrder.number}` }).waitFor();
});

test("search keeps the text typed while it opens", async () => {
  const { page } = await openOwner();
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Once the page has requested the search's file, it also handles its keys.
  const fileRequested = new Promise<void>((resolve) => {
    void page.route(/\/palette-[^/]+\.js/, async (route) => {
      resolve();
      await gate;
      await route.continue();
    });
  });
  await page.goto(at("/admin/orders"));
  await fileRequested;
  await page.keyboard.press("Control+k");
  await page.keyboard.type("keyx");
  await page.keyboard.press("Backspace");
  release();
  // Typed while the field appears and gets the focus.
  await page.keyboard.type("s and connections", { delay: 10 });
  const field = page.getByRole("combobox", { name: "Search everything" });
  await expect.poll(() => field.inputValue()).toBe("keys and connections");
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });

  // Opened again, the field is empty, and has the focus before the first key.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("refund rules");
  await expect.poll(() => field.inputValue()).toBe("refund rules");
});

test("Shopify's product export is checked and imported on the phone, and the import is undone", async () => {
  const { page } = await openOwner({ size: "phone" });
  const file = [
    "Handle,Title,Body (HTML),Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price,Variant Barcode,Image Src,Status",
    "balm,Palm Balm,<p>Melts slowly.</p>,TRUE,Size,30 ml,BALM-30,12,14.00,,https://cdn.example/1.jpg,active",
    "balm,,,,,60 ml,BALM-60,5,24.00,,,",
    "cap,Cap,,TRUE,Title,Default Title,CAP,40,9.50,12345,,active",
  ].join("\n");
  await page.goto(at("/admin/products"));
  await page.getByRole("link", { name: "Import", exact: true }).click();
  await page.getByRole("heading", { name: "Import products" }).waitFor();
  const buffer = Buffer.from(file);
  await page
    .getByLabel("Choose a CSV file")
    .setInputFiles({ name: "products_export.csv", mimeType: "text/csv", buffer });
  const outcome = page.getByRole("status").filter({ hasText: "Shopify’s product export: 2 new, 1 refused." });
  await outcome.getByText("Refused rows are left out.").waitFor();
  await page.getByText("Bar code: The 8, 12, 13 or 14 digits").waitFor();
  await expectToFit(page);
  await page.getByRole("button", { name: "Import 2 rows" }).click();
  await page.getByText("can be undone until").waitFor();
  const fetchPageStatus = async () => (await fetch(at("/product/palm-balm"))).status;
  await expect.poll(fetchPageStatus, soon).toBe(200);
  await page.getByRole("button", { name: "Undo this import" }).click();
  await page.getByRole("button", { name: "Undo import" }).click();
  await page.getByText(", undone: 2 taken back").waitFor();
});

test("the menu’s links are folded, and moved by keys and by dragging", async () => {
  const { page } = await openOwner();
  await page.goto(at("/admin/content/menu"));
  const links = page.locator("main li[draggable]");
  const names = async () => (await links.allInnerTexts()).slice(0, 3).map((text) => text.split("\n")[0]);
  expect(await names()).toEqual(["Shop", "Benefits", "How to Use"]);
  const label = page.getByLabel(/link 2 of 3: label/);
  expect(await label.count()).toBe(0);
  const benefits = links.nth(1).getByRole("button", { name: /^Benefits/ });
  await benefits.press("Alt+ArrowUp");
  await expect.poll(names).toEqual(["Benefits", "Shop", "How to Use"]);
  await links.nth(2).dragTo(links.nth(0));
  await expect.poll(names).toEqual(["How to Use", "Benefits", "Shop"]);
  await links
    .nth(1)
    .getByRole("button", { name: /^Benefits/ })
    .click();
  await label.waitFor();
});

test("choosing a common mail provider fills in server, port and security", async () => {
  const { page } = await openOwner({ size: "phone" });
  await page.goto(at("/admin/settings/keys"));
  await page.getByRole("button", { name: "Enter keys of Mail server" }).click();
  const form = page.getByRole("dialog", { name: "Mail server" });
  await form.getByLabel("Mail provider").selectOption("Postmark");
  expect(await form.getByRole("textbox", { name: "Server" }).inputValue()).toBe("smtp.postmarkapp.com");
  expect(await form.getByLabel("Port").inputValue()).toBe("587");
});
