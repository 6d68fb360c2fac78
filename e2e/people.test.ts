import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { look } from "./look.ts";
import { openOwner } from "./owner.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();

/** A device that makes passkeys, and says yes to whatever it is asked. */
async function withPasskeys(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page);
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

test("somebody invited joins by the link, adds a passkey, and signs in with it, to what the role may", async () => {
  const { page: owner } = await openOwner();
  await owner.goto(at("/admin/people"));
  await owner.getByRole("button", { name: "Invite somebody" }).click();
  const form = owner.getByRole("dialog", { name: "Invite somebody" });
  await form.getByLabel("Name").fill("Pia Packer");
  await form.getByLabel("Email").fill("pia@example.com");
  await form.getByText("Packer", { exact: true }).click();
  await form.getByRole("button", { name: "Make the link" }).click();
  const link = await owner.getByRole("textbox", { name: "Link" }).inputValue();
  await owner.getByRole("button", { name: "Done" }).click();
  await owner.getByText("pia@example.com").waitFor();
  await look(owner, "admin-people");

  const { page, context, expectComplaint } = await openShopper({ size: "phone" });
  expectComplaint(/status of 403/);
  await withPasskeys(context, page);
  await page.goto(link);
  await page.getByRole("button", { name: "Open the panel" }).click();
  await page.getByRole("heading", { name: "My account" }).waitFor();
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("not used yet").waitFor();
  await look(page, "admin-account");

  await page.getByRole("button", { name: "Log Out" }).click();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("heading", { name: "My account" }).waitFor();
  await page.goto(at("/admin"));
  await page.getByRole("heading", { name: "View Orders" }).waitFor();
  await page.goto(at("/admin/people"));
  await page.getByText("This page is not for your role").waitFor();

  await owner.reload();
  await owner.getByRole("button", { name: "Change Pia Packer" }).click();
  await owner.getByRole("button", { name: "Deactivate" }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
  await owner.getByText("Deactivated", { exact: true }).waitFor();
  await page.goto(at("/admin/orders"));
  await expect.poll(() => page.getByLabel("Access code").count()).toBe(1);
});
