import { afterAll, beforeAll, expect, test } from "vitest";
import { openBucketServer } from "../test/bucket-server.ts";
import { easypostKey, type FakeCarrier, startFakeEasyPost } from "../test/fake-carriers.ts";
import { startWebhookReceiver } from "../test/webhook-receiver.ts";
import { expectToFit, look, lookAtLayout } from "./look.ts";
import { asOwner, buy, countTaps, openOwner, waitForToast } from "./owner.ts";
import { insertPaidOrders, shareDatabase } from "./shop-database.ts";
import { openOwnShop } from "./shop-here.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";

let easypost: FakeCarrier;
beforeAll(async () => {
  easypost = await startFakeEasyPost();
});
afterAll(() => easypost.close());

shareBrowser();
openOwnShop(() => ({ EASYPOST_API_BASE: easypost.url, WEBHOOK_ALLOW_LOCAL: "1" }));
shareDatabase();

type JobResponse = { pdfUrl: string; rows: { number: number; ok: boolean; problem?: string }[] };

test("twenty orders get their labels on a phone in four taps, one on hold is listed as not bought, and the labels are printed as one PDF", async () => {
  const [orderOnHold] = await insertPaidOrders(21);
  const { page, context } = await openOwner({ size: "phone" });
  await page.goto(at("/admin/orders?status=to_ship"));
  // The order is put on hold while the list is open.
  await asOwner("POST", `/api/admin/orders/${orderOnHold?.id}/hold`, {
    held: true,
    reason: "Asked the buyer",
  });
  const phone = countTaps();
  const startedAt = Date.now();
  await phone.press(page.getByRole("checkbox", { name: "Select all on this page" }));
  await phone.press(page.getByRole("button", { name: "Buy labels" }));
  const dialog = page.getByRole("dialog", { name: "Buy labels" });
  const jobResponse = page.waitForResponse(async (response) => {
    if (!response.url().includes("/api/admin/labels/jobs/")) return false;
    return (await response.json()).data.status === "done";
  });
  await phone.press(dialog.getByRole("button", { name: "Buy 21 labels" }));
  const { rows, pdfUrl } = (await (await jobResponse).json()).data as JobResponse;
  await dialog.getByText("Done: 20 of 21 bought, 1 failed.").waitFor();
  await phone.press(dialog.getByRole("link", { name: "Print 20 labels" }));
  // Measures the packer's taps, and the time until the labels are ready.
  expect([phone.taps(), Date.now() - startedAt < 60_000]).toEqual([4, true]);
  expect(rows.filter(({ ok }) => ok)).toHaveLength(20);
  const notBought = dialog.getByRole("region", { name: "Not bought" });
  expect(await notBought.textContent()).toContain("on hold");
  await expectToFit(page);
  const pdf = await (await context.request.get(at(pdfUrl))).body();
  expect(pdf.toString("latin1").match(/\/Type \/Page\b/g)).toHaveLength(20);
  await lookAtLayout(page, "admin-labels-bought");
  await asOwner("POST", `/api/admin/orders/${orderOnHold?.id}/hold`, { held: false });
  await dialog.getByRole("button", { name: "Try 1 again" }).click();
  await dialog.getByText("Done: 21 of 21 bought.").waitFor();
});

test("an EasyPost key is entered on a phone; the carriers' different spelling of an address is shown beside the buyer's, and adopted", async () => {
  const [paidOrder] = await insertPaidOrders(1);
  const { page, expectComplaint } = await openOwner({ size: "phone" });
  await page.goto(at("/admin/settings/keys"));
  await page.getByRole("button", { name: "Enter keys of EasyPost" }).click();
  const keyDialog = page.getByRole("dialog", { name: "Key of EasyPost" });
  await keyDialog.getByLabel("API key").fill(easypostKey);
  await keyDialog.getByRole("button", { name: "Test and save" }).click();
  await waitForToast(page, "EasyPost’s key saved");
  await page.getByRole("region", { name: "EasyPost" }).getByText("Test mode").waitFor();

  easypost.addresses = ["correct"];
  await page.goto(at(`/admin/orders/${paidOrder?.id}`));
  await page.getByRole("button", { name: "Buy label" }).click();
  const dialog = page.getByRole("dialog", { name: /^Label for order/ });
  const addressRegion = dialog.getByRole("region", { name: "Address" });
  await addressRegion.getByText("417 Main St").waitFor();
  expect(await addressRegion.textContent()).toContain("1 Main St");
  await lookAtLayout(page, "admin-label-address");
  await addressRegion.getByRole("button", { name: "Use the carriers’ address" }).click();
  await waitForToast(page, "Address corrected");
  await addressRegion.waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Buy label, $5.93" }).click();
  await waitForToast(page, /^Label of order #\d+ bought$/);
  expect(easypost.shipmentRequests.at(-1)).toMatchObject({
    to_address: { street1: "417 Main St", zip: "78701-4101" },
  });

  // A carrier that does not accept the key decides nothing.
  easypost.refusesKey = true;
  expectComplaint(/status of 502/);
  await page.getByRole("button", { name: "Void" }).click();
  const voidDialog = page.getByRole("dialog", { name: "Void this label?" });
  await voidDialog.getByRole("button", { name: "Void label" }).click();
  await voidDialog.getByText("The carrier has not answered yet.").waitFor();
  await voidDialog.getByRole("button", { name: "Keep it" }).click();
  await page.reload();
  await page.getByRole("button", { name: "Count as void" }).click();
  const question = page.getByRole("dialog", { name: "Count this label as void?" });
  await question.getByText("you pay for both ($5.93 for this one)").waitFor();
  await lookAtLayout(page, "admin-label-count-as-void");
  await question.getByRole("button", { name: "Count as void" }).click();
  await waitForToast(page, "The label counts as void");
  await page.getByRole("button", { name: "Buy label" }).waitFor();
  easypost.refusesKey = false;
});

test("rates that arrive after the address was corrected do not replace the newer ones", async () => {
  const [paidOrder] = await insertPaidOrders(1);
  const { page } = await openOwner({ size: "phone" });
  easypost.addresses = ["correct"];
  let requests = 0;
  let releaseFirst = () => {};
  const newerShown = new Promise<void>((resolve) => {
    releaseFirst = resolve;
  });
  const outdated = { rateId: "old", carrier: "USPS", service: "Outdated", arrivesOn: null, amount: 1 };
  await page.route("**/label-rates", async (route) => {
    requests += 1;
    if (requests > 1) return route.continue();
    await newerShown;
    await route.fulfill({ json: { success: true, data: [outdated] } });
  });
  await page.goto(at(`/admin/orders/${paidOrder?.id}`));
  await page.getByRole("button", { name: "Buy label" }).click();
  await page.getByRole("button", { name: "Use the carriers’ address" }).click();
  const buy = page.getByRole("button", { name: "Buy label, $5.93" });
  await buy.waitFor();
  releaseFirst();
  await page.waitForTimeout(300);
  expect(await page.getByText("Outdated").count()).toBe(0);
  expect(await buy.count()).toBe(1);
});

test("a bulk purchase of labels whose session has ended asks for a sign-in once, and stops polling if that is declined", async () => {
  await insertPaidOrders(1);
  const { page, expectComplaint } = await openOwner({ size: "phone" });
  expectComplaint(/status of 401/);
  let requests = 0;
  await page.route("**/api/admin/labels/jobs/*", (route) => {
    requests += 1;
    const message = "Sign in again.";
    return route.fulfill({ status: 401, json: { success: false, error: "unauthorized", message } });
  });
  await page.goto(at("/admin/orders?status=to_ship"));
  await page.getByRole("checkbox", { name: "Select all on this page" }).click();
  await page.getByRole("button", { name: "Buy labels" }).click();
  const dialog = page.getByRole("dialog", { name: "Buy labels" });
  await dialog.getByRole("button", { name: /^Buy \d+ labels?$/ }).click();
  const question = page.getByRole("dialog", { name: "The panel has locked itself" });
  await question.waitFor();
  await page.keyboard.press("Escape");
  await dialog.getByText("The progress can’t be shown.").waitFor();
  await page.waitForTimeout(2_500);
  expect(requests).toBe(1);
});

test("the carriers' spelling of an address does not replace one that was entered in the meantime", async () => {
  const [paidOrder] = await insertPaidOrders(1);
  const { page, context } = await openOwner({ size: "phone" });
  const orderPath = at(`/api/admin/orders/${paidOrder?.id}`);
  easypost.addresses = ["correct", "correct"];
  await page.goto(at(`/admin/orders/${paidOrder?.id}`));
  await page.getByRole("button", { name: "Buy label" }).click();
  const adopt = page.getByRole("button", { name: "Use the carriers’ address" });
  await adopt.waitFor();
  const { contactVersion, customerName, email, phone, shipping } = (
    await (await context.request.get(orderPath)).json()
  ).data;
  await asOwner("PATCH", `/api/admin/orders/${paidOrder?.id}/contact`, {
    version: contactVersion,
    customerName,
    email,
    phone: phone ?? "",
    shipping: { ...shipping, line1: "9 Elm St" },
  });
  await adopt.click();
  await waitForToast(page, "The address has just been changed");
  await page.getByRole("region", { name: "Address" }).getByText("9 Elm St").first().waitFor();
  const order = (await (await context.request.get(orderPath)).json()).data;
  expect(order.shipping.line1).toBe("9 Elm St");
});

test("tracking numbers are pasted on a phone; each refused row gives its reason before the others are booked", async () => {
  const [first, second] = (await insertPaidOrders(2)).map(({ number }) => number);
  const { page } = await openOwner({ size: "phone" });
  await page.goto(at("/admin/orders?status=to_ship"));
  await page.getByRole("button", { name: "Import tracking numbers" }).click();
  const dialog = page.getByRole("dialog", { name: "Import tracking numbers" });
  await dialog
    .getByLabel("List")
    .fill(`${first}, 1Z5R89390357567127\n${second}, 9400111201080805483016\n9999999, 12345678`);
  await dialog.getByRole("button", { name: "Check" }).click();
  await dialog.getByText("2 of 3 rows are ready.").waitFor();
  await dialog.getByText("There is no order 9999999.").waitFor();
  await lookAtLayout(page, "admin-tracking-import");
  await dialog.getByRole("button", { name: "Ship 2 orders" }).click();
  await waitForToast(page, "2 orders are shipped");
});

test("a warehouse gets a key and a webhook on a phone, is notified of a paid order, ships it, and is refused after its key is revoked", async () => {
  const receiver = await startWebhookReceiver();
  const { page } = await openOwner({ size: "phone" });
  await page.goto(at("/admin/settings/keys/api"));
  await page.getByRole("button", { name: "Create key" }).click();
  const keyForm = page.getByRole("dialog", { name: "Create API key" });
  await keyForm.getByLabel("Name").fill("Northern Warehouse");
  // The role with the fewest rights is chosen at first.
  expect(await keyForm.getByRole("radio", { name: "Packer" }).isChecked()).toBe(true);
  await keyForm.getByRole("button", { name: "Create key" }).click();
  const newKey = page.getByRole("dialog", { name: "The key “Northern Warehouse”" });
  const key = await newKey.getByLabel("API key").inputValue();
  await newKey.getByRole("button", { name: "Done" }).click();
  await expectToFit(page);

  await page.goto(at("/admin/settings/keys/webhooks"));
  await page.getByRole("button", { name: "Create webhook" }).click();
  const webhookForm = page.getByRole("dialog", { name: "Create webhook" });
  await webhookForm.getByLabel("Address").fill(receiver.url);
  for (const type of ["order.paid", "order.shipped"])
    await webhookForm.getByRole("checkbox", { name: type }).check();
  await webhookForm.getByLabel("Address").press("Enter");
  const newSecret = page.getByRole("dialog", { name: "The webhook’s secret" });
  receiver.secret = await newSecret.getByLabel("Secret").inputValue();
  await newSecret.getByRole("button", { name: "Done" }).click();

  const { orderId, number } = await buy((await openShopper()).context.request);
  await expect.poll(() => receiver.received.map(({ type }) => type)).toEqual(["order.paid"]);
  expect(receiver.received[0]).toMatchObject({ isValid: true, data: { id: orderId, number } });

  const ship = () =>
    fetch(at(`/api/admin/orders/${orderId}/ship`), {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        "Idempotency-Key": "parcel-1",
      },
      body: JSON.stringify({ carrier: "USPS", trackingNumber: "9400110200881111111111" }),
    });
  const responses = [await ship(), await ship()];
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  expect(await responses[1]?.json()).toEqual(await responses[0]?.json());
  await expect.poll(() => receiver.received.map(({ type }) => type)).toEqual(["order.paid", "order.shipped"]);
  expect(receiver.received[1]).toMatchObject({ isValid: true, data: { carrier: "USPS" } });

  await page.getByRole("link", { name: receiver.url }).click();
  await expect.poll(() => page.getByText("Delivered").count()).toBe(2);
  await look(page, "webhook-deliveries");
  await page.goto(at("/admin/activity"));
  await page.getByText("Northern Warehouse (API key)").first().waitFor();
  await page.goto(at("/admin/settings/keys/api"));
  await page.getByText("Last used").first().waitFor();
  await page.getByRole("button", { name: "Revoke Northern Warehouse" }).click();
  await page.getByRole("button", { name: "Revoke the key" }).click();
  await waitForToast(page, "Key revoked");
  await page.getByText("No program has a key yet").waitFor();
  expect((await ship()).status).toBe(401);
  await receiver.stop();
});

test("off-site copies are set up on a phone: a wrong key and passphrase are refused, and nothing is uploaded before the set-up", async () => {
  const bucket = await openBucketServer();
  const { page, expectComplaint } = await openOwner({ size: "phone" });
  // Warnings about the wrong entries.
  expectComplaint(/422/);
  await page.goto(at("/admin/backups"));
  const card = page.getByRole("region", { name: "Off-site copies" });
  await card.getByRole("button", { name: "Set up off-site copies" }).click();
  const form = page.getByRole("dialog", { name: "Bucket for off-site copies" });
  const { endpoint, region, bucket: name, accessKeyId, secretAccessKey } = bucket.form;
  await form.getByRole("textbox", { name: "Address" }).fill(endpoint);
  await form.getByLabel("Region").fill(region);
  await form.getByRole("textbox", { name: "Bucket" }).fill(name);
  await form.getByLabel("Access key ID").fill(accessKeyId);
  await form.getByLabel("Secret access key").fill("wrong");
  await form.getByRole("switch", { name: "Path style" }).click();
  await form.getByRole("button", { name: "Test and save" }).click();
  await form.getByText("The secret access key does not fit the access key ID").waitFor();
  await expectToFit(page);
  await form.getByLabel("Secret access key").fill(secretAccessKey);
  expectComplaint(/502/);
  await form.getByRole("textbox", { name: "Address" }).fill("http://127.0.0.1:9");
  await form.getByRole("button", { name: "Test and save" }).click();
  // The error below the long form is scrolled to, above the buttons.
  const error = form.getByRole("alert");
  await error.getByText(/nothing answers at this address|could not be reached/).waitFor();
  const buttons = await form.getByRole("button", { name: "Test and save" }).boundingBox();
  const bottomEdge = async () => {
    const box = await error.boundingBox();
    return box && box.y + box.height;
  };
  await expect.poll(bottomEdge).toBeLessThan(buttons?.y ?? 0);
  await form.getByRole("textbox", { name: "Address" }).fill(endpoint);
  await form.getByRole("button", { name: "Test and save" }).click();
  await waitForToast(page, "The bucket works and was saved");

  await card.getByText("Nothing is copied until there is a passphrase.").waitFor();
  await card.getByRole("button", { name: "Make a passphrase" }).click();
  const passphraseDialog = page.getByRole("dialog", { name: "The passphrase" });
  const passphrase = await passphraseDialog.getByLabel("Passphrase").inputValue();
  await passphraseDialog.getByRole("button", { name: "Done" }).click();
  const proof = page.getByRole("dialog", { name: "Type the passphrase back" });
  await proof.getByLabel("Passphrase").fill("not this one");
  await proof.getByRole("button", { name: "Begin" }).click();
  await proof.getByText("This is another one").waitFor();
  expect(bucket.names()).toEqual([]);
  await proof.getByLabel("Passphrase").fill(passphrase);
  await proof.getByRole("button", { name: "Begin" }).click();
  await waitForToast(page, "Off-site copies begin within a minute");
  await look(page, "off-site-copies");
  await bucket.close();
});
