import type { Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { asOwner, buy, countTaps, openOwner, waitForToast } from "./owner.ts";
import { fillStock, shareDatabase } from "./shop-database.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";

// How many taps the daily tasks of the panel take on a phone, so that none becomes longer unnoticed.
shareBrowser();
shareDatabase();
beforeAll(() => fillStock());

/** The panel on a phone, at the address where the task starts. */
async function openPanelAt(path: string): Promise<Page> {
  const { page } = await openOwner({ size: "phone" });
  await page.goto(at(path));
  return page;
}

test("a return is approved, received and refunded in 4 taps on the order's page", async () => {
  const { request } = (await openShopper()).context;
  const { orderId, number } = await buy(request);
  await asOwner("POST", `/api/admin/orders/${orderId}/ship`, {
    carrier: "DHL",
    trackingNumber: "3318810025",
  });
  await request.post(at(`/api/orders/${orderId}/return`), { data: { reason: "Not for my hair" } });
  const page = await openPanelAt(`/admin/orders/${orderId}`);
  const phone = countTaps();
  await phone.fill(page.getByLabel("Answer to the customer"), "1 Main St, Austin");
  await phone.press(page.getByRole("button", { name: "Approve" }));
  await waitForToast(page, "Return approved");
  const received = page.getByRole("button", { name: "Return received, refund" });
  await expect.poll(() => received.evaluate((button) => button === document.activeElement)).toBe(true);
  await phone.press(received);
  const dialog = page.getByRole("dialog", { name: `Return of order #${number} received` });
  await phone.press(dialog.getByRole("button", { name: "Refund $29.95" }));
  await waitForToast(page, "Refunded $29.95");
  await page.getByText("Closed", { exact: true }).waitFor();
  await page.getByText("1 back in stock").waitFor();
  expect(phone.taps()).toBe(4);
});

test("the units of a received return go back into stock even if a lower amount is refunded", async () => {
  const { request } = (await openShopper()).context;
  const { orderId, number } = await buy(request);
  await asOwner("POST", `/api/admin/orders/${orderId}/ship`, { carrier: "DHL", trackingNumber: null });
  await request.post(at(`/api/orders/${orderId}/return`), { data: { reason: "Not for my hair" } });
  const page = await openPanelAt(`/admin/orders/${orderId}`);
  await page.getByRole("button", { name: "Return received, refund" }).click();
  const dialog = page.getByRole("dialog", { name: `Return of order #${number} received` });
  const units = dialog.getByRole("group", { name: "Units to refund" }).getByLabel("Pure Batana Oil");
  const shelf = dialog.getByRole("switch", { name: "Back on the shelf" });
  await dialog.getByLabel(/^Amount/).fill("20");
  // The switch does not change the amount.
  await shelf.click();
  await shelf.click();
  expect(await shelf.isChecked()).toBe(true);
  expect(await units.inputValue()).toBe("1");
  await dialog.getByRole("button", { name: "Refund $20.00" }).click();
  await waitForToast(page, "Refunded $20.00");
  await page.getByText("1 back in stock").waitFor();
});

test("a wrong address is reported in 3 taps while packing, and the next order is shown", async () => {
  await buy((await openShopper()).context.request);
  const page = await openPanelAt("/admin/ship-next");
  const [number] = (await page.getByRole("link", { name: /^Order #\d+/ }).textContent())?.match(/\d+/) ?? [];
  const phone = countTaps();
  await phone.press(page.getByRole("button", { name: "Something is wrong" }));
  await phone.press(page.getByRole("radio", { name: "The address is wrong" }));
  await phone.press(page.getByRole("button", { name: "Put on hold and next" }));
  await page.getByText(`Order #${number} is on hold, under Problems.`).waitFor();
  expect(phone.taps()).toBe(3);
});

test("a replacement is sent in 3 taps, and an exchange started in 4, on the order's page", async () => {
  const { request } = (await openShopper()).context;
  const lost = await buy(request);
  let page = await openPanelAt(`/admin/orders/${lost.orderId}`);
  let phone = countTaps();
  await phone.press(page.getByRole("button", { name: "More actions" }));
  await phone.press(page.getByRole("button", { name: "Send a replacement" }));
  await phone.press(page.getByRole("dialog").getByRole("button", { name: "Send a replacement" }));
  await page.getByText("A replacement was sent:").waitFor();
  expect(phone.taps()).toBe(3);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("button", { name: "Edit details" }).click();
  await page.getByText("keep their own details: also correct #").waitFor();

  const texts = {
    name: "Hair Butter, 4 oz",
    shortDescription: "For dry ends.",
    description: "For dry ends.",
  };
  const butter = { ...texts, size: "4 oz", price: 2450, stock: 5 };
  const { id } = await asOwner<{ id: number }>("POST", "/api/admin/products", butter);
  onTestFinished(() => asOwner("PATCH", `/api/admin/products/${id}`, { published: false }).then(() => {}));
  await asOwner("PATCH", `/api/admin/products/${id}`, { published: true });
  const exchanged = await buy(request);
  page = await openPanelAt(`/admin/orders/${exchanged.orderId}`);
  phone = countTaps();
  await phone.press(page.getByRole("button", { name: "More actions" }));
  await phone.press(page.getByRole("button", { name: "Exchange" }));
  const dialog = page.getByRole("dialog");
  // The name of a size contains the size.
  await dialog
    .getByRole("option", { name: "Hair Butter, 4 oz, $24.50", exact: true })
    .waitFor({ state: "attached" });
  await dialog.getByLabel("Product").selectOption({ index: 1 });
  await dialog.getByText("Nothing to pay").waitFor();
  await phone.press(dialog.getByRole("button", { name: "Exchange" }));
  await page.getByText("The new order ships once the return has arrived.").waitFor();
  // Choosing the product is the fourth tap.
  expect(phone.taps() + 1).toBe(4);
  await page.getByRole("button", { name: "Return received" }).click();
  await page.getByText("1 back in stock").waitFor();
});
