import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { buy, openOwner, tabTo, waitForToast } from "./owner.ts";
import { setPrice, shareDatabase, withSecondProduct } from "./shop-database.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();
shareDatabase();

async function expectFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((focusable) => focusable === document.activeElement)).toBe(true);
}

test("after a slow page has loaded, the focus is on its heading and not on that of its skeleton", async () => {
  const { page } = await openShopper();
  await page.goto(at("/story"));
  const { promise: loading, resolve: finishLoading } = Promise.withResolvers<void>();
  await page.route("**/*.data*", async (route) => {
    await loading;
    await route.continue();
  });
  await page.getByRole("contentinfo").getByRole("link", { name: "Reviews" }).press("Enter");
  await page.getByText("Loading", { exact: false }).first().waitFor({ state: "attached" });
  finishLoading();
  await expectFocus(page.getByRole("heading", { level: 1, name: "Customer Reviews" }));
});

test("after a row, a result or a dialog disappears, the focus moves to a nearby field, button or heading", async () => {
  const { page } = await openOwner();
  await withSecondProduct();
  await page.goto(at("/admin/drafts/new"));
  await page.getByRole("button", { name: "Add a product" }).press("Enter");
  await expectFocus(page.getByRole("combobox", { name: "Product" }).last());
  await page.getByRole("button", { name: "Remove Small Batana Oil" }).press("Enter");
  await expectFocus(page.getByRole("combobox", { name: "Product" }).last());

  await page.goto(at("/admin/settings/keys/webhooks"));
  await page.getByRole("button", { name: "Create webhook" }).press("Enter");
  const form = page.getByRole("dialog", { name: "Create webhook" });
  await form.getByLabel("Address").fill("https://hooks.example.com/orders");
  await form.getByRole("checkbox", { name: /order\.paid/ }).press("Space");
  await form.getByLabel("Address").press("Enter");
  const secret = page.getByRole("dialog", { name: "The webhook’s secret" });
  await secret.getByRole("button", { name: "Done" }).press("Enter");
  await secret.waitFor({ state: "detached" });
  await expectFocus(page.getByRole("button", { name: "Create webhook" }));
  await page.getByRole("link", { name: "https://hooks.example.com/orders" }).press("Enter");
  await expectFocus(page.getByRole("heading", { name: "hooks.example.com" }));
  await page.getByRole("button", { name: "Remove" }).press("Enter");
  await page.getByRole("button", { name: "Remove webhook" }).press("Enter");
  await waitForToast(page, "Webhook removed");
  await expectFocus(page.getByRole("heading", { name: "Webhooks" }));

  await page.goto(at("/admin/import/discounts"));
  const file = page.getByLabel("Choose a CSV file");
  await file.focus();
  const buffer = Buffer.from("Code,Type,Value\nKEYS5,percent,5\n");
  await file.setInputFiles({ name: "codes.csv", mimeType: "text/csv", buffer });
  await page.getByRole("button", { name: "Import 1 row" }).waitFor();
  await expectFocus(page.getByLabel("Choose another file"));
  await page.getByRole("button", { name: "Import 1 row" }).press("Enter");
  await expectFocus(page.getByRole("heading", { level: 1 }));
  await page.getByRole("button", { name: "Undo this import" }).press("Enter");
  await page.getByRole("button", { name: "Undo import" }).press("Enter");
  await waitForToast(page, "Undone: 1 taken back");

  await page.goto(at("/admin/campaigns"));
  await page.getByRole("button", { name: "New newsletter" }).first().press("Enter");
  await expectFocus(page.getByRole("heading", { name: "New newsletter" }));
  await page.getByRole("button", { name: "Delete draft" }).press("Enter");
  await page.keyboard.press("Escape");
  await expectFocus(page.getByRole("button", { name: "Delete draft" }));
  await page.getByRole("button", { name: "Delete draft" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Delete draft" }).press("Enter");
  await waitForToast(page, "Draft deleted");
  await expectFocus(page.getByRole("heading", { name: "Marketing" }));

  // Once saved, the price is unchanged, which disables its button.
  await setPrice(2995);
  await page.goto(at("/admin/products/1?tab=price"));
  const price = page.getByLabel("New price (USD)");
  await price.fill("30.95");
  await page.getByRole("button", { name: "Update Price" }).press("Enter");
  await expectFocus(price);
});

test("after a dialog of an order’s page has changed the order, the focus is on the menu that opened it, also on a phone", async () => {
  const { page, context } = await openOwner({ size: "phone" });
  const { orderId } = await buy(context.request);
  await page.goto(at(`/admin/orders/${orderId}`));
  const menu = page.getByRole("button", { name: "More actions" });
  const dialog = page.getByRole("dialog");
  async function change(entry: string, confirm: string, toast: string, amount?: string) {
    await menu.press("Enter");
    await page.getByRole("button", { name: entry }).press("Enter");
    if (amount) await dialog.getByLabel("Amount (up to $35.90)").fill(amount);
    await dialog.getByRole("button", { name: confirm }).press("Enter");
    await waitForToast(page, toast);
    await dialog.waitFor({ state: "detached" });
    await expectFocus(menu);
  }
  await change("Refund this order", "Refund $10.00", "Refunded $10.00", "10");
  await change("Put on hold", "Put on hold", "is on hold");
  await change("Cancel this order", "Cancel and refund $25.90", "is cancelled");
  const { x, y } = (await menu.boundingBox()) ?? { x: -1, y: -1 };
  expect(x >= 0 && y >= 0 && y < 844).toBe(true);
});

test("a long dialog keeps its title and close button in view while its last field has the focus, on a phone", async () => {
  const { page, context } = await openOwner({ size: "phone" });
  const { orderId } = await buy(context.request);
  await page.goto(at(`/admin/orders/${orderId}`));
  await page.getByRole("button", { name: "More actions" }).press("Enter");
  await page.getByRole("button", { name: "Edit details" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").last().focus();
  const [sheet, ...inView] = await Promise.all(
    [dialog, dialog.getByRole("heading").first(), dialog.getByRole("button", { name: "Close" })].map(
      async (element) => (await element.boundingBox())?.y ?? -1,
    ),
  );
  for (const y of inView) expect(y).toBeGreaterThanOrEqual(sheet ?? 0);
});

test("a long dialog shows its first field when Tab returns to it from the last button, on a phone", async () => {
  const { page } = await openShopper({ size: "phone" });
  await page.goto(at("/product/pure-batana-oil"));
  await page.getByRole("button", { name: "Write a Review" }).first().press("Enter");
  const dialog = page.getByRole("dialog", { name: "Write a Review" });
  await dialog.getByLabel(/^Your skin/).focus();
  await tabTo(page, dialog.getByRole("button", { name: "Close" }));
  await tabTo(page, dialog.getByRole("radio").first());
});

test.each(["phone", "desktop"] as const)("Add to Cart is within eight tab stops on a %s", async (size) => {
  const { page } = await openShopper({ size });
  await page.goto(at("/product/pure-batana-oil"));
  const stops: (string | undefined)[] = [];
  while (stops.length < 8 && !stops.includes("Add to Cart")) {
    await page.keyboard.press("Tab");
    stops.push(await page.evaluate(() => document.activeElement?.textContent?.trim()));
  }
  expect(stops).toContain("Add to Cart");
});
