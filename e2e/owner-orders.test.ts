import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeSmtp, type ReceivedMail, startFakeSmtp } from "../test/fake-smtp.ts";
import { type FakeTwilio, startFakeTwilio } from "../test/fake-twilio.ts";
import { patienceMs } from "../test/patience.ts";
import { expectToFit, look, lookAtLayout } from "./look.ts";
import { asOwner, buy, countTaps, openOwner, tabTo, waitForToast } from "./owner.ts";
import {
  backdateMailOutage,
  openDispute,
  refundTimes,
  retryMail,
  shareDatabase,
  warnOfFraud,
} from "./shop-database.ts";
import { openOwnShop, shopHere } from "./shop-here.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";

let smtp: FakeSmtp;
let twilio: FakeTwilio;
beforeAll(async () => {
  [smtp, twilio] = await Promise.all([startFakeSmtp(), startFakeTwilio()]);
});
afterAll(() => Promise.all([smtp.close(), twilio.close()]));

shareBrowser();
// E-mails and texts are really sent, to fake servers that accept them as real ones do.
openOwnShop(() => ({ SMTP_URL: smtp.url, OWNER_EMAIL: "owner@example.com", ...twilio.env }));
shareDatabase();

const mailTo = (email: string, subjectText: string): ReceivedMail | undefined =>
  smtp.received.find(({ to, headers }) => to[0] === email && headers.get("subject")?.includes(subjectText));
const waitForMail = (email: string, subjectText: string) =>
  expect.poll(() => mailTo(email, subjectText)).toBeDefined();

test("the panel opens only with the access code, at the requested page, and can be locked", async () => {
  const { page, context, expectComplaint } = await openShopper({ size: "phone" });
  expectComplaint(/status of 401/);
  await page.goto(at("/admin/discounts"));
  const code = page.getByLabel("Access code");
  await expect.poll(() => page.getByRole("button", { name: "Unlock" }).isDisabled()).toBe(true);
  await code.fill("open sesame");
  await page.getByRole("button", { name: "Unlock" }).click();
  await waitForToast(page, "Access Denied");
  await waitForToast(page, "Invalid access code. Please try again.");
  expect(await page.getByRole("navigation", { name: "Admin sections" }).count()).toBe(0);

  await code.fill(shopHere().accessCode);
  await page.keyboard.press("Enter");
  await waitForToast(page, "Access Granted");
  await page.getByRole("heading", { name: "Discounts" }).waitFor();

  await page.getByRole("link", { name: "More" }).click();
  await page.getByRole("button", { name: "Log Out" }).click();
  await waitForToast(page, "Logged Out");
  await code.waitFor();
  expect((await context.request.get(at("/api/admin/settings"))).status()).toBe(401);
});

test("a paid order sends a text alert and is shipped by keyboard alone, including the sign-in, and its buyer can track the parcel", async () => {
  const { page: notificationsPage } = await openOwner({ size: "phone" });
  await notificationsPage.goto(at("/admin/notifications"));
  await notificationsPage.getByLabel("Phone number").fill("(512) 555-0143");
  await notificationsPage.getByRole("button", { name: "Save settings" }).click();
  await waitForToast(notificationsPage, "Notification settings updated successfully.");
  await notificationsPage.getByRole("button", { name: "Send test message" }).click();
  await waitForToast(notificationsPage, "Test SMS Sent");
  expect(twilio.received.map(({ to }) => to)).toEqual(["+15125550143"]);

  const buyer = await openShopper({ size: "phone" });
  const { orderId, number } = await buy(buyer.context.request, { email: "ships@example.com" });
  await expect.poll(() => twilio.received.map(({ body }) => body).join("\n")).toContain(`#${number}`);
  await waitForMail("owner@example.com", `#${number}`);

  const { page } = await openShopper();
  const { keyboard } = page;
  await page.goto(at("/admin"));
  await tabTo(page, page.getByLabel("Access code"));
  await keyboard.type(shopHere().accessCode);
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await keyboard.press("g");
  await keyboard.press("v");
  await page.getByRole("heading", { name: "View Orders", level: 1 }).waitFor();
  // The number of waiting orders describes the link and is not part of its name.
  const menu = page.getByRole("navigation", { name: "All admin sections" });
  await menu.getByText("to ship or to answer").waitFor({ state: "attached" });
  expect(await menu.getByRole("link", { name: "View Orders", exact: true }).count()).toBe(1);
  await keyboard.press("/");
  await keyboard.type("ships@");
  await keyboard.press("Tab");
  await expect.poll(() => new URL(page.url()).search).toBe("?q=ships%40");
  // If the order were opened before the search is in the address, the change of address would close it.
  await expect.poll(() => new URL(page.url()).search).toBe("?q=ships%40");
  expect(await page.locator("[data-order-link]").count()).toBe(1);
  const orderLink = page.getByRole("link", { name: `order #${number}` });
  await tabTo(page, orderLink);
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: `Order #${number}`, level: 1 }).waitFor();
  await tabTo(page, page.getByLabel("Tracking number"));
  // A number with a wrong check digit gets one warning.
  await keyboard.type("1Z999AA10123456785");
  await keyboard.press("Enter");
  await page.getByText("This does not look like a number of USPS.").waitFor();
  await keyboard.press("Backspace");
  await keyboard.type("4");
  // A number that can only be one carrier's chooses it.
  await expect.poll(() => page.getByLabel("Carrier").inputValue()).toBe("UPS");
  await keyboard.press("Enter");
  await waitForToast(page, `Order #${number} is shipped`);
  await page.getByRole("button", { name: "Mark as delivered" }).waitFor();
  await tabTo(page, page.getByRole("link", { name: "Orders", exact: true }));
  await keyboard.press("Enter");
  await orderLink.waitFor();
  expect(new URL(page.url()).search).toBe("?q=ships%40");

  await waitForMail("ships@example.com", "on its way");
  await buyer.page.goto(at(`/orders/${orderId}`));
  const trackLink = buyer.page.getByRole("link", { name: "Track package" });
  expect(await trackLink.getAttribute("href")).toContain("1Z999AA10123456784");
});

test("a partial refund takes 4 taps, is made once, and the buyer is notified when it succeeds", async () => {
  const buyer = await openShopper({ size: "phone" });
  const { orderId, number } = await buy(buyer.context.request, { email: "gets-back@example.com" });
  const { page } = await openOwner({ size: "phone" });
  await page.goto(at(`/admin/orders/${orderId}`));
  const phone = countTaps();
  const openRefund = async () => {
    await phone.press(page.getByRole("button", { name: "More actions" }));
    await phone.press(page.getByRole("button", { name: "Refund this order" }));
  };
  await openRefund();
  const refundDialog = page.getByRole("dialog", { name: `Refund order #${number}` });
  await refundDialog.getByLabel("Pure Batana Oil").selectOption("1 of 1");
  await refundDialog.getByRole("button", { name: "Refund $29.95" }).waitFor();
  const amount = refundDialog.getByLabel("Amount (up to $35.90)");
  expect(await amount.inputValue(), "the sum of what is chosen").toBe("29.95");
  await amount.fill("35.91");
  await refundDialog.getByText("At most $35.90").first().waitFor();
  const refund = refundDialog.getByRole("button", { name: /^Refund( \$|$)/ });
  await expect.poll(() => refund.isDisabled()).toBe(true);
  // Amounts are not rounded, and an earlier amount does not replace an invalid one.
  await amount.fill("10");
  await amount.fill("35.901");
  await refundDialog.getByText("Use at most two decimals, as in 35.90").waitFor();
  await expect.poll(() => refund.isDisabled()).toBe(true);
  // Without a typed amount, it is the sum of what is chosen again.
  await amount.fill("");
  await refundDialog.getByRole("button", { name: "Refund $29.95" }).waitFor();
  await expect.poll(() => refund.isEnabled()).toBe(true);
  expect(await amount.inputValue()).toBe("");
  await amount.blur();
  await expect.poll(() => amount.inputValue()).toBe("29.95");
  await phone.fill(amount, "10");
  // A reason is not required, so that its button is the fourth tap.
  await expect.poll(() => refund.isEnabled()).toBe(true);
  expect(phone.taps() + 1).toBe(4);
  await refundDialog.getByLabel("Reason").fill("A dent in the box");
  await refundDialog.getByText(/^Refund \$10\.00 to .+\?/).waitFor();
  await refundDialog.getByRole("button", { name: "Refund $10.00" }).dblclick();
  await page.getByText("Refunded in part").first().waitFor();
  const refunds = page.getByRole("list", { name: "Refunds" }).getByRole("listitem");
  await refunds.getByText("Refunded", { exact: true }).waitFor();
  expect(await refunds.count()).toBe(1);
  await openRefund();
  await refundDialog.getByRole("button", { name: "The full amount" }).click();
  const rest = refundDialog.getByLabel("Amount (up to $25.90)");
  await expect.poll(() => rest.inputValue()).toBe("25.90");
  // A typed amount hides the shipping chosen before; clearing it brings the shipping back.
  const shipping = refundDialog.getByLabel(/^Shipping \(up to/);
  await shipping.fill("2");
  await refundDialog.getByRole("button", { name: "Refund $2.00" }).waitFor();
  await rest.fill("10");
  await expect.poll(() => shipping.inputValue()).toBe("0.00");
  await rest.fill("");
  await refundDialog.getByRole("button", { name: "Refund $2.00" }).waitFor();
  await expect.poll(() => shipping.inputValue()).toBe("2.00");

  await waitForMail("gets-back@example.com", `Your refund of $10.00 for order #${number}`);
  const readRefundTimes = () => refundTimes(orderId);
  await expect
    .poll(readRefundTimes)
    .toMatchObject({ settledAt: expect.any(Date), mailedAt: expect.any(Date) });
  const { settledAt, mailedAt } = await readRefundTimes();
  expect(mailedAt.getTime()).toBeGreaterThanOrEqual(settledAt.getTime());
  await buyer.page.goto(at(`/orders/${orderId}`));
  await buyer.page.getByText("−$10.00").waitFor();
  expect(await buyer.page.getByRole("heading", { name: "Refunds" }).count()).toBe(0);
});

test("a new order waits behind a button, so that no row moves before it is pressed", async () => {
  const { page, context } = await openOwner();
  await page.goto(at("/admin/orders"));
  await page.getByRole("heading", { name: "View Orders", level: 1 }).click();
  const { number } = await buy(context.request, { email: "meanwhile@example.com" });
  const row = page.getByRole("link", { name: `order #${number}` });
  // Simulates a tab that becomes visible again shortly before a press.
  await expect
    .poll(async () => {
      await page.evaluate(() => {
        dispatchEvent(new Event("keydown"));
        document.dispatchEvent(new Event("visibilitychange"));
      });
      return page.getByRole("button", { name: /new order/ }).count();
    })
    .toBe(1);
  expect(await row.count()).toBe(0);
  await page.getByRole("button", { name: /new order/ }).click();
  await row.waitFor();
});

test("an open page continues to poll for new orders after its session has ended and the owner signs in again", async () => {
  const { page, context, expectComplaint } = await openOwner();
  expectComplaint(/status of 401/);
  await page.clock.install();
  await page.goto(at("/admin/orders"));
  await page.getByRole("heading", { name: "View Orders", level: 1 }).click();
  await page.route("**/api/admin/news", (route) => route.fulfill({ status: 401, json: {} }), { times: 1 });
  const refused = page.waitForResponse("**/api/admin/news");
  await page.clock.runFor(15_000);
  await (await refused).finished();
  const { number } = await buy(context.request, { email: "later@example.com" });
  const row = page.getByRole("link", { name: `order #${number}` });
  await expect
    .poll(async () => {
      await page.clock.runFor(15_000);
      return row.count();
    })
    .toBe(1);
});

test("two orders are shipped together, and their packing slips printed", async () => {
  const { context } = await openShopper();
  const first = await buy(context.request, { email: "two@example.com" });
  const second = await buy(context.request, { email: "two@example.com", quantity: 2 });
  const { page, openTab } = await openOwner({ size: "phone" });
  await page.goto(at("/admin/orders?status=to_ship&q=two%40"));
  await page.getByLabel("Select all on this page").check();
  await page.getByRole("status").filter({ hasText: "2 orders selected" }).waitFor();
  const slips = await openTab();
  await slips.goto(at((await page.getByRole("link", { name: /slip/ }).getAttribute("href")) ?? ""));
  await slips.getByText("1 Main St").nth(1).waitFor();

  await page.getByRole("button", { name: "Mark as shipped" }).click();
  const dialog = page.getByRole("dialog", { name: "Mark as shipped" });
  const numbers = dialog.getByLabel("Tracking number");
  await dialog.getByText("0 of 2 with a number").waitFor();
  // Pastes a spreadsheet's column that has one row too many.
  await numbers.nth(0).evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", "73891051146\r\n73891051146\r\n1\r\n");
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await dialog.getByText("2 of 2 with a number. 2 numbers pasted; 1 too many, left out.").waitFor();
  await expect.poll(() => numbers.nth(1).inputValue()).toBe("73891051146");
  await expect.poll(() => dialog.getByLabel("Carrier for all").inputValue()).toBe("DHL");
  await dialog.getByRole("button", { name: "Mark 2 orders as shipped" }).click();
  await dialog.getByText("The same number is entered above.").waitFor();
  await numbers.nth(1).fill("");
  await dialog.getByRole("button", { name: "Mark 2 orders as shipped" }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.goto(at("/admin/orders?q=two%40"));
  for (const { number } of [first, second]) {
    const row = page.getByRole("row").filter({ hasText: `#${number}` });
    await row.getByText("Shipped", { exact: true }).waitFor();
  }
});

test("a packer's day: the oldest order is checked, shipped and undone, one is split, and a draft order is paid", async () => {
  const { context } = await openShopper();
  const first = await buy(context.request, { email: "pack@example.com", quantity: 2 });
  const { page } = await openOwner({ size: "phone" });
  await page.goto(at(`/admin/orders/${first.orderId}`));
  const trackingNumber = page.getByLabel("Tracking number");
  await trackingNumber.fill("1Z5R89390357567127");
  await page.reload();
  await expect.poll(() => trackingNumber.inputValue()).toBe("1Z5R89390357567127");
  await expect.poll(() => page.getByLabel("Carrier").inputValue()).toBe("UPS");
  const other = await buy(context.request, { email: "other-parcel@example.com" });
  await page.goto(at(`/admin/orders/${other.orderId}`));
  await page.getByRole("button", { name: "Mark as shipped" }).waitFor();
  expect(await trackingNumber.inputValue()).toBe("");
  await page.goto(at(`/admin/orders/${first.orderId}`));
  await expect.poll(() => trackingNumber.inputValue()).toBe("1Z5R89390357567127");
  await page.getByRole("button", { name: "Ship part of it" }).click();
  await page.getByLabel("Pure Batana Oil").selectOption({ label: "1 of 2" });
  await page.getByRole("button", { name: "Mark as shipped" }).click();
  await waitForToast(page, `A parcel of order #${first.number} is shipped`);
  await page.getByText("Parcel 1:").waitFor();
  await page.getByText("1 shipped, 1 to ship").waitFor();
  // Each parcel has its own tracking number, so the field is empty again.
  expect(await trackingNumber.inputValue()).toBe("");
  await page.reload();
  await page.getByRole("button", { name: "Mark as shipped" }).waitFor();
  expect(await trackingNumber.inputValue()).toBe("");
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /parcel:/.test(key)))).toEqual(
    [],
  );
  await lookAtLayout(page, "admin-order-in-part");

  await page.goto(at("/admin/ship-next"));
  const heading = page.getByRole("heading", { name: /^Order #/ });
  // Older orders of this shop wait, too: the others are skipped.
  for (let step = 0; step < 30; step += 1) {
    const name = await heading.textContent();
    if (name?.includes(`#${first.number}`)) break;
    await page.getByRole("link", { name: "Skip", exact: true }).click();
    await expect.poll(() => heading.textContent()).not.toBe(name);
  }
  await lookAtLayout(page, "admin-ship-next");
  await trackingNumber.fill("9400 1112 0255 5842 3016 26");
  await page.reload();
  await expect.poll(() => trackingNumber.inputValue()).toBe("9400 1112 0255 5842 3016 26");
  await trackingNumber.fill("");
  await page.reload();
  await heading.waitFor();
  expect(await trackingNumber.inputValue()).toBe("");
  // A parcel with a single line has no checkbox.
  expect(await page.getByRole("checkbox", { name: /Pure Batana Oil/ }).count()).toBe(0);
  await page.getByRole("button", { name: "Ship & next" }).click();
  const notice = page.getByRole("status").filter({ hasText: `Order #${first.number} is shipped` });
  await notice.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone: nothing was sent to the customer.").waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Undone/);
  expect(
    await page
      .getByRole("region", { name: /^Notifications/ })
      .getByRole("listitem")
      .count(),
  ).toBe(0);

  await page.goto(at(`/admin/orders/${first.orderId}`));
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("button", { name: "New draft from it" }).click();
  await page.getByLabel("Price each").fill("20");
  await page.getByLabel("Shipping price").fill("1");
  await page.getByText("Total $41.00").waitFor();
  await page.getByText("$19.90 below the shop’s prices.").waitFor();
  await expect.poll(() => page.getByLabel("City").inputValue()).toBe("Austin");
  // On phones the draft's actions replace the menu.
  expect(await page.getByRole("navigation", { name: "Admin sections" }).count()).toBe(0);
  await page.getByRole("link", { name: "Draft orders" }).click();
  await page
    .getByRole("dialog", { name: "Leave without saving?" })
    .getByRole("button", { name: "Leave without saving" })
    .click();
  await page.getByRole("link", { name: "New draft" }).click();
  await page.getByLabel("Find a customer").fill("pack@example");
  await page
    .getByRole("list", { name: "Customers found" })
    .getByRole("button", { name: /pack@example.com/ })
    .click();
  await expect.poll(() => page.getByLabel("Street Address").inputValue()).toBe("1 Main St");

  await page.getByLabel("Name").fill("Ida Kern");
  await page.getByLabel("Email").fill("ida@example.com");
  await page.getByLabel("Street Address").fill("1 Main St");
  await page.getByLabel("City").fill("Austin");
  await page.getByLabel("State/Province").selectOption("TX");
  await page.getByLabel("ZIP/Postal Code").fill("78701");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByRole("heading", { name: "Draft for Ida Kern" }).waitFor();
  await page.getByRole("button", { name: "Send by email" }).click();
  await waitForToast(page, "Payment link sent");
  await look(page, "admin-draft");
  await waitForMail("ida@example.com", "to pay");
  const mailBody = mailTo("ida@example.com", "to pay")
    ?.body.replace(/=\r?\n/g, "")
    .replaceAll("=3D", "=");
  const [link = ""] = /\/pay\/[0-9a-f-]+\?token=[\w.-]+/.exec(mailBody ?? "") ?? [];
  const { page: payingBuyer } = await openShopper({ size: "phone" });
  await payingBuyer.goto(at(link));
  await lookAtLayout(payingBuyer, "pay-link");
  await payingBuyer.getByRole("button", { name: /^Pay / }).click();
  await payingBuyer.getByRole("heading", { name: /^Pay / }).waitFor();
});

test("a disputed order is held and shows why, and ships once the owner gives a reason", async () => {
  const buyer = await openShopper({ size: "phone" });
  const [disputed] = [
    await buy(buyer.context.request, { email: "bank@example.com" }),
    await buy(buyer.context.request, { email: "bank@example.com" }),
  ];
  const { page } = await openOwner();
  await page.goto(at("/admin/orders?status=to_ship&q=bank%40"));
  await page.getByLabel("Select all on this page").check();
  await page.getByRole("button", { name: "Mark as shipped" }).click();
  const dialog = page.getByRole("dialog", { name: "Mark as shipped" });
  for (const [index, number] of ["1Z879E930346834440", "1Z410E7W0392751591"].entries())
    await dialog.getByLabel("Tracking number").nth(index).fill(number);
  // The dispute arrives while the parcels are being packed.
  await openDispute(disputed.orderId);
  await dialog.getByRole("button", { name: "Mark 2 orders as shipped" }).click();
  const notShipped = dialog.getByRole("listitem").filter({ hasText: `#${disputed.number}` });
  await notShipped.getByText("bank disputes the payment").waitFor();
  await notShipped.getByLabel("Why you’re shipping it anyway").waitFor();
  await look(page, "admin-ship-disputed-together");
  await dialog.getByRole("button", { name: "Close" }).first().click();

  await page.goto(at("/admin/orders?status=to_ship&q=bank%40"));
  await page.getByText("Nothing").first().waitFor();
  await page.goto(at(`/admin/orders/${disputed.orderId}`));
  await page.getByRole("heading", { name: "On hold: disputed" }).waitFor();
  await page.getByText("Answer by").first().waitFor();
  await lookAtLayout(page, "admin-order-disputed");
  // The hold's panel is the one place that tells the dispute.
  expect(await page.getByText("Needs attention").count()).toBe(0);
  await page.getByRole("link", { name: "Answer the bank" }).click();
  await page.getByRole("button", { name: "Draft evidence" }).click();
  const statementField = page.getByLabel("What happened, in your words");
  await expect.poll(() => statementField.inputValue()).toContain(`Order #${disputed.number}`);
  await statementField.fill("It was delivered.");
  await page.reload();
  await expect.poll(() => statementField.inputValue()).toBe("It was delivered.");
  await page.getByRole("button", { name: "Save draft" }).click();
  await waitForToast(page, "Draft saved");
  await look(page, "admin-dispute");
  await page.goBack();
  // Only the menu offers to ship it anyway; here by keyboard.
  await page.getByRole("heading", { name: "On hold: disputed" }).waitFor();
  expect(await page.getByLabel("Tracking number").count()).toBe(0);
  await tabTo(page, page.getByRole("button", { name: "More actions" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("button", { name: "Ship it anyway" }));
  await page.keyboard.press("Enter");
  const shipAnywayDialog = page.getByRole("dialog", { name: `Ship order #${disputed.number} anyway?` });
  await shipAnywayDialog.getByLabel("Tracking number").fill("1Z879E930346835556");
  await page.keyboard.press("Enter");
  await shipAnywayDialog.getByText("Say why you’re shipping it anyway").waitFor();
  await tabTo(page, shipAnywayDialog.getByLabel("Why you’re shipping it anyway"));
  await page.keyboard.type("Paid again by bank");
  await page.keyboard.press("Enter");
  await waitForToast(page, `Order #${disputed.number} is shipped`);
  await page.goto(at("/admin/activity"));
  await page.getByText("although its payment is disputed: Paid again by bank").first().waitFor();
});

test("an order with a fraud warning is held with its reason and actions until the owner releases it", async () => {
  const buyer = await openShopper({ size: "phone" });
  const [warnedOrder, otherOrder] = [
    await buy(buyer.context.request, { email: "fraud@example.com" }),
    await buy(buyer.context.request, { email: "fraud@example.com" }),
  ];
  const { page } = await openOwner();
  await page.goto(at("/admin/orders?status=to_ship&q=fraud%40"));
  await page.getByLabel("Select all on this page").check();
  await page.getByRole("button", { name: "Mark as shipped" }).click();
  const bulkDialog = page.getByRole("dialog", { name: "Mark as shipped" });
  await warnOfFraud(warnedOrder.orderId);
  await bulkDialog.getByRole("button", { name: "Mark 2 orders as shipped" }).click();
  await bulkDialog.getByText("Not shipped: fraud warning.").waitFor();
  await bulkDialog.getByRole("button", { name: "Ship anyway" }).waitFor();
  await bulkDialog.getByRole("button", { name: "Close" }).first().click();

  await page.goto(at("/admin/orders?status=to_ship&q=fraud%40"));
  await page.getByText("Nothing").first().waitFor();
  await page.goto(at("/admin#attention"));
  // The hold can be released only on the order's page, beside refund and cancel.
  const warning = page.getByRole("listitem").filter({ hasText: "warns of fraud on this payment" }).last();
  await warning.getByRole("link", { name: "Open the order" }).waitFor();
  expect(await warning.getByRole("button").count()).toBe(0);
  await page.getByRole("link", { name: /order on hold|orders on hold/ }).click();
  const row = page.getByRole("row").filter({ hasText: `#${warnedOrder.number}` });
  await row.getByText("Fraud warning").waitFor();
  expect(await page.getByText(`#${otherOrder.number}`).count()).toBe(0);
  await row.getByRole("link", { name: `Open order #${warnedOrder.number}` }).click();
  await page.getByRole("heading", { name: "On hold: early fraud warning" }).waitFor();
  await lookAtLayout(page, "admin-order-fraud");
  await page.getByRole("button", { name: "Cancel and refund $35.90" }).click();
  await page.getByRole("button", { name: "Keep the order" }).click();
  await page.getByRole("button", { name: "Refund only" }).click();
  await page.getByRole("dialog", { name: `Refund order #${warnedOrder.number}` }).waitFor();
  await page.getByRole("button", { name: "Keep the money" }).click();

  // By keyboard, and not without a reason.
  await page.getByRole("button", { name: "Release the hold" }).focus();
  await page.keyboard.press("Enter");
  const releaseDialog = page.getByRole("dialog", { name: `Release order #${warnedOrder.number}?` });
  await releaseDialog.getByRole("button", { name: "Release the hold" }).click();
  await releaseDialog.getByText("Say why", { exact: true }).waitFor();
  const reason = releaseDialog.getByLabel("Why you are sure");
  await expect.poll(() => reason.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type("She called: it was her card");
  await page.keyboard.press("Enter");
  await waitForToast(page, `Order #${warnedOrder.number} is released`);
  await page.getByRole("button", { name: "Mark as shipped" }).waitFor();
  await page.goto(at("/admin/orders?status=to_ship&q=fraud%40"));
  await page.getByText(`#${warnedOrder.number}`).first().waitFor();
  await page.goto(at("/admin/activity"));
  await page.getByText("fraud warning: She called: it was her card").first().waitFor();
});

test("pages with amounts fit all widths between a phone’s and a desktop’s, with each amount on one line", async () => {
  const { page } = await openOwner();
  for (const path of ["/admin", "/admin/books", "/admin/money"]) {
    await page.goto(at(path));
    for (const width of [480, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await expectToFit(page);
    }
  }
});

test("a message is answered by e-mail, in the conversation started by the receipt", async () => {
  const { page: shopper } = await openShopper({ size: "phone" });
  await shopper.request.post(at("/api/contact"), {
    data: {
      name: "Leah Cooper",
      email: "leah@example.com",
      subject: "wholesale",
      message: "Do you sell boxes of 12?",
    },
  });
  await waitForMail("leah@example.com", "Your message to Palmira");
  const { page, expectComplaint } = await openOwner({ size: "phone" });
  expectComplaint(/status of 409/);
  await page.goto(at("/admin/messages"));
  await page.getByRole("link", { name: /Unread: Leah Cooper/ }).click();
  await page.getByRole("button", { name: "Reply by email" }).click();
  const response = page.getByLabel("Answer to Leah Cooper");
  await response.fill("We do: write us how many.");
  // Entries stay in this browser until they are sent.
  await page.reload();
  await expect.poll(() => response.inputValue()).toBe("We do: write us how many.");
  // Another tab has sent the same stored draft with other words, which does not lose these.
  const { id, text, replyId } = await page.evaluate(() => {
    const [key = "", stored] =
      Object.entries({ ...localStorage }).find(([key]) => key.startsWith("admin-reply:")) ?? [];
    return { id: key.slice("admin-reply:".length), ...JSON.parse(stored) };
  });
  await asOwner("POST", `/api/admin/messages/${id}/reply`, { text: "Which size?", replyId, done: false });
  await page.getByRole("button", { name: "Send answer" }).click();
  await waitForToast(page, "Your answer was not sent");
  await page.reload();
  await expect.poll(() => response.inputValue()).toBe(text);
  await page.getByRole("button", { name: "Send answer" }).click();
  await waitForToast(page, "Answer on its way");
  const sent = page.getByRole("list", { name: "Your answers" }).getByText("Sent", { exact: true });
  await expect.poll(() => sent.count()).toBe(2);
  await page.getByRole("button", { name: "Reopen" }).waitFor();

  const receipt = mailTo("leah@example.com", "Your message to Palmira")?.headers;
  const reply = mailTo("leah@example.com", "Re: Your message to Palmira");
  expect(reply?.headers.get("in-reply-to")).toBe(receipt?.get("message-id"));
  expect(reply?.headers.get("references")).toContain(receipt?.get("message-id"));
  // Without a reply address; the owner's own is private.
  expect(reply?.headers.get("reply-to")).toBeUndefined();
  expect(reply?.body).toContain("Which size?");
  await expect
    .poll(() => smtp.received.some(({ body }) => body.includes("We do: write us how many.")))
    .toBe(true);
});

test("the order that a packer has opened stays in view when somebody else ships it and new orders arrive", async () => {
  const { page, context } = await openOwner({ size: "phone" });
  await buy(context.request, { email: "packed@example.com" });
  await page.clock.install();
  await page.goto(at("/admin/ship-next"));
  const heading = page.getByRole("heading", { name: /^Order #/ });
  const name = (await heading.textContent()) ?? "";
  const [id = ""] = /[0-9a-f-]{36}/.exec((await heading.getByRole("link").getAttribute("href")) ?? "") ?? [];
  await asOwner("POST", `/api/admin/orders/${id}/ship`, { carrier: "DHL", trackingNumber: "3318810099" });
  await buy(context.request, { email: "packed-next@example.com" });
  const update = page.getByRole("button", { name: /new order/ });
  await expect
    .poll(async () => {
      await page.clock.runFor(15_000);
      return (await update.count()) === 1 || (await heading.textContent()) !== name;
    })
    .toBe(true);
  expect(await heading.textContent()).toBe(name);
  await page.getByRole("button", { name: "Ship & next" }).click();
  await page
    .getByRole("status")
    .filter({ hasText: /Not shipped: #/ })
    .waitFor();
  await expect.poll(() => heading.textContent()).not.toBe(name);
});

test("the form of a draft that somebody else has changed keeps what was typed, overwrites nothing, and can be reopened", async () => {
  const { page, expectComplaint } = await openOwner({ size: "phone" });
  expectComplaint(/status of 409/);
  const draft = {
    email: "draft@example.com",
    customerName: "Ida Kern",
    phone: null,
    shipping: { line1: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" },
    items: [{ productId: 1, quantity: 1, price: null }],
    note: "First",
  };
  const { id, revision } = await asOwner<{ id: string; revision: number }>(
    "POST",
    "/api/admin/drafts",
    draft,
  );
  await page.goto(at(`/admin/drafts/${id}`));
  const note = page.getByRole("textbox", { name: /^Note/ });
  await note.fill("Mine");
  await asOwner("PATCH", `/api/admin/drafts/${id}`, { ...draft, note: "Theirs", revision });
  // Reloads the page's data.
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect.poll(() => page.getByRole("button", { name: "Copy link" }).isEnabled()).toBe(true);
  expect(await note.inputValue()).toBe("Mine");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("The draft was not saved.").waitFor();
  expect(await note.inputValue()).toBe("Mine");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect.poll(() => note.inputValue()).toBe("Theirs");
  await note.fill("Both");
  await page.getByRole("button", { name: "Save changes" }).click();
  await waitForToast(page, "Draft saved");
  expect(await note.inputValue()).toBe("Both");
});

test("a page that cannot be reloaded after a save keeps what was typed, even if the session has ended", async () => {
  const { page, context, openTab, expectComplaint } = await openOwner({ size: "phone" });
  expectComplaint(/status of 502/);
  const { orderId } = await buy(context.request, { email: "kept@example.com" });
  await page.goto(at(`/admin/orders/${orderId}`));
  const field = page.getByLabel("New note");
  await field.fill("Typed before a reload");
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe("Typed before a reload");
  // Another tab has it, too, until one adds it.
  const otherTab = await openTab();
  await otherTab.goto(at(`/admin/orders/${orderId}`));
  await expect.poll(() => otherTab.getByLabel("New note").inputValue()).toBe("Typed before a reload");
  await otherTab.getByRole("button", { name: "Add note" }).click();
  const storedNote = () => otherTab.evaluate((id) => localStorage.getItem(`admin-note:order:${id}`), orderId);
  await expect.poll(storedNote).toBe(null);
  const tryAgain = page.getByRole("button", { name: "This page could not be updated. Try again" });
  const note = (text: string) => page.getByRole("listitem").getByText(text);
  const pageData = `**/admin/orders/${orderId}.data*`;
  const addNoteUnseen = async (text: string) => {
    await page.route(pageData, (route) => route.fulfill({ status: 502, body: "Bad gateway" }));
    await field.fill(text);
    await page.getByRole("button", { name: "Add note" }).click();
    await tryAgain.waitFor();
    await page.unroute(pageData);
    expect(await note(text).count()).toBe(0);
  };

  await addNoteUnseen("Rang twice");
  await field.fill("Wants a receipt");
  await tryAgain.click();
  await note("Rang twice").waitFor();
  await tryAgain.waitFor({ state: "hidden" });
  expect(await field.inputValue()).toBe("Wants a receipt");

  await addNoteUnseen("Has moved");
  await field.fill("Is on holiday");
  expect((await context.request.post(at("/api/admin/logout"), { data: {} })).ok()).toBe(true);
  await tryAgain.click();
  const lockDialog = page.getByRole("dialog", { name: "The panel has locked itself" });
  await lockDialog.getByLabel("Access code").fill(shopHere().accessCode);
  await page.keyboard.press("Enter");
  await note("Has moved").waitFor();
  expect(await field.inputValue()).toBe("Is on holiday");
});

test("a page whose session was ended from another browser asks for the code again, and keeps entries", async () => {
  const phone = await openOwner({ size: "phone" });
  const { page: otherBrowser } = await openOwner();
  phone.expectComplaint(/status of 401/);
  const { orderId } = await buy(phone.context.request, { email: "notes@example.com" });
  await phone.page.goto(at(`/admin/orders/${orderId}`));
  await phone.page.getByLabel("New note").fill("Wants it left at the door");

  await otherBrowser.goto(at("/admin/sessions"));
  await otherBrowser.getByRole("button", { name: "End all other sessions" }).click();
  await otherBrowser.getByRole("dialog").getByRole("button", { name: "End all others" }).click();
  await waitForToast(otherBrowser, "All other sessions ended");
  await expect.poll(() => otherBrowser.getByRole("button", { name: /^End session/ }).count()).toBe(0);

  await phone.page.getByRole("button", { name: "Add note" }).click();
  const lockDialog = phone.page.getByRole("dialog", { name: "The panel has locked itself" });
  await lockDialog.getByLabel("Access code").fill(shopHere().accessCode);
  await phone.page.keyboard.press("Enter");
  await phone.page.getByRole("listitem").getByText("Wants it left at the door").waitFor();
  await expect.poll(() => phone.page.getByLabel("New note").inputValue()).toBe("");

  await otherBrowser.goto(at("/admin/activity"));
  await otherBrowser
    .getByText(/^Ended every other session/)
    .first()
    .waitFor();
});

test("during a mail outage every page of the panel shows time and cause, answers wait, and the first sent e-mail ends it", async () => {
  await smtp.goAway();
  const { page, context } = await openOwner();
  await context.request.post(at("/api/contact"), {
    data: { name: "Nia Outage", email: "nia@example.com", subject: "other", message: "Is it fragrant?" },
  });
  // Waits until the first attempt has failed, then simulates that two minutes have passed.
  await expect.poll(backdateMailOutage, { timeout: patienceMs }).toBe(true);

  await page.goto(at("/admin"));
  const sentence = /No email has left since (\w{3} \d+, )?\d{1,2}:\d\d [AP]M: connection refused/;
  const toDo = page.getByRole("region", { name: "To do" });
  await toDo.getByRole("link", { name: sentence }).waitFor();
  expect(await page.getByText(sentence).count()).toBe(1);
  await look(page, "mail-outage");

  await page.goto(at("/admin/messages"));
  await page.getByRole("alert").getByText(sentence).waitFor();
  await page.getByRole("link", { name: /Nia Outage/ }).click();
  await page.getByRole("button", { name: "Reply by email" }).click();
  await page.getByLabel("Answer to Nia Outage").fill("A little, like toasted nuts.");
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByRole("article").getByText("Reply waiting").waitFor();
  await page.getByRole("list", { name: "Your answers" }).getByText("Trying again").waitFor();
  expect(await page.getByText("Answered").count()).toBe(0);
  await lookAtLayout(page, "mail-outage-reply");
  await page.goto(at("/admin/go-live"));
  await page.getByText(sentence).waitFor();

  const receivedBefore = smtp.received.length;
  await smtp.comeBack();
  await retryMail();
  await expect
    .poll(() => smtp.received.length, { timeout: patienceMs })
    .toBeGreaterThanOrEqual(receivedBefore + 3);
  // Until the result of the response is recorded.
  await expect
    .poll(
      async () => {
        await page.goto(at("/admin/messages?show=all&q=nia%40"));
        return page.getByText("Answered").count();
      },
      { timeout: patienceMs },
    )
    .toBe(1);
  expect(await page.getByRole("alert").count()).toBe(0);
  await page.goto(at("/admin"));
  await toDo.getByText("Nothing needs your attention").or(toDo.getByRole("list")).waitFor();
  expect(await page.getByText(sentence).count()).toBe(0);
});

// The last test, because its orders would be in the others' queues.
test("the to-do list shows the number of twenty and more orders on one line", async () => {
  // An address may place 20 orders a minute.
  for (const name of ["one", "two"]) {
    const { context } = await openShopper();
    for (let index = 0; index < 12; index++)
      await buy(context.request, { email: `${name}-of-many-${index}@example.com` });
  }
  const { page } = await openOwner({ size: "phone" });
  await page.goto(at("/admin"));
  await page.getByRole("link", { name: /^\d\d orders to ship/ }).waitFor();
  await expectToFit(page);
  await page.setViewportSize({ width: 1360, height: 900 });
  await expectToFit(page);
});
