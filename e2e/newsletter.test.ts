import { expect, test } from "vitest";
import { expectToFit, look } from "./look.ts";
import { linkInMail, mailTo } from "./mail.ts";
import { asOwner, openOwner, waitForToast } from "./owner.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";
import { continueToPayment, fillAddress, fillCart, payWith, waitForThankYouPage } from "./steps.ts";

shareBrowser();

const reader = "reads-news@example.com";

test("a newsletter is written and sent on a phone, reaches its reader, and counts the order made with its code", async () => {
  await asOwner("PATCH", "/api/admin/settings", { newsletter: true });
  await asOwner("POST", "/api/admin/discounts", { code: "HARVEST15", kind: "percent", value: 15 });
  const { page: shopper, context } = await openShopper({ size: "phone" });
  await context.request.post(at("/api/newsletter"), { data: { email: reader } });
  const confirmation = await linkInMail(reader, "/newsletter?confirm=", "/newsletter");
  await shopper.goto(confirmation.replace(/^https?:\/\/[^/]+/, at("")));
  await shopper.getByRole("button", { name: "Yes, sign me up" }).click();
  await shopper.getByRole("heading", { name: "You’re on the list" }).waitFor();

  const { page, expectComplaint } = await openOwner({ size: "phone" });
  expectComplaint(/status of 422/);
  await page.goto(at("/admin/campaigns"));
  await page.getByRole("button", { name: "New newsletter" }).first().click();
  await page.getByRole("heading", { name: "New newsletter" }).waitFor();
  await page.getByLabel("Subject").fill("The first oil of the year");
  await page.getByRole("textbox", { name: "Text" }).fill("Use {{code}}");
  await page.getByRole("button", { name: "Save draft" }).click();
  await waitForToast(page, "Draft saved");
  await page.getByRole("button", { name: "Send …" }).click();
  await page.getByRole("button", { name: /^Send to / }).click();
  await waitForToast(page, "The newsletter was not sent");
  await page.getByText("Choose a discount code below, or remove {{code}}").first().waitFor();
  await page.getByRole("textbox", { name: "Text" }).fill("Pressed in **May**.\n\n- [How we make it](/story)");
  await page.getByLabel("Product", { exact: true }).selectOption({ index: 1 });
  await page.getByLabel("Discount code").selectOption("HARVEST15");
  await page.getByRole("status").filter({ hasText: "at present" }).waitFor();
  await page.getByRole("button", { name: "Save draft" }).click();
  await waitForToast(page, "Draft saved");
  await look(page, "newsletter-draft");

  await page.getByRole("button", { name: "Send …" }).click();
  await page.getByRole("button", { name: /^Send to / }).click();
  await waitForToast(page, "Newsletter on its way");
  await expect.poll(() => mailTo(reader).filter((text) => text.includes("Pressed in")).length).toBe(1);

  const letter = mailTo(reader).find((text) => text.includes("Pressed in")) ?? "";
  const link = new URL(/https?:\S+[?&]code=HARVEST15/.exec(letter)?.[0] ?? "");
  await shopper.goto(at(link.pathname + link.search));
  await fillCart(shopper);
  await shopper.goto(at("/checkout"));
  await fillAddress(shopper, reader);
  await shopper.getByRole("button", { name: "Remove discount code HARVEST15" }).first().waitFor();
  await continueToPayment(shopper);
  await payWith(shopper, "Succeeds");
  await waitForThankYouPage(shopper);

  await page.reload();
  await page.getByText(/^Begun .+\. Done .+\.$/).waitFor();
  const figure = (name: string) => page.locator("dl > div").filter({ hasText: name });
  expect(await figure("Orders").textContent()).toMatch(
    /^Orders1\$[1-9]\d\.\d\d with HARVEST15, within 7 days$/,
  );
  await expectToFit(page);
  await look(page, "newsletter-results");
});
