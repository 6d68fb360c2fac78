import { expect, test } from "vitest";
import { openBucketServer } from "../test/bucket-server.ts";
import { startWebhookReceiver } from "../test/webhook-receiver.ts";
import { expectToFit, look } from "./look.ts";
import { buy, openOwner, seeToast } from "./owner.ts";
import { shareDatabase } from "./shop-database.ts";
import { openOwnShop } from "./shop-here.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();
openOwnShop(() => ({ WEBHOOK_ALLOW_LOCAL: "1" }));
shareDatabase();

test("a warehouse gets a key and a webhook on a phone, hears of a paid order, ships it, and is refused once its key is revoked", async () => {
  const receiver = await startWebhookReceiver();
  const { page } = await openOwner({ size: "phone" });
  await page.goto(at("/admin/settings/keys/api"));
  await page.getByRole("button", { name: "Make a key" }).click();
  const keyForm = page.getByRole("dialog", { name: "Make an API key" });
  await keyForm.getByLabel("Name").fill("Northern Warehouse");
  await keyForm.getByRole("radio", { name: "Packer" }).check();
  await keyForm.getByRole("button", { name: "Make the key" }).click();
  const newKey = page.getByRole("dialog", { name: "The key “Northern Warehouse”" });
  const key = await newKey.getByLabel("API key").inputValue();
  await newKey.getByRole("button", { name: "Done" }).click();
  await expectToFit(page);

  await page.goto(at("/admin/settings/keys/webhooks"));
  await page.getByRole("button", { name: "Make a webhook" }).click();
  const webhookForm = page.getByRole("dialog", { name: "Make a webhook" });
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
  const answers = [await ship(), await ship()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await answers[1]?.json()).toEqual(await answers[0]?.json());
  await expect.poll(() => receiver.received.map(({ type }) => type)).toEqual(["order.paid", "order.shipped"]);
  expect(receiver.received[1]).toMatchObject({ isValid: true, data: { carrier: "USPS" } });

  await page.getByRole("link", { name: receiver.url }).click();
  await expect.poll(() => page.getByText("Delivered").count()).toBe(2);
  await look(page, "webhook-deliveries");
  await page.goto(at("/admin/activity"));
  await page.getByText("Northern Warehouse (API key):").first().waitFor();
  await page.goto(at("/admin/settings/keys/api"));
  await page.getByText("Last used").first().waitFor();
  await page.getByRole("button", { name: "Revoke Northern Warehouse" }).click();
  await page.getByRole("button", { name: "Revoke the key" }).click();
  await seeToast(page, "Key revoked");
  await page.getByText("No program has a key yet").waitFor();
  expect((await ship()).status).toBe(401);
  await receiver.stop();
});

test("off-site copies are set up on a phone: a wrong key and a wrong passphrase are refused, and nothing leaves before", async () => {
  const bucket = await openBucketServer();
  const { page, expectComplaint } = await openOwner({ size: "phone" });
  // Of the wrong entries.
  expectComplaint(/422/);
  await page.goto(at("/admin/backups"));
  const card = page.getByRole("region", { name: "Off-site copies" });
  await card.getByRole("button", { name: "Enter a bucket" }).click();
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
  const bottomOf = async () => {
    const box = await error.boundingBox();
    return box && box.y + box.height;
  };
  await expect.poll(bottomOf).toBeLessThan(buttons?.y ?? 0);
  await form.getByRole("textbox", { name: "Address" }).fill(endpoint);
  await form.getByRole("button", { name: "Test and save" }).click();
  await seeToast(page, "The bucket works and was saved");

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
  await seeToast(page, "Off-site copies begin within a minute");
  await look(page, "off-site-copies");
  await bucket.close();
});
