import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeSmtp, startFakeSmtp } from "../test/fake-smtp.ts";
import { patienceMs } from "../test/patience.ts";
import { databaseUrlOf, type RunningShop, startShop } from "../test/running-shop.ts";
import { lookAtBothSizes, lookAtLayout } from "./look.ts";
import { openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();

let shop: RunningShop;
let database: pg.Pool;
let smtp: FakeSmtp | null = null;
let port: number;
beforeAll(async () => {
  const closedSmtp = await startFakeSmtp();
  port = Number(new URL(closedSmtp.url).port);
  await closedSmtp.close();
  shop = await startShop({ SMTP_URL: `smtp://127.0.0.1:${port}`, OWNER_EMAIL: "owner@example.com" });
  database = new pg.Pool({ connectionString: databaseUrlOf(shop.dataDir), max: 1 });
});
afterAll(async () => {
  await database.end();
  await shop.stop();
  await smtp?.close();
});

test("during a mail outage every page of the panel shows time and cause, answers wait, and the first sent e-mail ends it", async () => {
  const { page, context } = await openShopper({ origins: [shop.url] });
  await context.request.post(`${shop.url}/api/contact`, {
    data: { name: "Leah Cooper", email: "leah@example.com", subject: "other", message: "Is it fragrant?" },
  });
  await context.request.post(`${shop.url}/api/admin/verify`, { data: { accessCode: shop.accessCode } });
  // Waits until the first attempt has failed, then simulates that two minutes have passed.
  const backdateOutage = () =>
    database.query("update mail_outage set since = since - interval '2 minutes' returning id");
  await expect.poll(async () => (await backdateOutage()).rowCount, { timeout: patienceMs }).toBe(1);

  await page.goto(`${shop.url}/admin`);
  const sentence = /No email has left since (\w{3} \d+, )?\d\d:\d\d: connection refused/;
  await page.getByRole("alert").getByText(sentence).waitFor();
  const toDo = page.getByRole("region", { name: "To do" });
  await toDo.getByRole("link", { name: sentence }).waitFor();
  await lookAtBothSizes(page, "mail-outage");

  await page.goto(`${shop.url}/admin/messages`);
  await page.getByRole("link", { name: /Leah Cooper/ }).click();
  await page.getByRole("button", { name: "Reply by email" }).click();
  await page.getByLabel("Answer to Leah Cooper").fill("A little, like toasted nuts.");
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByRole("article").getByText("Reply waiting").waitFor();
  await page.getByRole("list", { name: "Your answers" }).getByText("Trying again").waitFor();
  expect(await page.getByText("Answered").count()).toBe(0);
  await lookAtLayout(page, "mail-outage-reply");
  await page.goto(`${shop.url}/admin/go-live`);
  await page.getByText(sentence).nth(1).waitFor();

  smtp = await startFakeSmtp(undefined, port);
  await database.query("update jobs set run_at = now() where name = 'send_message' and leased_until is null");
  await expect.poll(() => smtp?.received.length, { timeout: patienceMs }).toBeGreaterThanOrEqual(3);
  await page.goto(`${shop.url}/admin/messages?show=all`);
  await page.getByText("Answered").waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  await page.goto(`${shop.url}/admin`);
  await toDo.getByText("Nothing needs your attention").or(toDo.getByRole("list")).waitFor();
  expect(await page.getByText(sentence).count()).toBe(0);
});
