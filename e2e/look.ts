import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Pictures of every page as it was tested, to be looked at. */
const artifacts = join(import.meta.dirname, "../artifacts");

/** Takes the page's picture and holds it to accessibility and width. */
export async function look(page: Page, name: string): Promise<void> {
  await page.evaluate(async () => {
    const pictures = [...document.images];
    // Those below the fold would be missing in the picture.
    for (const picture of pictures) picture.loading = "eager";
    await Promise.all(pictures.map((picture) => picture.decode().catch(() => null)));
  });
  mkdirSync(artifacts, { recursive: true });
  await page.screenshot({ path: join(artifacts, `${name}.jpg`), quality: 85, fullPage: true });
  await expectToFit(page);
  const { violations } = await new AxeBuilder({ page })
    .options({
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      resultTypes: ["violations"],
    })
    // Without a second page for frames: ours have none.
    .setLegacyMode()
    .analyze();
  const found = violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html.slice(0, 160)) }));
  expect(found, `violations on ${name}`).toEqual([]);
}

/** Nothing is wider than the screen. */
export async function expectToFit(page: Page): Promise<void> {
  // A phone's window grows with what is too wide for it: only the screen says how much there is.
  const screen = page.viewportSize()?.width ?? 0;
  const wider = (await page.evaluate(() => document.documentElement.scrollWidth)) - screen;
  expect(wider, `pixels too wide: ${page.url()}`).toBeLessThanOrEqual(0);
}
