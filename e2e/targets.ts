import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Checks that everything clickable is large enough for a mouse pointer (24 px) or, on phones, for a finger (44 px). Links
 * within a sentence only need the height of their line.
 */
export async function expectTargets(page: Page): Promise<void> {
  const isPhone = (page.viewportSize()?.width ?? 0) < 768;
  const tooSmall = await page.evaluate(smallTargets, isPhone ? 44 : 24);
  expect(tooSmall, `targets that are too small: ${page.url()}`).toEqual([]);
}

/** Runs in the page. */
function smallTargets(minSize: number): string[] {
  const clickable = "a[href], button, input, select, textarea, summary, [role=button]";
  /** Tolerance for rounding, in pixels. */
  const isSmall = ({ width, height }: { width: number; height: number }) =>
    width < minSize - 0.5 || height < minSize - 0.5;
  const isWithinSentence = (element: Element): boolean => {
    if (element.tagName !== "A" || getComputedStyle(element).display !== "inline") return false;
    const words = element.closest("p, li, td, dd, label, div")?.textContent?.trim() ?? "";
    return words.length > (element.textContent?.trim().length ?? 0);
  };
  /** The label of a checkbox is part of its target. */
  const targetArea = (element: Element): { width: number; height: number } => {
    // On phones the link of a row covers all of it.
    const row = innerWidth < 768 && element.matches("[data-row-link]") ? element.closest("tr") : null;
    const box = (row ?? element).getBoundingClientRect();
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.getBoundingClientRect() : null;
    return label && /^(radio|checkbox)$/.test((element as HTMLInputElement).type)
      ? { width: Math.max(box.width, label.width), height: Math.max(box.height, label.height) }
      : box;
  };
  return [...document.querySelectorAll(clickable)].flatMap((element) => {
    if (element.matches(":disabled, [aria-hidden=true] *, [inert] *, [type=hidden]")) return [];
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
    const area = targetArea(element);
    // The skip link is not clickable while it has no focus.
    if (area.width <= 1 || area.height <= 1) return [];
    if (!isSmall(area) || isWithinSentence(element)) return [];
    return [`${Math.round(area.width)} x ${Math.round(area.height)}: ${element.outerHTML.slice(0, 140)}`];
  });
}
