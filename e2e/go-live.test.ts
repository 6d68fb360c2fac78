import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type FakeSmtp, startFakeSmtp } from "../test/fake-smtp.ts";
import { type FakeStripe, startFakeStripe } from "../test/fake-stripe.ts";
import { look, lookAtLayout } from "./look.ts";
import { asOwner, byKeyboard, countTaps, openOwner, waitForToast } from "./owner.ts";
import { forgetDecisions, shareDatabase } from "./shop-database.ts";
import { openOwnShop, shopHere } from "./shop-here.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();
let stripe: FakeStripe;
let smtp: FakeSmtp;
beforeAll(async () => {
  [stripe, smtp] = await Promise.all([
    startFakeStripe(),
    startFakeSmtp({ user: "ada@palm.example", password: "hush" }),
  ]);
});
afterAll(() => Promise.all([stripe.stop(), smtp.close()]));
openOwnShop(() => ({ STRIPE_API_BASE: stripe.url }));
shareDatabase();

const checkItem = (page: Page, title: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title, exact: true }) });

/** A JPEG as a camera takes it. */
const takePhotograph = () =>
  sharp({ create: { width: 900, height: 1100, channels: 3, background: "#7a4a2b" } })
    .jpeg()
    .toBuffer();

/** For another state of a page that the crawl has checked; with LONGER=1, as in `npm run test:all`, axe checks it, too. */
const lookAgain = process.env.LONGER === "1" ? look : lookAtLayout;

test("default settings are confirmed by one press, other checks link to their page, and finished ones are folded up", async () => {
  const { page } = await openOwner();
  await page.goto(at("/admin/go-live"));
  // Problems stand before warnings.
  const stateLabels = await page
    .getByRole("region", { name: "Before the first sale" })
    .getByText(/^(Problem|Warning)$/)
    .allTextContents();
  expect(stateLabels).toEqual([...stateLabels].sort());
  expect(new Set(stateLabels)).toEqual(new Set(["Problem", "Warning"]));
  const soonRegion = page.getByRole("region", { name: "Soon" });
  expect(await soonRegion.getByText("Problem", { exact: true }).count()).toBe(0);
  expect(await page.getByRole("heading", { name: "Payments", exact: true }).isVisible()).toBe(false);
  await lookAgain(page, "go-live");

  await page.getByRole("button", { name: "Keep as is: Tax" }).dblclick();
  await checkItem(page, "Tax").getByText("OK", { exact: true }).waitFor();
  await page.getByText("Not decided yet: time zone, shipping, returns", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Keep all as they are" }).dblclick();
  for (const title of ["Time zone", "Shipping", "Tax", "Returns"]) {
    await checkItem(page, title).getByText("OK", { exact: true }).waitFor();
    expect(await checkItem(page, title).getByRole("button").allTextContents(), title).toEqual([]);
  }
  await page.getByRole("button", { name: "I have read the policies: Policies" }).click();
  await checkItem(page, "Policies")
    .getByText(/You said on .* that you have read the policies/)
    .waitFor();
  await page.reload();
  await page.getByText(/checks have passed/).click();
  await checkItem(page, "Shipping").getByText("OK", { exact: true }).waitFor();

  await checkItem(page, "Seller").getByRole("link", { name: "Enter the seller" }).click();
  await page.waitForURL(/\/admin\/settings\/shop\?go-live#seller$/);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Seller");
});

test("one tap on the phone opens the file picker for the founder’s photograph", async () => {
  const { page } = await openOwner({ size: "phone" });
  await page.goto(at("/admin/settings/giving#founder"));
  const fileChooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a photograph" }).click();
  await (await fileChooser).setFiles({
    name: "me.jpg",
    mimeType: "image/jpeg",
    buffer: await takePhotograph(),
  });
  await waitForToast(page, "Photograph saved");
  await page.getByRole("textbox", { name: "Name" }).last().fill("Ada Obi");
  await page
    .getByRole("button", { name: "Save changes" })
    .or(page.getByRole("button", { name: "Save" }))
    .first()
    .click();
  await waitForToast(page, "Founder saved");
  await lookAgain(page, "founder-settings");
  await page.goto(at("/story"));
  await page.getByRole("img", { name: "Ada Obi" }).scrollIntoViewIfNeeded();
  await look(page, "founder-story");
  await page.goto(at("/"));
  await page.getByText("Our own statements, not certificates.").scrollIntoViewIfNeeded();
  await look(page, "founder-home");
});

/** The keyboard, which takes three times as long, only with LONGER=1: keyboard.test.ts and others press its parts. */
const ways = [
  { by: "within 35 taps", price: "31.95" },
  ...(process.env.LONGER === "1" ? [{ by: "by keyboard alone", price: "30.95" }] : []),
];
test.each(ways)("a new shop is ready to sell $by", { timeout: 120_000 }, async ({ by, price }) => {
  await forgetDecisions();
  const { page } = await openShopper({ size: "phone" });
  const counter = countTaps();
  const isByKeyboard = by === "by keyboard alone";
  const { press, fill } = isByKeyboard ? byKeyboard(page) : counter;
  /** Steps that depend on the fake mail server and payment provider, and are not counted. */
  const uncounted = isByKeyboard ? byKeyboard(page) : countTaps();
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const nextLink = (title: string) => page.getByRole("link", { name: `Next: ${title}` });

  await page.goto(at("/admin"));
  await fill(page.getByLabel("Access code"), shopHere().accessCode);
  await press(button("Unlock"));
  await press(button("Save time zone"));
  await waitForToast(page, "Time zone saved");
  onTestFinished(async () => {
    const { data } = await (await page.request.get(at("/api/admin/connections"))).json();
    for (const name of ["mail", "stripe"])
      await asOwner("DELETE", `/api/admin/connections/${name}?version=${data[name].version}`);
  });
  await press(page.getByRole("link", { name: "What is left before the first sale" }));
  await lookAtLayout(page, "first-day-check");

  await press(checkItem(page, "Mail server").getByRole("link", { name: "Set up email" }));
  await press(button("Enter keys of Mail server"));
  const mailDialog = page.getByRole("dialog", { name: "Mail server" });
  // The list of providers does not contain the fake mail server, so its address is entered instead.
  await fill(mailDialog.getByRole("textbox", { name: "Server" }), "127.0.0.1");
  await uncounted.choose(mailDialog.getByLabel("Security"), "None, only in your own network");
  await uncounted.fill(mailDialog.getByLabel("Port"), new URL(smtp.url).port);
  await fill(mailDialog.getByRole("textbox", { name: "User" }), "ada@palm.example");
  await fill(mailDialog.getByRole("textbox", { name: "Password" }), "hush");
  await press(mailDialog.getByRole("button", { name: "Test and save" }));
  await waitForToast(page, "Mail server saved");
  await page.getByText("ada@palm.example").first().waitFor();
  await press(button("Enter keys of Stripe"));
  const stripeDialog = page.getByRole("dialog", { name: "Stripe keys" });
  await fill(stripeDialog.getByLabel("Publishable key"), stripe.publishableKey);
  await fill(stripeDialog.getByLabel("Secret key"), stripe.secretKey);
  // Only a shop on https can create the webhook itself.
  await uncounted.fill(stripeDialog.getByLabel("Signing secret of the webhook"), stripe.webhookSecret);
  await press(stripeDialog.getByRole("button", { name: "Test and save" }));
  await waitForToast(page, "Stripe’s keys saved");

  await press(nextLink("Contact details"));
  await page.waitForURL(/settings\/contact/);
  await fill(page.getByRole("textbox", { name: "Email" }), "hello@palm.example");
  await fill(page.getByRole("textbox", { name: "Location" }), "Austin, Texas");
  await press(button("Save changes"));
  await waitForToast(page, "Contact details saved");
  await press(nextLink("Seller"));
  await page.waitForURL(/settings\/shop/);
  await fill(page.getByLabel("Legal name"), "Palm LLC");
  await fill(page.getByLabel("Postal address"), "1 Main St\nAustin, TX 78701\nUnited States");
  await lookAtLayout(page, "first-day-seller");
  await press(button("Save changes"));
  await waitForToast(page, "Seller saved");

  await press(page.getByRole("link", { name: "Go-live check" }).first());
  await press(button("Keep all as they are"));
  await waitForToast(page, "Kept: Shipping, Tax, Returns");
  await press(button("I have read the policies: Policies"));
  await checkItem(page, "Policies").getByText("OK", { exact: true }).waitFor();
  await press(button("Send test email"));
  await waitForToast(page, "Test email on its way");
  const fileChooser = page.waitForEvent("filechooser");
  await press(button("Choose a photograph"));
  await (await fileChooser).setFiles({
    name: "me.jpg",
    mimeType: "image/jpeg",
    buffer: await takePhotograph(),
  });
  await waitForToast(page, "Photograph saved");

  await press(
    page.getByRole("navigation", { name: "Admin sections" }).getByRole("link", { name: "Manage Products" }),
  );
  await press(page.getByRole("link", { name: "Pure Batana Oil" }).first());
  await press(page.getByRole("link", { name: "Price and stock" }));
  await fill(page.getByLabel("New price (USD)"), price);
  await press(button("Update Price"));
  await waitForToast(page, "Product price updated successfully");
  await press(page.getByRole("link", { name: "Add or count" }));
  await fill(page.getByLabel("Units that came in"), "50");
  await press(button("Save change"));
  await waitForToast(page, "Stock updated");
  expect(counter.taps()).toBeLessThanOrEqual(35);
});
