import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect, test } from "vitest";
import { lookAtBothSizes } from "./look.ts";
import { openOwner, seeToast } from "./owner.ts";
import { openOwnShop } from "./shop-here.ts";
import { at, shareBrowser } from "./shopper.ts";

shareBrowser();
openOwnShop(() => ({}));

const checkItem = (page: Page, title: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title, exact: true }) });

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
  await lookAtBothSizes(page, "go-live");

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

  await checkItem(page, "Seller").getByRole("link", { name: "Seller" }).click();
  await page.waitForURL(/\/admin\/settings\/shop\?go-live#seller$/);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Seller");
});

test("one tap on the phone opens the file picker for the founder’s photograph", async () => {
  const { page } = await openOwner({ size: "phone" });
  await page.goto(at("/admin/settings/giving#founder"));
  const photograph = await sharp({ create: { width: 900, height: 1100, channels: 3, background: "#7a4a2b" } })
    .jpeg()
    .toBuffer();
  const fileChooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a photograph" }).click();
  await (await fileChooser).setFiles({ name: "me.jpg", mimeType: "image/jpeg", buffer: photograph });
  await seeToast(page, "Photograph saved");
  await page.getByRole("textbox", { name: "Name" }).last().fill("Ada Obi");
  await page
    .getByRole("button", { name: "Save changes" })
    .or(page.getByRole("button", { name: "Save" }))
    .first()
    .click();
  await seeToast(page, "Founder saved");
  await lookAtBothSizes(page, "founder-settings");
  await page.goto(at("/story"));
  await page.getByRole("img", { name: "Ada Obi" }).scrollIntoViewIfNeeded();
  await lookAtBothSizes(page, "founder-story");
  await page.goto(at("/"));
  await page.getByText("Our own statement, not a certificate.").first().scrollIntoViewIfNeeded();
  await lookAtBothSizes(page, "founder-home");
});
