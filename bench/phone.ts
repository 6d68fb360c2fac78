import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Browser, CDPSession } from "playwright-core";
import * as v from "valibot";
import { launchBrowser } from "../test/browser.ts";
import { freePort } from "../test/free-port.ts";
import { type Figure, median } from "./figures.ts";
import { home, productPage } from "./pages.ts";

/** A mid-range phone on slow 4G, as in Lighthouse's mobile profile. */
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const network = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
const cpuSlowdown = 4;
/** By page: selector of the element to tap once the page has settled. */
const taps = {
  [home]: "button:has-text('Add to Cart')",
  [productPage]: "article button:has-text('Add to Cart')",
  "/reviews": "main a[href*='rating=5']",
};
const visits = 3;
const settleMs = 1_500;

/** `clickMs`: from the tap to the next frame; null if there was nothing to tap. */
type Visit = {
  lcpMs: number;
  /** Time until React has taken over the page's controls, so that a tap works. */
  interactiveMs: number;
  shift: number;
  clickMs: number | null;
  bytes: number;
  scriptBytes: number;
};
type Vitals = { lcp: number; interactive: number; shift: number; click: number };
type Traffic = { bytes: number; scriptBytes: number };

/** Medians of several first visits in a real browser. */
export async function measurePhone(shopUrl: string): Promise<Figure[]> {
  const browser = await launchBrowser();
  try {
    const figures: Figure[] = [];
    for (const [path, tap] of Object.entries(taps)) {
      const results: Visit[] = [];
      for (let visit = 0; visit < visits; visit += 1)
        results.push(await visitOnce(browser, shopUrl + path, tap));
      const lcpMs = median(results.map(({ lcpMs }) => lcpMs));
      // Rounded to a thousandth, as in browsers' own tools.
      const shift = Math.round(Math.max(...results.map(({ shift }) => shift)) * 1_000) / 1_000;
      const clicks = results.flatMap(({ clickMs }) => clickMs ?? []);
      const bytes = median(results.map(({ bytes }) => bytes));
      figures.push({ name: `${path}: LCP`, value: lcpMs / 1_000, unit: "s", target: { max: 1.8 } });
      const interactive = median(results.map(({ interactiveMs }) => interactiveMs)) / 1_000;
      figures.push({ name: `${path}: a tap works`, value: interactive, unit: "s", target: { max: 1.8 } });
      figures.push({ name: `${path}: CLS`, value: shift, unit: "", target: { max: 0 } });
      if (clicks.length > 0)
        figures.push({ name: `${path}: from tap to picture`, value: median(clicks), unit: "ms" });
      figures.push({ name: `${path}: over the wire`, value: bytes / 1_000, unit: "kB" });
      const scripts = median(results.map(({ scriptBytes }) => scriptBytes)) / 1_000;
      figures.push({ name: `${path}: scripts of it`, value: scripts, unit: "kB", target: { max: 115 } });
    }
    return figures;
  } finally {
    await browser.close();
  }
}

async function visitOnce(browser: Browser, url: string, tap: string): Promise<Visit> {
  const context = await browser.newContext(phone);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const traffic = await throttle(session);
    await page.addInitScript(observeVitals);
    await page.goto(url, { waitUntil: "networkidle", timeout: 60_000 });
    await page.waitForTimeout(settleMs);
    const initialTraffic = { ...traffic };
    const target = page.locator(tap).first();
    const canTap = await target.isVisible();
    if (canTap) {
      await target.tap();
      await page.waitForTimeout(settleMs);
    }
    const vitals = await page.evaluate(() => (window as unknown as { vitals: Vitals }).vitals);
    return {
      lcpMs: vitals.lcp,
      interactiveMs: vitals.interactive,
      shift: vitals.shift,
      clickMs: canTap ? vitals.click : null,
      ...initialTraffic,
    };
  } finally {
    await context.close();
  }
}

/** Slows down network and processor; the returned counters keep growing. */
async function throttle(session: CDPSession): Promise<Traffic> {
  const traffic: Traffic = { bytes: 0, scriptBytes: 0 };
  const scripts = new Set<string>();
  session.on("Network.responseReceived", ({ requestId, type }) => {
    if (type === "Script") scripts.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    traffic.bytes += encodedDataLength;
    if (scripts.has(requestId)) traffic.scriptBytes += encodedDataLength;
  });
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", network);
  await session.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown });
  return traffic;
}

function observeVitals(): void {
  const vitals: Vitals = { lcp: 0, interactive: 0, shift: 0, click: 0 };
  const lookForReact = () => {
    const control = document.querySelector("main a, main button");
    if (control && Object.keys(control).some((key) => key.startsWith("__reactProps")))
      vitals.interactive = performance.now();
    else requestAnimationFrame(lookForReact);
  };
  requestAnimationFrame(lookForReact);
  (window as unknown as { vitals: Vitals }).vitals = vitals;
  const observe = (type: string, read: (entry: PerformanceEntry) => void, options = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) read(entry);
    }).observe({ type, buffered: true, ...options });
  observe("largest-contentful-paint", ({ startTime }) => {
    vitals.lcp = startTime;
  });
  observe("layout-shift", (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) vitals.shift += value;
  });
  observe(
    "event",
    (entry) => {
      const { interactionId } = entry as PerformanceEntry & { interactionId: number };
      if (interactionId > 0) vitals.click = Math.max(vitals.click, entry.duration);
    },
    { durationThreshold: 16 },
  );
}

/** Fetched by npx when it is needed: its packages take a sixth of the space of all others. */
const lighthouse = "lighthouse@13.5.0";
const categories = ["performance", "accessibility", "best-practices", "seo"];

const reportSchema = v.object({
  categories: v.record(v.string(), v.object({ id: v.string(), score: v.nullable(v.number()) })),
});

/** Lighthouse's scores for pages on a phone, 0 to 100 each. */
export async function measureLighthouse(shopUrl: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const path of Object.keys(taps)) {
    for (const { id, score } of await measureScores(shopUrl + path)) {
      const min = id === "performance" ? 98 : 100;
      const value = Math.round((score ?? 0) * 100);
      figures.push({ name: `${path}: ${id}`, value, unit: "", target: { min } });
    }
  }
  return figures;
}

async function measureScores(url: string) {
  const port = await freePort();
  const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
  try {
    const { stdout } = await promisify(execFile)(
      "npx",
      [
        ...["--yes", lighthouse, url, `--port=${port}`, "--quiet", "--output=json"],
        `--only-categories=${categories.join(",")}`,
      ],
      { maxBuffer: 50_000_000 },
    );
    return Object.values(v.parse(reportSchema, JSON.parse(stdout)).categories);
  } finally {
    await browser.close();
  }
}
