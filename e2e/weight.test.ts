import type { Page, Request } from "playwright-core";
import { expect, test } from "vitest";
import { nextFrames } from "./look.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();

type LoadedFile = { path: string; kind: string; bytes: number };

/** All files that a page loads while it is scrolled to its end, with the sizes of their bodies as transferred. */
async function loadFiles(page: Page, path: string): Promise<LoadedFile[]> {
  const requests: Request[] = [];
  page.on("request", (request) => requests.push(request));
  await page.goto(at(path), { waitUntil: "networkidle" });
  // In steps, because a jump would skip pictures that load when they come into view.
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

function sumBytes(files: LoadedFile[], kind: string): number {
  return files.filter((file) => file.kind === kind).reduce((sum, { bytes }) => sum + bytes, 0);
}

test.each([
  ["/", 112],
  ["/product/pure-batana-oil", 116],
  ["/reviews", 112],
])(
  "a first visit to %s loads at most %i kB of scripts, 16 kB of styles, 40 kB of fonts and 60 kB for its first picture",
  async (path, maxScriptKilobytes) => {
    const { page } = await openShopper({ size: "phone", isFirstVisit: true });
    const files = await loadFiles(page, path);
    expect(sumBytes(files, "script")).toBeGreaterThan(50_000);
    expect(sumBytes(files, "script")).toBeLessThanOrEqual(maxScriptKilobytes * 1000);
    expect(sumBytes(files, "stylesheet")).toBeGreaterThan(5_000);
    expect(sumBytes(files, "stylesheet")).toBeLessThanOrEqual(16_000);

    // Fonts are preloaded before the styles request them.
    const preloaded = await page
      .locator("link[rel=preload][as=font]")
      .evaluateAll((links) => links.map((link) => new URL((link as HTMLLinkElement).href).pathname));
    const fontFiles = files.filter(({ kind }) => kind === "font");
    expect(preloaded.length).toBeGreaterThan(0);
    for (const font of preloaded) expect(fontFiles.filter((file) => file.path === font)).toHaveLength(1);
    expect(sumBytes(files, "font")).toBeLessThanOrEqual(40_000);

    if (path === "/reviews") return;
    const firstPicture = await page.evaluate(() => {
      const img = document.querySelector<HTMLImageElement>("main img[fetchpriority=high]");
      return img === null ? null : new URL(img.currentSrc).pathname;
    });
    const pictureLoads = files.filter((file) => file.path === firstPicture);
    expect(pictureLoads).toHaveLength(1);
    expect(pictureLoads[0]?.bytes).toBeLessThanOrEqual(60_000);
  },
);

/** The sum of layout shifts after a time (ms since the page's start). */
function shiftSince(page: Page, since: number): Promise<number> {
  return page.evaluate(async (start) => {
    const shifts = await new Promise<PerformanceEntry[]>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({
        type: "layout-shift",
        buffered: true,
      });
      setTimeout(resolve, 500, []);
    });
    return shifts
      .filter(({ startTime }) => startTime > start)
      .reduce((sum, shift) => sum + (shift as PerformanceEntry & { value: number }).value, 0);
  }, since);
}

test("the checkout does not shift while an empty cart leads to the cart page", async () => {
  const { page } = await openShopper({ size: "phone" });
  await page.goto(at("/checkout"));
  await page.waitForURL("**/cart");
  await page.waitForLoadState("networkidle");
  expect(await shiftSince(page, 0)).toBeLessThan(0.005);
});

test.each(["/", "/product/pure-batana-oil"])(
  "the layout of %s does not shift on a first visit while pictures load, nor while fonts load if the machine has the fallback fonts",
  async (path) => {
    const { page } = await openShopper({ size: "phone", isFirstVisit: true });
    // Fonts arrive after the text, and pictures after the fonts.
    const [textShown, fontsShown] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    for (const [pattern, gate] of [
      [/\.woff2$/, textShown],
      [/\.(avif|webp|jpg)$/, fontsShown],
    ] as const) {
      await page.route(pattern, async (route) => {
        await gate.promise;
        await route.continue();
      });
    }
    await page.goto(at(path), { waitUntil: "commit" });
    await page.locator("h1").waitFor();
    await page.evaluate(nextFrames);
    textShown.resolve();
    await page.waitForFunction(
      (count) => [...document.fonts].filter(({ status }) => status === "loaded").length >= count,
      await page.locator("link[rel=preload][as=font]").count(),
    );
    await page.evaluate(nextFrames);
    const { hasMatch, now } = await page.evaluate(() => ({
      hasMatch: [...document.fonts].some(
        ({ family, status }) => family.includes("Fallback") && status === "loaded",
      ),
      now: performance.now(),
    }));
    fontsShown.resolve();
    await page.waitForLoadState("networkidle");
    await page.evaluate(nextFrames);
    // On a machine without the fallback fonts that the web fonts are matched to, only shifts after the fonts count.
    const totalShift = await shiftSince(page, hasMatch ? 0 : now);
    expect(totalShift).toBeLessThan(0.005);
  },
);

test.each([
  ["phone", "/product/pure-batana-oil", "h1", ".gallery-frame"],
  ["desktop", "/product/pure-batana-oil", ".gallery", ".gallery + *"],
  ["desktop", "/", ".hero > a", ".hero > :not(a)"],
] as const)(
  "on a %s, %s paints %s in its final place before %s has been parsed",
  async (size, path, shown, unparsed) => {
    const { page } = await openShopper({ size });
    await page.goto(at(path), { waitUntil: "networkidle" });
    const [before, after] = await page.evaluate(
      ([shownSelector, unparsedSelector]) => {
        const place = () => {
          const box = document.querySelector(shownSelector)?.getBoundingClientRect();
          return [box?.left, box?.top, box?.width].map((side) => Math.round(side ?? -1));
        };
        const first = place();
        document.querySelector(unparsedSelector)?.remove();
        return [first, place()];
      },
      [shown, unparsed] as const,
    );
    expect(before?.[2]).toBeGreaterThan(300);
    expect(after).toEqual(before);
  },
);

test("without scripts, the gallery of a product is shown at full width", async () => {
  const { page } = await openShopper({ javaScriptEnabled: false });
  await page.goto(at("/product/pure-batana-oil"));
  expect((await page.locator(".gallery").boundingBox())?.width).toBeGreaterThan(500);
});
