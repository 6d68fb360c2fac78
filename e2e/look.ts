import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { equalAccessViolationsOn } from "./equal-access.ts";
import { loadScript } from "./load-script.ts";
import { sizes } from "./shopper.ts";
import { expectTargets } from "./targets.ts";

/** Screenshots of every tested page, for review; only with PICTURES=1, because they take a fifth of the time. */
const artifacts = join(import.meta.dirname, "../artifacts");
const wantsPictures = Boolean(process.env.PICTURES);

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Tags of all axe rules; by default it leaves out WCAG 2.2, AAA and experimental ones. */
const axeTags = [
  ...["wcag2a", "wcag2aa", "wcag2aaa", "wcag21a", "wcag21aa", "wcag22aa"],
  ...["best-practice", "experimental"],
];
const uncheckedRules = {
  // The design meets the contrast of AA (4.5:1), not that of AAA (7:1).
  "color-contrast-enhanced": { enabled: false },
  // Only asks for a manual check.
  "hidden-content": { enabled: false },
  // `expectTargets` checks it at both sizes and more strictly.
  "target-size": { enabled: false },
  // Experimental rule that reports the focus guards of Radix's toasts as controls without a role.
  "focus-order-semantics": { enabled: false },
};

/** Takes a full-page screenshot if PICTURES is set; its file name has `name` and the screen's width. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!wantsPictures) return;
  await loadPictures(page);
  mkdirSync(artifacts, { recursive: true });
  await page.screenshot({
    path: join(artifacts, `${name}-${page.viewportSize()?.width}.jpg`),
    quality: 85,
    fullPage: true,
  });
}

/** Loads all pictures, including those below the fold, and waits until each has loaded or failed. Decoding them costs more. */
export async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const picture of document.images) picture.loading = "eager";
  });
  // Polled, because Chromium sends no event if a picture fails to load in the size that it requests after a change of the screen.
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
}

/**
 * Takes a screenshot and checks accessibility, the size of targets and that the page fits the screen. Phone and desktop
 * pages differ only in width, so the checks that depend on it run at both sizes.
 */
export async function look(page: Page, name: string): Promise<void> {
  await lookAtLayout(page, name);
  expect(await violationsOn(page), `violations on ${name}`).toEqual([]);
}

/**
 * Like `look`, for a page as it opens, which also has to fit the narrowest screen. axe checks it as on a phone; at a
 * computer's size, axe and Equal Access, which take longer than opening the page, check pages of the panel only with LONGER=1.
 * The page keeps its last size, and the next one opens at that size, because every change of size costs a new layout.
 */
export async function lookAtAllSizes(page: Page, name: string, isForEverybody: boolean): Promise<void> {
  const { phone, small, desktop } = sizes;
  const order = [phone, small, desktop];
  const checksDesktop = isForEverybody || process.env.LONGER === "1";
  if (page.viewportSize()?.width === desktop.viewport.width) order.reverse();
  for (const size of order) {
    if (page.viewportSize()?.width !== size.viewport.width) await page.setViewportSize(size.viewport);
    await expectToFit(page);
    if (size === small) continue;
    await takePicture(page, name);
    await expectTargets(page);
    if (size === phone) expect(await violationsOn(page), `violations on ${name}`).toEqual([]);
    else if (checksDesktop) {
      // Previews are open, and scroll, only on large screens.
      const previewRules = ["scrollable-region-focusable", "p-as-heading"];
      expect(await violationsOn(page, previewRules), `violations on ${name}`).toEqual([]);
      expect(await equalAccessViolationsOn(page), `violations on ${name}`).toEqual([]);
    }
  }
}

/**
 * Checks only the size of targets and that the page fits the screen, at both sizes. For another state of a page whose
 * accessibility is checked elsewhere: axe costs more than the page itself.
 */
export async function lookAtLayout(page: Page, name: string): Promise<void> {
  await waitForDialog(page);
  const checkLayout = async () => {
    await takePicture(page, name);
    await expectToFit(page);
    await expectTargets(page);
  };
  await checkLayout();
  await atOtherSize(page, checkLayout);
}

/** Runs `check` on a phone screen for a desktop page and vice versa; not at all for other sizes. */
async function atOtherSize(page: Page, check: () => Promise<void>): Promise<void> {
  const currentSize = page.viewportSize();
  const { phone, desktop } = sizes;
  const otherSize = [phone, desktop].find(({ viewport }) => viewport.width !== currentSize?.width);
  if (
    !currentSize ||
    !otherSize ||
    ![phone, desktop].some(({ viewport }) => viewport.width === currentSize.width)
  )
    return;
  await page.setViewportSize(otherSize.viewport);
  await check();
  await page.setViewportSize(currentSize);
}

/**
 * Waits until a dialog is either visible or gone: the page is hidden from assistive technology shortly before its dialog is
 * visible, and until shortly after it is closed.
 */
async function waitForDialog(page: Page): Promise<void> {
  const isSettled = await page.waitForFunction(() => {
    if (!document.querySelector("main[aria-hidden=true], [aria-hidden=true] main")) return "no dialog";
    return [...document.querySelectorAll("[role=dialog], [role=alertdialog]")].some((dialog) =>
      dialog.checkVisibility({ visibilityProperty: true }),
    )
      ? "dialog"
      : null;
  });
  if ((await isSettled.jsonValue()) === "dialog") await page.evaluate(nextFrames);
}

/** Runs in the page: waits until its changes are painted. */
export const nextFrames = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/**
 * Violations found by axe. Called without its own driver, which takes longer than the rules themselves. The only frames are
 * e-mail previews, which run no scripts; emails.test.ts checks e-mails.
 */
export async function violationsOn(
  page: Page,
  tags: string[] = axeTags,
): Promise<{ id: string; at: string[] }[]> {
  if (!(await page.evaluate(() => "axe" in window))) await loadScript(page, "axe", axeSource);
  return page.evaluate(
    async (options) => {
      const { axe: pageAxe } = window as unknown as { axe: typeof axe };
      // Everything else is hidden from assistive technology while a dialog is open.
      const isHidden = document.querySelector("main[aria-hidden=true], [aria-hidden=true] main") !== null;
      const dialogs = isHidden ? document.querySelectorAll("[role=dialog], [role=alertdialog]") : [];
      const { violations } = await pageAxe.run(dialogs.length > 0 ? [...dialogs] : document, options);
      return violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html.slice(0, 160)) }));
    },
    {
      runOnly: tags,
      rules: uncheckedRules,
      resultTypes: ["violations"],
      // Only the HTML of elements is reported.
      selectors: false,
      iframes: false,
    } satisfies axe.RunOptions,
  );
}

/** No page is wider than the screen, and no amount or count is broken over two lines. */
export async function expectToFit(page: Page): Promise<void> {
  // A phone's viewport grows with overflowing content, so the screen's width is used.
  const screen = page.viewportSize()?.width ?? 0;
  const excessPixels = (await page.evaluate(() => document.documentElement.scrollWidth)) - screen;
  const widest = excessPixels > 0 ? await page.evaluate(overflowingElements, screen) : "";
  expect(excessPixels, `pixels too wide at ${screen}: ${page.url()} ${widest}`).toBeLessThanOrEqual(0);
  expect(await page.evaluate(brokenAmounts), `broken amounts at ${screen}: ${page.url()}`).toEqual([]);
}

/** Words or ids of the elements that the toast covers; `parts`: a selector. */
export const coveredByToast = (page: Page, parts: string): Promise<string[]> =>
  page.evaluate((parts) => {
    const toast = document.querySelector("[role=region] li")?.getBoundingClientRect();
    if (!toast) return ["no toast"];
    const covered = new Set<string>();
    for (let x = toast.left; x < toast.right; x += 4)
      for (let y = toast.top; y < toast.bottom; y += 4)
        for (const element of document.elementsFromPoint(x, y)) {
          const part = element.closest(parts);
          if (part) covered.add(part.textContent || part.id);
        }
    return [...covered];
  }, parts);

/** Checks that the page also fits the narrowest screen. */
export async function expectToFitSmall(page: Page): Promise<void> {
  const currentSize = page.viewportSize() ?? sizes.phone.viewport;
  await page.setViewportSize(sizes.small.viewport);
  await expectToFit(page);
  await page.setViewportSize(currentSize);
}

/** Runs in the page: amounts such as "-$1,234.50" and counts such as "22" that are broken over several lines, with their elements. */
function brokenAmounts(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const splitAmounts: string[] = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    for (const { 0: amount, index } of (node.nodeValue ?? "").matchAll(
      /[-−]?\$[\d,]+(?:\.\d\d)?|^\d[\d,]*\+?$/g,
    )) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + amount.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) splitAmounts.push(`${amount} in ${node.parentElement?.outerHTML.slice(0, 160)}`);
    }
  }
  return splitAmounts;
}

/** Runs in the page: the innermost elements that overflow the screen's right edge. */
function overflowingElements(screen: number): string {
  const overflowing = [...document.querySelectorAll("body *")].filter(
    (element) => element.getBoundingClientRect().right > screen + 0.5,
  );
  const innermost = overflowing.filter(
    (element) => !overflowing.some((other) => other !== element && element.contains(other)),
  );
  return innermost.map(({ outerHTML }) => outerHTML.slice(0, 160)).join("\n");
}
