import { request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patienceMs } from "../test/patience.ts";
import { type CrawledPages, crawl } from "./crawler.ts";
import { look } from "./look.ts";
import { asOwner, buy, openOwner, type PaidOrder, waitForToast } from "./owner.ts";
import { clearPanel, failJob, fillStock, openIssue, shareDatabase } from "./shop-database.ts";
import { at, shareBrowser } from "./shopper.ts";

shareBrowser();
shareDatabase();

let shippedOrder: PaidOrder;
let unshippedOrder: PaidOrder;
let messageId: string;

beforeAll(async () => {
  // Earlier test files may have sold the units that the batch below needs.
  await fillStock();
  await asOwner("POST", "/api/notifications/sms-settings", { phoneNumber: "5125550143" });
  await asOwner("POST", "/api/admin/products/1/batches", {
    code: "L-2611",
    bestBefore: "2099-11-30",
    quantity: 100,
    fromUnbatched: false,
    note: "",
  });
  await asOwner("POST", "/api/admin/discounts", { code: "THANKS20", kind: "percent", value: 20 });
  await asOwner("POST", "/api/admin/discounts", { code: "FREESHIP", kind: "free_shipping", active: false });
  const buyer = await request.newContext();
  shippedOrder = await buy(buyer, { amount: 2991, discountCode: "THANKS20" });
  unshippedOrder = await buy(buyer, { email: "a.rather.long.name.of.a.buyer@mail.example.com" });
  const shippedPath = `/api/admin/orders/${shippedOrder.orderId}`;
  await asOwner("POST", `${shippedPath}/ship`, { carrier: "DHL", trackingNumber: "3318810025" });
  await asOwner("POST", `${shippedPath}/refund`, { amount: 1000, reason: "A dent in the box" });
  await asOwner("POST", `${shippedPath}/notes`, { text: "Likes to be called in the evening" });
  await buyer.post(at(`/api/orders/${shippedOrder.orderId}/return`), { data: { reason: "Not for my hair" } });
  await openIssue(unshippedOrder.orderId, "The bank asks for the money back: a dispute was opened.");
  await failJob("sync_refunds", { intentId: shippedOrder.intentId });
  await failJob("remind_of_cart", {});
  for (const rating of [5, 1]) {
    await buyer.post(at("/api/reviews"), {
      data: { productId: 1, rating, comment: `Worth ${rating} of 5 stars to me.`, customerName: "Ines" },
    });
  }
  for (const subject of ["wholesale", "order"]) {
    const sent = await buyer.post(at("/api/contact"), {
      data: { name: "Leah Cooper", email: "leah@example.com", subject, message: "Do you sell boxes of 12?" },
    });
    messageId = (await sent.json()).data.id;
  }
  await asOwner("POST", `/api/admin/messages/${messageId}/reply`, { text: "We do: write us how many." });
  const today = new Date().toISOString().slice(0, 10);
  await asOwner("POST", "/api/admin/money-checks", { from: today, to: today });
  await buyer.dispose();
});

// Later test files expect a shop without these entries.
afterAll(async () => {
  await asOwner("DELETE", "/api/notifications/sms-settings");
  await clearPanel();
});

test("a new batch and broken bottles are booked with reasons, and a batch's buyers can be listed", async () => {
  const { page } = await openOwner({ size: "phone" });
  await page.goto(at("/admin/products/1/stock"));
  await page.getByRole("button", { name: "Add batch" }).click();
  const dialog = page.getByRole("dialog", { name: "Add batch" });
  await dialog.getByLabel("Batch code").fill("L-2712");
  await dialog.getByLabel("Best before").fill("2099-12-31");
  await dialog.getByRole("textbox", { name: /^Units/ }).fill("24");
  await dialog.getByRole("button", { name: "Add batch" }).click();
  await waitForToast(page, "Batch added");
  await page.getByText("24 of 24").waitFor();

  await page.getByLabel("What happened").selectOption("Damaged");
  await page.getByLabel("Units that are gone").fill("3");
  await page.getByLabel("Batch", { exact: true }).selectOption("L-2712 (24 left)");
  await page.getByLabel("Note").fill("Dropped");
  await page.getByRole("button", { name: "Save change" }).click();
  await waitForToast(page, "Stock updated");
  await page.getByText("21 of 24").waitFor();
  await page.getByText("Dropped").waitFor();

  await page.getByRole("link", { name: /orders? with units of batch L-2611/ }).click();
  await page.getByRole("heading", { name: "Orders of batch L-2611" }).waitFor();
  for (const { number } of [shippedOrder, unshippedOrder])
    await page.getByRole("link", { name: `#${number}` }).waitFor();
});

/** Dialogs of the panel: page, button that opens it, the dialog's name, menu that contains the button. */
const dialogs = (): [path: string, button: string | RegExp, dialog: string | RegExp, menu?: string][] => [
  ["/admin#attention", "Mark as settled", "Is this settled?"],
  [`/admin/orders/${unshippedOrder.orderId}`, "Cancel this order", /^Cancel order/, "More actions"],
  [`/admin/orders/${shippedOrder.orderId}`, "Put units back", "Put units back on the shelf", "More actions"],
  [`/admin/orders/${shippedOrder.orderId}`, "Delete note", "Delete this note?"],
  ["/admin/products/1", "Hide", /^Hide Pure Batana Oil/, "More for Pure Batana Oil"],
  ["/admin/products/1/stock", "Add batch", "Add batch"],
  ["/admin/products/1/stock", "Edit batch L-2611", /L-2611/],
  ["/admin/reviews", /^Hide review/, "Hide this review?"],
  ["/admin/reviews", /^Reply to review/, "Reply to this review"],
  ["/admin/reviews", /^Delete review/, "Delete this review?"],
  [`/admin/messages/${messageId}`, "Delete", /^Delete M-/],
  ["/admin/notifications", "Remove number", "Stop texts about new orders?"],
  ["/admin/sessions", "End all other sessions", "End all other sessions?"],
  ["/admin/jobs", "Remove: Send a cart reminder", "Remove this job?"],
  ["/admin/people", "Invite someone", "Invite someone"],
  ["/admin/account", "Create my account", "Your account"],
];

describe("the panel", () => {
  const crawledPages: CrawledPages = new Map();

  // About seventy pages, each checked at both sizes.
  test("has working links, no errors and no accessibility problems", {
    timeout: 15 * patienceMs,
  }, async () => {
    const { page } = await openOwner({ size: "phone" });
    await crawl(page, ["/admin"], crawledPages, `owner`, "/admin");
    expect(crawledPages.size).toBeGreaterThan(20);
  });

  test("marks a pressed entry and tab immediately, however slowly their page loads", async () => {
    const { page } = await openOwner({ size: "phone" });
    await page.goto(at("/admin/orders"));
    const loaded = Promise.withResolvers<void>();
    await page.route("**/*.data*", async (route) => {
      await loaded.promise;
      await route.continue();
    });
    const current = (navigation: string) =>
      page.getByRole("navigation", { name: navigation }).locator("[aria-current=page]");
    await page.getByRole("link", { name: "Messages" }).click();
    await expect.poll(() => current("Admin sections").textContent()).toContain("Messages");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("View Orders");
    loaded.resolve();
    await page.getByRole("heading", { name: "Messages", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Sent", exact: true }).click();
    await expect.poll(() => current("Messages").textContent()).toBe("Sent");
  });

  test("keeps the current tab in view when the window gets narrower", async () => {
    const { page } = await openOwner();
    await page.goto(at("/admin/sessions"));
    await page.setViewportSize({ width: 390, height: 844 });
    const tab = page.getByRole("navigation", { name: "System" }).locator("[aria-current=page]");
    await expect
      .poll(async () => {
        const box = await tab.boundingBox();
        return box !== null && box.x >= 0 && box.x + box.width <= 390;
      })
      .toBe(true);
    expect(await tab.textContent()).toBe("Sessions");
  });

  test("has accessible dialogs", async () => {
    const { page } = await openOwner({ size: "phone" });
    let openPath = "";
    for (const [path, button, name, menu] of dialogs()) {
      if (path !== openPath) await page.goto(at(path));
      openPath = path;
      if (menu !== undefined) await page.getByRole("button", { name: menu }).click();
      await page.getByRole("button", { name: button }).first().click();
      const dialog = page.getByRole("dialog", { name }).last();
      await dialog.waitFor();
      await look(page, `owner-dialog-${String(button).replaceAll(/\W+/g, "-")}`);
      await page.keyboard.press("Escape");
      await expect.poll(() => page.getByRole("dialog", { name }).count()).toBe(0);
    }
  });
});
