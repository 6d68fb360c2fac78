import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Everything that can be pressed is as large as a pointer (24 px) or a finger on a phone (44 px) needs. Links within a
 * sentence are as high as its line.
 */
export async function expectTargets(page: Page): Promise<void> {
  const isPhone = (page.viewportSize()?.width ?? 0) < 768;
  const small = await page.evaluate(smallTargets, isPhone ? 44 : 24);
  expect(small, `targets that are too small: ${page.url()}`).toEqual([]);
}

/** Runs in the page. */
function smallTargets(least: number): string[] {
  const pressable = "a[href], button, input, select, textarea, summary, [role=button]";
  /** Tolerance for rounding, in pixels. */
  const isSmall = ({ width, height }: { width: number; height: number }) =>
    width < least - 0.5 || height < least - 0.5;
  const isWithinSentence = (element: Element): boolean => {
    if (element.tagName !== "A" || getComputedStyle(element).display !== "inline") return false;
    const words = element.closest("p, li, td, dd, label, div")?.textContent?.trim() ?? "";
    return words.length > (element.textContent?.trim().length ?? 0);
  };
  /** A tick box is pressed by its label, too. */
  const areaOf = (element: Element): { width: number; height: number } => {
    // On phones the link of a row covers all of it.
    const row = innerWidth < 768 && element.matches("[data-row-link]") ? element.closest("tr") : null;
    const box = (row ?? element).getBoundingClientRect();
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.getBoundingClientRect() : null;
    return label && /^(radio|checkbox)$/.test((element as HTMLInputElement).type)
      ? { width: Math.max(box.width, label.width), height: Math.max(box.height, label.height) }
      : box;
  };
  return [...document.querySelectorAll(pressable)].flatMap((element) => {
    if (element.matches(":disabled, [aria-hidden=true] *, [inert] *, [type=hidden]")) return [];
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
    const area = areaOf(element);
    // Invisible to pointers: the skip link without the focus.
    if (area.width <= 1 || area.height <= 1) return [];
    if (!isSmall(area) || isWithinSentence(element)) return [];
    return [`${Math.round(area.width)} x ${Math.round(area.height)}: ${element.outerHTML.slice(0, 140)}`];
  });
}
