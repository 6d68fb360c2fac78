import type { Browser, CDPSession } from "playwright-core";
import { launchBrowser } from "../test/browser.ts";
import { median } from "./statistics.ts";

/** A mid-range phone on slow 4G, with the figures of Lighthouse's mobile profile. */
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const network = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
const cpuSlowdown = 4;
const visits = 3;
const settleMs = 1_500;

/** Medians of several first visits. `clickMs` is from the tap to the next picture; null where there is nothing to tap. */
export type Visit = { lcpMs: number; shift: number; clickMs: number | null; bytes: number };
type Seen = { lcp: number; shift: number; click: number };

/** First visits in a real browser. `tap` is what is tapped once the page has settled. */
export async function measureVisits(
  shopUrl: string,
  pages: readonly { path: string; tap: string }[],
): Promise<Map<string, Visit>> {
  const browser = await launchBrowser();
  try {
    const measured = new Map<string, Visit>();
    for (const { path, tap } of pages) {
      const all: Visit[] = [];
      for (let visit = 0; visit < visits; visit += 1) all.push(await visitOnce(browser, shopUrl + path, tap));
      const clicks = all.flatMap(({ clickMs }) => (clickMs === null ? [] : [clickMs]));
      measured.set(path, {
        lcpMs: median(all.map(({ lcpMs }) => lcpMs)),
        shift: Math.max(...all.map(({ shift }) => shift)),
        clickMs: clicks.length === 0 ? null : median(clicks),
        bytes: median(all.map(({ bytes }) => bytes)),
      });
    }
    return measured;
  } finally {
    await browser.close();
  }
}

async function visitOnce(browser: Browser, url: string, tap: string): Promise<Visit> {
  const context = await browser.newContext(phone);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const bytes = await throttled(session);
    await page.addInitScript(watch);
    await page.goto(url, { waitUntil: "networkidle", timeout: 60_000 });
    await page.waitForTimeout(settleMs);
    const loadedBytes = bytes();
    const target = page.locator(tap).first();
    const canTap = await target.isVisible();
    if (canTap) {
      await target.tap();
      await page.waitForTimeout(settleMs);
    }
    const seen = await page.evaluate(() => (window as unknown as { seen: Seen }).seen);
    return {
      lcpMs: seen.lcp,
      shift: seen.shift,
      clickMs: canTap ? seen.click : null,
      bytes: loadedBytes,
    };
  } finally {
    await context.close();
  }
}

/** Answers a reading of the bytes that came over the wire so far. */
async function throttled(session: CDPSession): Promise<() => number> {
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", network);
  await session.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown });
  return () => bytes;
}

/** Runs in the page. */
function watch(): void {
  const seen: Seen = { lcp: 0, shift: 0, click: 0 };
  (window as unknown as { seen: Seen }).seen = seen;
  const observe = (type: string, read: (entry: PerformanceEntry) => void, more = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) read(entry);
    }).observe({ type, buffered: true, ...more });
  observe("largest-contentful-paint", ({ startTime }) => {
    seen.lcp = startTime;
  });
  observe("layout-shift", (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) seen.shift += value;
  });
  observe(
    "event",
    (entry) => {
      const { interactionId } = entry as PerformanceEntry & { interactionId: number };
      if (interactionId > 0) seen.click = Math.max(seen.click, entry.duration);
    },
    { durationThreshold: 16 },
  );
}
