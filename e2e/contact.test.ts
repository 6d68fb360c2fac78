import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { look, lookAtLayout } from "./look.ts";
import { mailTo } from "./mail.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();

const message = "Do you sell boxes of 12 to salons?";
const newEmail = () => `leah-${randomUUID()}@example.com`;

/** Advances the open page's clock by the time that a person needs to fill in the form. */
const advanceClock = (page: Page) =>
  page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 20_000;
  });

/** Fills the form in at a person's pace. */
async function fillForm(page: Page, email: string): Promise<void> {
  await page.getByLabel("Name").fill("Leah Cooper");
  await page.getByLabel("Email Address").fill(email);
  await page.getByLabel("Message").fill(message);
  await advanceClock(page);
}

const submitForm = (page: Page) => page.getByRole("button", { name: "Send Message" }).click();
const recordCalls = (page: Page) => {
  const calls: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/api/contact") calls.push(request.postData() ?? "");
  });
  return calls;
};

describe("the contact form", () => {
  test("sends a message once, shows and mails its reference, and clears the form", async () => {
    const { page } = await openShopper({ size: "phone" });
    const calls = recordCalls(page);
    const email = newEmail();
    await page.goto(at("/contact"));
    await expect.poll(() => page.getByLabel("Subject").inputValue()).toBe("order");
    await fillForm(page, email);
    await page.getByLabel("Subject").selectOption("Wholesale Inquiry");
    const canSend = Promise.withResolvers<void>();
    await page.route("**/api/contact", async (route) => {
      await canSend.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Send Message" }).dblclick();
    // Text typed now would be cleared without being sent.
    await expect.poll(() => page.getByLabel("Message").isDisabled()).toBe(true);
    canSend.resolve();
    const notice = page.locator("form [role=status]");
    await notice.getByText("Message sent").waitFor();
    const reference = /M-\d+/.exec((await notice.textContent()) ?? "")?.[0] ?? "";
    await notice.getByText(`Your reference is ${reference}. We answer by email.`).waitFor();
    await lookAtLayout(page, "contact-sent");
    await expect.poll(() => page.getByLabel("Message").inputValue()).toBe("");
    await expect.poll(() => page.getByLabel("Subject").inputValue()).toBe("order");
    expect(calls.length).toBe(1);
    expect(JSON.parse(calls[0] ?? "")).toMatchObject({ subject: "wholesale", message });
    await expect.poll(() => mailTo(email).join()).toContain(reference);
    await page.reload();
    await expect.poll(() => page.getByLabel("Message").inputValue()).toBe("");
  });

  test("reports each missing field beside it, and lists links to the fields above the form", async () => {
    const { page } = await openShopper();
    const calls = recordCalls(page);
    await page.goto(at("/contact"));
    await page.getByLabel("Name").fill("Leah Cooper");
    await page.getByLabel("Message").fill(message);
    await submitForm(page);
    const summary = page.getByRole("alert");
    await summary.getByText("Missing information").waitFor();
    expect(await summary.textContent()).toContain("Please fill out all required fields");
    expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
    await look(page, "contact-missing");
    await summary.getByRole("link", { name: "Enter your email address" }).click();
    const field = page.getByLabel("Email Address");
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await field.fill("leah@");
    await submitForm(page);
    await summary.getByText("Please check these fields").waitFor();
    expect(calls).toEqual([]);
  });

  test("explains a failure and keeps all entries, even after a reload", async () => {
    const { page, expectComplaint } = await openShopper({ size: "phone" });
    expectComplaint(/status of 500/);
    await page.route("**/api/contact", (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
    const email = newEmail();
    await page.goto(at("/contact"));
    await fillForm(page, email);
    await page.getByLabel("Subject").selectOption("Other");
    await submitForm(page);
    await page.getByText("Failed to send message").first().waitFor();
    await page.getByText("Please try again later").first().waitFor();
    await lookAtLayout(page, "contact-failed");
    await page.reload();
    await expect.poll(() => page.getByLabel("Message").inputValue()).toBe(message);
    await expect.poll(() => page.getByLabel("Email Address").inputValue()).toBe(email);
    await expect.poll(() => page.getByLabel("Subject").inputValue()).toBe("other");
    await submitForm(page);
    await page.locator("form [role=status]").getByText("Message sent").waitFor();
  });

  test("shows the result inline on /contact-simple", async () => {
    const { page, expectComplaint } = await openShopper();
    expectComplaint(/status of 429/);
    const calls = recordCalls(page);
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(
      "**/api/contact",
      async (route) => {
        await gate;
        await route.fulfill({ status: 429, headers: { "Retry-After": "30" }, json: {} });
      },
      { times: 1 },
    );
    await page.goto(at("/contact-simple"));
    await look(page, "contact-simple");
    await fillForm(page, newEmail());
    await submitForm(page);
    await page.getByRole("button", { name: "Sending....", exact: true }).waitFor();
    release();
    await page.getByText("Failed to send message. Please try again.").waitFor();
    await page.getByText("Please wait 30 seconds.").waitFor();
    await expect.poll(() => page.getByLabel("Message").inputValue()).toBe(message);
    await lookAtLayout(page, "contact-simple-failed");
    await submitForm(page);
    await page.getByText("Form Submitted Successfully").waitFor();
    expect(await page.getByText("Failed to send message. Please try again.").count()).toBe(0);
    await lookAtLayout(page, "contact-simple-sent");
    expect(calls.map((body) => JSON.parse(body).subject)).toEqual([
      "Contact Form Submission",
      "Contact Form Submission",
    ]);
  });
});

test("entries made in one contact form appear in the other form, but not in another tab", async () => {
  const { page, openTab } = await openShopper();
  await page.goto(at("/contact-simple"));
  await page.getByLabel("Message").fill(message);
  await page.goto(at("/contact"));
  await expect.poll(() => page.getByLabel("Message").inputValue()).toBe(message);
  const otherTab = await openTab();
  await otherTab.goto(at("/contact"));
  await otherTab.getByRole("button", { name: "Send Message" }).waitFor();
  await expect.poll(() => otherTab.getByLabel("Message").inputValue()).toBe("");
});

test("on the smallest screen the form can be filled in and sent by keyboard, without reaching the hidden field", async () => {
  const { page } = await openShopper({ size: "small" });
  const email = newEmail();
  await page.goto(at("/contact-simple"));
  await page.getByLabel("Name").focus();
  for (const text of ["Leah", email, "Hello"]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  await advanceClock(page);
  await page.keyboard.press("Enter");
  await page.getByText("Form Submitted Successfully").waitFor();
  await lookAtLayout(page, "contact-simple-small");
  await expect.poll(() => mailTo(email).length).toBe(1);
});
