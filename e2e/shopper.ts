import { setTimeout as delay } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, onTestFinished } from "vitest";
import { launchBrowser } from "../test/browser.ts";
import { patienceMs } from "../test/patience.ts";
import { shopHere } from "./shop-here.ts";

export const sizes = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1360, height: 900 } },
  /** The narrowest supported screen. */
  small: { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true },
} as const;
export type Size = keyof typeof sizes;

/** A browser profile with its own storage, cookies and network address. `page` is its first tab. */
export type Shopper = {
  page: Page;
  context: BrowserContext;
  /** Another tab of the same browser, watched like the first. */
  openTab(): Promise<Page>;
  /** Expects a warning or error of the browser; otherwise the test fails. */
  expectComplaint(pattern: RegExp): void;
};

/** A profile with its first tab, and the browser's warnings and errors. */
type Profile = {
  context: BrowserContext;
  page: Page;
  complaints: string[];
  /** Origins that pages may request. */
  origins: string[];
  /** Whether a test has made changes that cannot be undone. */
  isSpent: boolean;
  /** Functions that undo a test's changes to the page or browser. */
  undo: (() => Promise<unknown>)[];
  data: CachedData;
};

/** URLs of page data in the browser's cache, which serves outdated data while it requests it again. */
type CachedData = {
  /** Cached by the current test. */
  own: Set<string>;
  /** Cached by earlier tests. */
  earlier: Set<string>;
};

/** Pages are too short-lived to gain from optimized scripts; compiling them took a fifth of the browser's time. */
const scriptFlags = ["--js-flags=--no-maglev --no-turbofan --single-threaded-gc"];
/** Shared by all test files of a worker. */
let browser: Browser | undefined;
/** Differs by worker. */
const network = `10.${process.env.VITEST_POOL_ID}`;
let shopperCount = 0;

/** Opens the worker's browser for the test file: call it once at the file's top. */
export function shareBrowser(): void {
  beforeAll(async () => {
    browser ??= await launchBrowser(scriptFlags);
  });
}

/** The URL of a path in the shop. */
export function at(path: string): string {
  return shopHere().url + path;
}

/** Clean, unused profiles by their options: opening one and loading the shop's files costs two pages more. */
const idleProfiles = new Map<string, Profile[]>();

/**
 * Opens a browser profile for this test. At its end, anything unexpected in the browser is a failure: console errors and
 * warnings, uncaught errors, failed requests, requests to other origins.
 */
export async function openShopper({
  size = "desktop",
  javaScriptEnabled = true,
  origins = [shopHere().url],
  isFirstVisit = false,
  keepsPages = false,
}: {
  size?: Size;
  javaScriptEnabled?: boolean;
  /** Permitted origins, the shop's first. */
  origins?: string[];
  /** Whether to begin with an empty browser cache. */
  isFirstVisit?: boolean;
  /** Allows the service worker, which keeps pages; in other tests its responses would hide the shop's own. */
  keepsPages?: boolean;
} = {}): Promise<Shopper> {
  const kind = `${size} ${javaScriptEnabled}`;
  const idleShopper = isFirstVisit || keepsPages ? undefined : idleProfiles.get(kind)?.pop();
  const profile = idleShopper ?? (await openProfile(size, javaScriptEnabled, keepsPages));
  const { context, page, complaints } = profile;
  const expectedPatterns: RegExp[] = [];
  profile.origins = origins;
  complaints.length = 0;
  shopperCount += 1;
  await context.setExtraHTTPHeaders({
    "X-Forwarded-For": `${network}.${shopperCount >> 8}.${shopperCount & 255}`,
  });
  onTestFinished(async () => {
    // Requests aborted by leaving the page do not count as failures.
    const allComplaints = [...complaints];
    if (await cleanUp(profile, size)) idleProfiles.set(kind, [...(idleProfiles.get(kind) ?? []), profile]);
    else await context.close();
    const unexpectedComplaints = allComplaints.filter(
      (complaint) => !expectedPatterns.some((pattern) => pattern.test(complaint)),
    );
    expect(
      [...new Set(unexpectedComplaints)].slice(0, 10),
      `complaints of the browser: ${unexpectedComplaints[0]}`,
    ).toEqual([]);
    const missingPatterns = expectedPatterns.filter(
      (pattern) => !allComplaints.some((complaint) => pattern.test(complaint)),
    );
    expect(missingPatterns, "complaints that were expected").toEqual([]);
  });
  return {
    page,
    context,
    openTab: () => openTab(context, javaScriptEnabled, profile.data),
    expectComplaint: (pattern) => expectedPatterns.push(pattern),
  };
}

async function openProfile(size: Size, javaScriptEnabled: boolean, keepsPages: boolean): Promise<Profile> {
  if (!browser) throw new Error("The file does not share the browser");
  const context = await browser.newContext({
    ...sizes[size],
    javaScriptEnabled,
    reducedMotion: "reduce",
    serviceWorkers: keepsPages ? "allow" : "block",
  });
  context.setDefaultTimeout(patienceMs);
  const data: CachedData = { own: new Set(), earlier: new Set() };
  const page = await openTab(context, javaScriptEnabled, data);
  const complaints: string[] = [];
  const undo: Profile["undo"] = [];
  const profile: Profile = { context, page, complaints, origins: [], isSpent: keepsPages, undo, data };
  const markSpentBefore =
    <Args extends unknown[], Result>(call: (...args: Args) => Result) =>
    (...args: Args) => {
      profile.isSpent = true;
      return call(...args);
    };
  page.clock.install = markSpentBefore(page.clock.install.bind(page.clock));
  context.exposeFunction = markSpentBefore(context.exposeFunction.bind(context));
  const [addInitScript, emulateMedia, setOffline] = [
    page.addInitScript.bind(page),
    page.emulateMedia.bind(page),
    context.setOffline.bind(context),
  ];
  page.addInitScript = async (...args: Parameters<typeof addInitScript>) => {
    const script = await addInitScript(...args);
    undo.push(() => script.dispose());
    return script;
  };
  page.emulateMedia = (options) => {
    undo.push(() =>
      emulateMedia({ media: null, colorScheme: null, forcedColors: null, reducedMotion: "reduce" }),
    );
    return emulateMedia(options);
  };
  context.setOffline = (isOffline) => {
    undo.push(() => setOffline(false));
    return setOffline(isOffline);
  };
  context.on("console", (message) => {
    const kind = message.type();
    if (kind !== "error" && kind !== "warning") return;
    // Logged by Playwright itself.
    if (message.text().startsWith("Service Worker registration blocked")) return;
    // Depends on timing: a busy machine shows the picture later. ui/picture.tsx only preloads pictures that it shows.
    if (message.text().includes("preloaded using link preload but not used within a few seconds")) return;
    complaints.push(`${kind}: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => complaints.push(`uncaught: ${error.error().message}`));
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // Aborted by the page: the router drops the rest of a response once it has its data.
    if (reason === "net::ERR_ABORTED") return;
    // Without JavaScript, Chromium refuses the scripts that the page preloads.
    if (!javaScriptEnabled && request.resourceType() === "script") return;
    complaints.push(`failed: ${request.method()} ${request.url()} ${reason}`);
  });
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (/^https?:$/.test(protocol) && !profile.origins.includes(origin))
      complaints.push(`foreign: ${request.url()}`);
  });
  context.on("response", (response) => {
    const cacheControl = response.headers()["cache-control"] ?? "";
    if (!isData(response.url()) || !cacheControl.includes("stale-while-revalidate")) return;
    data.own.add(response.url());
    data.earlier.delete(response.url());
  });
  return profile;
}

async function openTab(context: BrowserContext, javaScriptEnabled: boolean, data: CachedData): Promise<Page> {
  const page = await context.newPage();
  if (!javaScriptEnabled) return page;
  await refreshEarlierData(page, data);
  return withHydrationWait(page);
}

const isData = (url: string) => new URL(url).pathname.endsWith(".data");

/**
 * Makes the browser reload page data that earlier tests have cached. Emptying the cache instead makes the next pages twice as
 * expensive, because their scripts are loaded and compiled again; Playwright's own routes disable the cache.
 */
async function refreshEarlierData(page: Page, { earlier }: CachedData): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  devtools.on("Fetch.requestPaused", ({ requestId, request: { url, headers } }) => {
    const freshHeaders = Object.entries({ ...headers, "Cache-Control": "no-cache" });
    devtools
      .send("Fetch.continueRequest", {
        requestId,
        ...(earlier.has(url) && { headers: freshHeaders.map(([name, value]) => ({ name, value })) }),
      })
      // The page has been left in the meantime.
      .catch(() => {});
  });
  await devtools.send("Fetch.enable", { patterns: [{ urlPattern: "*.data" }, { urlPattern: "*.data?*" }] });
}

/** Removes all traces of a test; returns whether the profile is as good as new. */
async function cleanUp(profile: Profile, size: Size): Promise<boolean> {
  const { context, page, origins, undo, data } = profile;
  if (profile.isSpent || page.isClosed()) return false;
  try {
    for (const step of undo.splice(0)) await step();
    for (const tab of context.pages()) if (tab !== page) await tab.close();
    for (const event of ["request", "response", "download"] as const) await page.removeAllListeners(event);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.unrouteAll({ behavior: "ignoreErrors" });
    // Storage belongs to the origin. Opened first, so that anything the last page stores on leaving is cleared, too.
    await page.goto(`${origins[0]}/robots.txt`);
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
      // Outlives the document.
      window.name = "";
    });
    await context.clearCookies();
    for (const url of data.own) data.earlier.add(url);
    data.own.clear();
    await page.setViewportSize(sizes[size].viewport);
    await page.mouse.move(0, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes `goto` and `reload` wait until the page is hydrated and responds to input. On a busy machine a
 * test, unlike a person, would press buttons before the scripts have run.
 */
function withHydrationWait(page: Page): Page {
  // Polled, because `waitForFunction` makes every document load a third of a megabyte of script.
  const waitUntilHydrated = async () => {
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await delay(10)) {
      // Fails if the page navigates in the meantime.
      if (page.isClosed() || (await page.evaluate(isHydrated).catch(() => false))) return;
    }
    throw new Error(`The page is not hydrated: ${page.url()}`);
  };
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    await waitUntilHydrated();
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    await waitUntilHydrated();
    return response;
  };
  return page;
}

/** Runs in the page. */
const isHydrated = () =>
  document.querySelector("script[type=module]") === null ||
  // React attaches to the root element last.
  Object.keys(document.documentElement).some((key) => key.startsWith("__reactFiber$"));
