import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectToFit, violationsOn } from "./look.ts";
import { linkInMail } from "./mail.ts";
import { buy } from "./owner.ts";
import { setName, shareDatabase } from "./shop-database.ts";
import { shopHere } from "./shop-here.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();
shareDatabase();

/** HTML of the stored e-mail of this kind that contains `text`. */
function storedEmail(kind: string, text: string): string {
  const folder = join(shopHere().dataDir, "mail");
  const mails = readdirSync(folder)
    .filter((file) => file.endsWith(".html") && file.includes(`-${kind}-`))
    .map((file) => readFileSync(join(folder, file), "utf8"));
  const email = mails.find((html) => html.includes(text));
  if (!email) throw new Error(`No mail of kind ${kind} has the words ${text}`);
  return email;
}

test.each([
  ["light", 600],
  ["dark", 390],
] as const)("an e-mail is readable and accessible in %s mode, %i px wide", async (colorScheme, width) => {
  // A word that is longer than a line.
  await setName("Donaudampfschifffahrtsgesellschaftskapitän’s Hair Oil");
  const email = `reads-${colorScheme}@example.com`;
  const { page } = await openShopper();
  const { number } = await buy(page.context().request, { email });
  await linkInMail(email, `#${number}`);

  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 800 });
  // Served from the shop's origin: browsers block pictures of the local network on pages of other origins.
  const body = storedEmail("order_confirmation", `#${number}`);
  expect(body, "the days of delivery are not broken over two lines").toMatch(/white-space:nowrap[^>]*>3-5</);
  await page.route(at("/mail"), (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(at("/mail"));
  await expectToFit(page);
  expect(await violationsOn(page, ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"])).toEqual([]);
  // Mail programs with a dark mode recolor elements that set only one of background and text color.
  const textsWithoutColors = await page.evaluate(() => {
    const setsInline = (element: Element, property: string): boolean =>
      element instanceof HTMLElement && element.style.getPropertyValue(property) !== "";
    const isSetInline = (element: Element | null, property: string): boolean =>
      element !== null && (setsInline(element, property) || isSetInline(element.parentElement, property));
    return [...document.querySelectorAll("body *")]
      .filter((element) => element.checkVisibility())
      .filter((element) =>
        [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()),
      )
      .filter((element) => !isSetInline(element, "color") || !isSetInline(element, "background-color"))
      .map((element) => element.textContent);
  });
  expect(textsWithoutColors, "texts whose color or background the mail program decides").toEqual([]);
});
