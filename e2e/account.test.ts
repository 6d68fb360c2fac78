import { json } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectToFitSmall, look, lookAtLayout } from "./look.ts";
import { linkInMail } from "./mail.ts";
import { buy } from "./owner.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();

async function requestDataLink(
  page: Page,
  button: "Get a copy" | "Delete my data",
  email: string,
): Promise<string> {
  await page.goto(at("/account"));
  await page.getByLabel("Email Address").fill(email);
  await page.getByRole("button", { name: button }).click();
  await page.getByText("Check your inbox.").waitFor();
  const linkText = button === "Get a copy" ? "Get my data" : "See what will be deleted";
  return linkInMail(email, linkText, "/account/data");
}

describe("the account page", () => {
  test("explains an empty account and links to the shop", async () => {
    const { page, expectComplaint } = await openShopper({ size: "phone" });
    await page.goto(at("/account"));
    await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
    expect(await page.getByRole("heading", { name: "Latest orders" }).count()).toBe(0);

    await page.getByLabel("Email Address").fill("ada at home");
    await page.getByRole("button", { name: "Get a copy" }).click();
    await expect.poll(() => page.getByLabel("Email Address").getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByLabel("Email Address").evaluate((box) => box === document.activeElement)).toBe(
      true,
    );
    await lookAtLayout(page, "account-invalid");

    expectComplaint(/status of 503/);
    await page.route("**/api/account/export", (route) =>
      route.fulfill({
        status: 503,
        json: { success: false, error: "unavailable", message: "Later, please." },
      }),
    );
    await page.getByLabel("Email Address").fill("ada@example.com");
    await page.getByRole("button", { name: "Get a copy" }).click();
    await page.getByText("Later, please.").waitFor();
    expect(await page.getByLabel("Email Address").inputValue()).toBe("ada@example.com");

    await page.getByRole("link", { name: /^My Orders See, change/ }).click();
    await page.getByRole("link", { name: "Back to Account" }).click();
    await page.getByRole("link", { name: /^Find my order/ }).click();
    await page.getByRole("button", { name: "Send me the link" }).waitFor();
  });

  test("shows the latest order and lets a copy of the data be downloaded once", async () => {
    const { page } = await openShopper();
    const email = "copy@example.com";
    const { number } = await buy(page.context().request, { email });
    await page.goto(at("/account"));
    await page.getByRole("heading", { name: `Order #${number}` }).waitFor();
    await page.getByText("1 Main St, Austin, TX 78701, United States").waitFor();
    expect(await page.getByLabel("Email Address").inputValue()).toBe(email);

    const link = await requestDataLink(page, "Get a copy", email);
    await lookAtLayout(page, "account-asked");
    await page.goto(link);
    await look(page, "data-export");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download my data" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("my-data.json");
    expect(await json(await file.createReadStream())).toMatchObject({
      version: 1,
      email,
      orders: [{ number }],
    });
    await page.getByText("Your download has started.").waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("has started");
    await lookAtLayout(page, "data-exported");

    await page.goto(link);
    await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  });

  test("deletes the data after confirmation, and lists what is kept for now", async () => {
    const { page } = await openShopper({ size: "phone" });
    const email = "a.rather.long.name.of.a.buyer.of.oil@a-long-host-name.mail.example.com";
    const { number } = await buy(page.context().request, { email });
    await page.goto(await requestDataLink(page, "Delete my data", email));
    await look(page, "data-deletion");
    await expectToFitSmall(page);
    await page.getByRole("button", { name: "Delete my data" }).click();
    await page.getByText("Please confirm that you want your data deleted").waitFor();
    await lookAtLayout(page, "data-deletion-unconfirmed");
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Delete my data" }).click();
    await page.getByRole("heading", { name: "Your data is being deleted" }).waitFor();
    await page.getByText(`Order #${number}, because it has not been sent yet.`).waitFor();
    await lookAtLayout(page, "data-deleted");
    // The order's data is needed until the order has ended, and it still belongs to this browser.
    await page.goto(at("/orders"));
    await page.getByRole("heading", { name: `Order #${number}` }).waitFor();
  });
});

test("a mistyped address can be corrected after the link was requested, and the focus stays", async () => {
  const { page } = await openShopper({ size: "phone" });
  await page.goto(at("/orders"));
  await page.getByLabel("Email Address").fill("ada@exampel.com");
  await page.keyboard.press("Enter");
  await page.getByText("Check your inbox.").waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toContain("Check your inbox.");
  await page.evaluate(() => window.scrollTo(0, 0));
  await lookAtLayout(page, "orders-link-sent-phone");
  await page.getByRole("link", { name: "try another address" }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("find-email");
  await page.keyboard.type("ada@example.com");
  await page.keyboard.press("Enter");
  await page.getByText("Check your inbox.").waitFor();
});
