import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type Size, sizes } from "./shopper.ts";
import { expectTargets } from "./targets.ts";

/** Pictures of every page as it was tested, to be looked at: made with PICTURES=1, for they take a fifth of the time. */
const artifacts = join(import.meta.dirname, "../artifacts");
const wantsPictures = Boolean(process.env.PICTURES);

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Tags of all the rules that axe has: by itself it leaves out those of WCAG 2.2, those of AAA and the experimental ones. */
const axeTags = [
  ...["wcag2a", "wcag2aa", "wcag2aaa", "wcag21a", "wcag21aa", "wcag22aa"],
  ...["best-practice", "experimental"],
];
const notHeld = {
  // Contrast of 7:1, as AAA wants it, is not the design's; AA's 4.5:1 is held.
  "color-contrast-enhanced": { enabled: false },
  // An experiment that takes the spans by which Radix's toasts hand the focus on for controls without a role.
  "focus-order-semantics": { enabled: false },
};

/** Takes the page's picture, all of it, where pictures are wanted. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!wantsPictures) return;
  await loadPictures(page);
  mkdirSync(artifacts, { recursive: true });
  await page.screenshot({ path: join(artifacts, `${name}.jpg`), quality: 85, fullPage: true });
}

/** Loads the pictures below the fold, too, and waits until each is there or known not to come. */
export async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const pictures = [...document.images];
    for (const picture of pictures) picture.loading = "eager";
    await Promise.all(pictures.map((picture) => picture.decode().catch(() => null)));
  });
}

/**
 * Holds the page to accessibility, to the size of its targets and to the screen's width, and takes its picture: on a
 * phone and on a desktop, whichever of them it is open on, for nothing but the width sets them apart (there is one
 * page, and no script asks how wide it is). A page of another size is looked at as it is.
 */
export async function look(page: Page, name: string): Promise<void> {
  // A dialog hides the page from assistive technology a moment before it is there to be seen itself.
  if (await page.locator("main[aria-hidden=true], [aria-hidden=true] main").count()) {
    await page.getByRole("dialog").last().waitFor();
    await page.evaluate(nextFrames);
  }
  const own = page.viewportSize();
  if (own?.width === sizes.phone.viewport.width) await lookAt(page, name, "desktop");
  if (own?.width === sizes.desktop.viewport.width) await lookAt(page, name, "phone");
  await lookAt(page, name);
}

/** As the page is, or for a moment at another size. */
async function lookAt(page: Page, name: string, other?: Size): Promise<void> {
  const own = page.viewportSize();
  if (other) await page.setViewportSize(sizes[other].viewport);
  const seen = `${name}-${page.viewportSize()?.width}`;
  await takePicture(page, seen);
  await expectToFit(page);
  await expectTargets(page);
  expect(await violationsOn(page), `violations on ${seen}`).toEqual([]);
  if (other && own) await page.setViewportSize(own);
}

const nextFrames = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/**
 * What axe finds. Called without its own driver, which costs more than the rules themselves. Our pages have no frames but
 * those that show an e-mail, in which nothing may run: letters.test.ts looks at e-mails.
 */
export async function violationsOn(
  page: Page,
  tags: string[] = axeTags,
): Promise<{ id: string; at: string[] }[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  return page.evaluate(
    async (options) => {
      const { axe: inPage } = window as unknown as { axe: typeof axe };
      const { violations } = await inPage.run(document, options);
      return violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html.slice(0, 160)) }));
    },
    { runOnly: tags, rules: notHeld, resultTypes: ["violations"], iframes: false } satisfies axe.RunOptions,
  );
}

/** Nothing is wider than the screen. */
export async function expectToFit(page: Page): Promise<void> {
  // A phone's window grows with what is too wide for it: only the screen says how much there is.
  const screen = page.viewportSize()?.width ?? 0;
  const wider = (await page.evaluate(() => document.documentElement.scrollWidth)) - screen;
  expect(wider, `pixels too wide: ${page.url()}`).toBeLessThanOrEqual(0);
}
