import type { Page, Request } from "playwright-core";
import { describe, expect, test } from "vitest";
import { at, openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();

type Loaded = { path: string; kind: string; bytes: number };

/** Everything a page loads until nothing more comes, read to its end, with the bodies' bytes as they came over the wire. */
async function loadedBy(page: Page, path: string): Promise<Loaded[]> {
  const requests: Request[] = [];
  page.on("request", (request) => requests.push(request));
  await page.goto(at(path), { waitUntil: "networkidle" });
  // Step by step: a jump would miss what loads on the way.
  await page.evaluate(async () => {
    while (window.scrollY + window.innerHeight < document.documentElement.scrollHeight - 1) {
      window.scrollBy({ top: window.innerHeight / 2, behavior: "instant" });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  await page.waitForTimeout(300);
  await page.waitForLoadState("networkidle");
  return Promise.all(
    requests.map(async (request) => ({
      path: new URL(request.url()).pathname,
      kind: request.resourceType(),
      bytes: (await request.sizes()).responseBodySize,
    })),
  );
}

function weightOf(loaded: Loaded[], kind: string): number {
  return loaded.filter((one) => one.kind === kind).reduce((sum, { bytes }) => sum + bytes, 0);
}

test.each([
  ["/", 120],
  ["/product/pure-batana-oil", 121],
  ["/reviews", 120],
])(
  "a first visit to %s loads at most %i kB of scripts and 25 kB of styles, however far it is read",
  async (path, most) => {
    const { page } = await openShopper({ size: "phone" });
    const loaded = await loadedBy(page, path);
    expect(weightOf(loaded, "script")).toBeGreaterThan(50_000);
    expect(weightOf(loaded, "script")).toBeLessThanOrEqual(most * 1000);
    expect(weightOf(loaded, "stylesheet")).toBeGreaterThan(5_000);
    expect(weightOf(loaded, "stylesheet")).toBeLessThanOrEqual(25_000);
  },
);

describe.each(["/", "/product/pure-batana-oil"])("a first visit to %s on a phone", (path) => {
  test("shows its first picture from at most 60 kB, and loads it once", async () => {
    const { page } = await openShopper({ size: "phone" });
    const loaded = await loadedBy(page, path);
    const first = await page.evaluate(() => {
      const img = document.querySelector<HTMLImageElement>("main img[fetchpriority=high]");
      return img === null ? null : new URL(img.currentSrc).pathname;
    });
    const times = loaded.filter((one) => one.path === first);
    expect(times).toHaveLength(1);
    expect(times[0]?.bytes).toBeLessThanOrEqual(60_000);
  });

  test("has its fonts on the way before its styles ask for them, and no more of them than it shows", async () => {
    const { page } = await openShopper({ size: "phone" });
    const loaded = await loadedBy(page, path);
    const preloaded = await page
      .locator("link[rel=preload][as=font]")
      .evaluateAll((links) => links.map((link) => new URL((link as HTMLLinkElement).href).pathname));
    const fonts = loaded.filter(({ kind }) => kind === "font");
    expect(preloaded.length).toBeGreaterThan(0);
    for (const font of preloaded) expect(fonts.filter(({ path: one }) => one === font)).toHaveLength(1);
    expect(weightOf(loaded, "font")).toBeLessThanOrEqual(70_000);
  });

  test("does not move while its pictures come, nor its fonts where the machine has what they are matched to", async () => {
    const { page } = await openShopper({ size: "phone" });
    const later = (pattern: RegExp, ms: number) =>
      page.route(pattern, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        await route.continue();
      });
    await later(/\.woff2$/, 500);
    await later(/\.(avif|webp|jpg)$/, 1200);
    await page.goto(at(path), { waitUntil: "networkidle" });
    const moved = await page.evaluate(async () => {
      await document.fonts.ready;
      const hasMatch = [...document.fonts].some(
        ({ family, status }) => family.includes("Fallback") && status === "loaded",
      );
      const fontsAt = performance
        .getEntriesByType("resource")
        .filter(({ name }) => name.endsWith(".woff2"))
        .map((font) => (font as PerformanceResourceTiming).responseEnd);
      // A bare machine has none of the fonts that ours are matched to: there, only what moves after them counts.
      const since = hasMatch ? 0 : Math.max(...fontsAt) + 200;
      const shifts = await new Promise<PerformanceEntry[]>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries())).observe({
          type: "layout-shift",
          buffered: true,
        });
        setTimeout(resolve, 500, []);
      });
      return shifts
        .filter(({ startTime }) => startTime > since)
        .reduce((sum, shift) => sum + (shift as PerformanceEntry & { value: number }).value, 0);
    });
    expect(moved).toBeLessThan(0.005);
  });
});
