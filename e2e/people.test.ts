import { readFile } from "node:fs/promises";
import type { BrowserContext, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { monthRange, periodName } from "../domain/books/statement.ts";
import { patienceMs } from "../test/patience.ts";
import { unzip } from "../test/zip.ts";
import { expectToFitSmall, look, lookAtLayout } from "./look.ts";
import { asOwner, buy, openOwner } from "./owner.ts";
import { expireConfirmation, moveToLastMonth, shareDatabase } from "./shop-database.ts";
import { shopHere } from "./shop-here.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();
shareDatabase();

/** Adds a virtual authenticator, which creates passkeys and approves every request. */
async function withPasskeys(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page);
  onTestFinished(() => devtools.detach());
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test("an invited person joins by the link, adds a passkey, signs in with it, and has the role's rights", async () => {
  const { page: owner } = await openOwner();
  await owner.goto(at("/admin/people"));
  await owner.getByRole("button", { name: "Invite someone" }).click();
  const form = owner.getByRole("dialog", { name: "Invite someone" });
  await form.getByLabel("Name").fill("Pia Packer");
  await form.getByLabel("Email").fill("pia@example.com");
  await form.getByText("Packer", { exact: true }).click();
  await form.getByRole("button", { name: "Create link" }).click();
  const link = await owner.getByRole("textbox", { name: "Link" }).inputValue();
  await owner.getByRole("button", { name: "Done" }).click();
  await owner.getByText("pia@example.com").waitFor();
  await lookAtLayout(owner, "admin-people");

  const { page, context, expectComplaint } = await openShopper({ size: "phone" });
  expectComplaint(/status of 403/);
  await withPasskeys(context, page);
  await page.goto(link);
  await page.getByRole("button", { name: "Open the panel" }).click();
  await page.getByRole("heading", { name: "My account" }).waitFor();
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("not used yet").waitFor();
  await lookAtLayout(page, "admin-account");

  await page.getByRole("link", { name: "More" }).click();
  await page.getByRole("button", { name: "Log Out" }).click();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("heading", { name: "More" }).waitFor();
  await page.goto(at("/admin"));
  await page.getByRole("heading", { name: "View Orders" }).waitFor();
  await page.goto(at("/admin/people"));
  await page.getByText("This page is not for your role").waitFor();

  await buy((await openShopper()).context.request);
  await page.goto(at("/admin/ship-next"));
  // The first order to ship, which another test may have left.
  const heading = await page.getByRole("heading", { name: /^Order #\d+/ }).textContent();
  const number = /#(\d+)/.exec(heading ?? "")?.[1];
  const searchResult = await owner.context().request.get(at(`/api/orders?q=${number}`));
  const [{ orderId }] = (await searchResult.json()).data;
  await page.getByRole("button", { name: "Something is wrong" }).click();
  const problemDialog = page.getByRole("dialog", { name: `What is wrong with order #${number}?` });
  await problemDialog.getByLabel("An item is damaged").check();
  await problemDialog.getByLabel("What you saw").fill("The bottle leaks");
  await look(page, "admin-packing-problem");
  await expectToFitSmall(page);
  await problemDialog.getByRole("button", { name: "Put on hold and next" }).click();
  await page.getByText(`Order #${number} is on hold. The owner is notified.`).waitFor();
  await page.goto(at(`/admin/orders/${orderId}`));
  await page.getByText("Reason: An item is damaged: The bottle leaks").waitFor();
  expect(await page.getByRole("button", { name: /anyway|shipped|wrong|release|refund/i }).count()).toBe(0);

  // An open page of the panel would poll the API and be refused.
  await page.goto(at("/robots.txt"));
  await owner.goto(at("/admin/people"));
  await owner.getByRole("button", { name: "Change Pia Packer" }).click();
  await owner.getByRole("button", { name: "Deactivate" }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
  await owner.getByText("Deactivated", { exact: true }).waitFor();
});

test("a panel left open asks for code or passkey before downloads and changes, also by keyboard", async () => {
  const { page, context, expectComplaint } = await openOwner({ size: "phone" });
  const { request } = context;
  expectComplaint(/status of 403/);
  await withPasskeys(context, page);
  await buy(request);
  const readSessions = async () => (await (await request.get(at("/api/admin/sessions"))).json()).data;
  const [{ id }] = (await readSessions()).filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
  await asOwner("POST", "/api/admin/backups");
  const readBackupBytes = async () =>
    (await (await request.get(at("/api/admin/backups"))).json()).data.backups[0]?.bytes;
  await expect.poll(readBackupBytes, { timeout: patienceMs }).toBeGreaterThan(0);

  await expireConfirmation(id);
  const confirmation = page.getByRole("dialog", { name: "Is it still you?" });
  await page.goto(at("/admin/backups"));
  const downloadButton = page.getByRole("button", { name: /^Download the backup/ }).first();
  await downloadButton.focus();
  await page.keyboard.press("Enter");
  await confirmation.getByText("A backup is downloaded only after").waitFor();
  await look(page, "admin-confirm-download");
  await page.keyboard.press("Escape");
  await confirmation.waitFor({ state: "hidden" });
  await expect
    .poll(() => downloadButton.evaluate((element) => element === document.activeElement))
    .toBe(true);
  const enterCode = async () => {
    await confirmation.getByLabel("Access code").fill(shopHere().accessCode);
    await page.keyboard.press("Enter");
  };
  await page.keyboard.press("Enter");
  const download = page.waitForEvent("download");
  await enterCode();
  expect((await download).suggestedFilename()).toMatch(/^palmira-/);

  await expireConfirmation(id);
  await page.goto(at("/admin/account"));
  await page.getByRole("button", { name: "Create my account" }).click();
  const form = page.getByRole("dialog", { name: "Your account" });
  await form.getByLabel("Name").fill("Olu Owner");
  await form.getByLabel("Email").fill("olu@example.com");
  await page.keyboard.press("Enter");
  await enterCode();
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("not used yet").waitFor();

  await expireConfirmation(id);
  const customers = await (await request.get(at("/api/admin/customers"))).json();
  await page.goto(at(`/admin/customers/${customers.data[0].id}`));
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("button", { name: "Download the data" }).click();
  await confirmation.getByText("A customer’s data is downloaded only after").waitFor();
  await lookAtLayout(page, "admin-confirm-passkey");
  const customerDownload = page.waitForEvent("download");
  await confirmation.getByRole("button", { name: "Use your passkey" }).click();
  expect((await customerDownload).suggestedFilename()).toMatch(/^customer-/);

  // The access code can be used instead of the passkey.
  await expireConfirmation(id);
  await page.goto(at("/admin/account"));
  await page.getByRole("button", { name: /^Remove / }).click();
  await page.getByRole("button", { name: "Remove the last one" }).click();
  await confirmation.getByRole("button", { name: "Use the access code" }).click();
  await expect
    .poll(() =>
      confirmation.getByLabel("Access code").evaluate((element) => element === document.activeElement),
    )
    .toBe(true);
  await enterCode();
  await page.getByText("You have no passkey yet.").waitFor();
});

test("a packer opens the orders from a phone's menu, and sees state and place first, but no payments or internal ids", async () => {
  const { page, context } = await openShopper({ size: "phone" });
  const { orderId, number } = await buy(context.request);
  await asOwner("POST", `/api/admin/orders/${orderId}/ship`, {
    carrier: "DHL",
    trackingNumber: "3318810025",
  });
  const { link } = await asOwner<{ link: string }>("POST", "/api/admin/people", {
    name: "Pat Pack",
    email: "pat@example.com",
    role: "packer",
  });
  await page.goto(link);
  await page.getByRole("button", { name: "Open the panel" }).click();
  await page.getByRole("link", { name: "View Orders" }).click();
  await page.getByRole("link", { name: "On the way" }).click();
  const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: `order #${number}` }) });
  const topEdge = async (words: string) => (await row.getByText(words).boundingBox())?.y ?? 0;
  expect(await topEdge("Shipped")).toBeLessThan(await topEdge("1 × Pure Batana Oil"));
  const text = await row.textContent();
  expect(text).toContain("Austin, TX, United States");
  expect(text).not.toMatch(/Paid|…/);
  await page.getByLabel("Search orders").fill("nobody");
  await page.getByText("Search by name, phone, city, product, tracking or order number.").waitFor();
  expect(await page.getByRole("link", { name: "Search all orders" }).count()).toBe(0);
});

test("an accountant opens last month's books and a file of them, and finds no button that changes anything", async () => {
  const { page, context } = await openShopper();
  const { orderId } = await buy(context.request);
  await moveToLastMonth([orderId]);
  const { link } = await asOwner<{ link: string }>("POST", "/api/admin/people", {
    name: "Ann Count",
    email: "ann@example.com",
    role: "accountant",
  });
  await page.goto(link);
  await page.getByRole("button", { name: "Open the panel" }).click();
  await page.getByRole("link", { name: "Money" }).click();
  const lastMonth = monthRange(new Date().toISOString().slice(0, 10), -1);
  await page.getByRole("heading", { name: periodName(lastMonth), exact: true }).waitFor();
  await page.getByRole("table", { name: "How it adds up" }).getByText("$35.90").first().waitFor();
  await page.getByText("Single files").click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download Ledger as CSV" }).click();
  expect((await download).suggestedFilename()).toBe(`ledger-${lastMonth.from}-${lastMonth.to}.csv`);
  await page.goto(at("/admin/money"));
  expect(await page.getByRole("button", { name: /^Run/ }).count()).toBe(0);
  await page.goto(at(`/admin/orders/${orderId}`));
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("link", { name: "Receipt" }).waitFor();
  expect(await page.getByRole("button", { name: /refund|ship|cancel|hold|invoice|void/i }).count()).toBe(0);
});

test("the files of last month are two presses away from the overview, on a phone", async () => {
  const { request } = (await openShopper()).context;
  const { orderId } = await buy(request);
  await moveToLastMonth([orderId]);
  const { page } = await openOwner({ size: "phone" });
  await page.goto(at("/admin"));
  const lastMonth = monthRange(new Date().toISOString().slice(0, 10), -1);

  await page.getByRole("link", { name: /^For your accountant/ }).click();
  await page.getByRole("heading", { name: `${periodName(lastMonth)} for your accountant` }).waitFor();
  const downloadEvent = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download ZIP" }).click();

  const download = await downloadEvent;
  const days = `${lastMonth.from}-${lastMonth.to}`;
  expect(download.suggestedFilename()).toBe(`books-${days}.zip`);
  const files = unzip(await readFile(await download.path()));
  expect(files.get(`orders-${days}.csv`)?.toString()).toContain(orderId);
  const cover = files.get(`0-cover-page-${days}.html`)?.toString() ?? "";
  expect(cover).toContain("Total, equal to Received");
  expect(cover).not.toContain("differ");
});
