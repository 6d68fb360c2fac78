import type { Browser, BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, onTestFinished } from "vitest";
import { launchBrowser } from "../test/browser.ts";
import { patienceMs } from "../test/patience.ts";
import { shopHere } from "./shop-here.ts";

export const sizes = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1360, height: 900 } },
  /** The narrowest screen that has to work. */
  small: { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true },
} as const;
export type Size = keyof typeof sizes;

/** A browser profile of its own: storage, cookies and network address. `page` is its first tab. */
export type Shopper = {
  page: Page;
  context: BrowserContext;
  /** Another tab of the same browser, watched like the first. */
  openTab(): Promise<Page>;
  /** A complaint of the browser that belongs to the test; one that does not come is a failure too. */
  expectComplaint(pattern: RegExp): void;
};

/** One for each worker, which runs many files. */
let browser: Browser | undefined;
/** Another one for every worker. */
const network = `10.${process.env.VITEST_POOL_ID}`;
let shoppers = 0;

/** Opens the worker's browser for the test file: call it once at the file's top. */
export function shareBrowser(): void {
  beforeAll(async () => {
    browser ??= await launchBrowser();
  });
}

/** The shop's address of a path. */
export function at(path: string): string {
  return shopHere().url + path;
}

/**
 * Opens a browser profile for this test. When the test is over, anything the browser complained about unasked is a
 * failure: console errors and warnings, uncaught errors, failed requests, requests to anybody but the shop.
 */
export async function openShopper({
  size = "desktop",
  javaScriptEnabled = true,
  origins = [shopHere().url],
}: {
  size?: Size;
  javaScriptEnabled?: boolean;
  /** Whom the pages may talk to. */
  origins?: string[];
} = {}): Promise<Shopper> {
  shoppers += 1;
  if (!browser) throw new Error("The file does not share the browser");
  const context = await browser.newContext({
    ...sizes[size],
    javaScriptEnabled,
    reducedMotion: "reduce",
    extraHTTPHeaders: { "X-Forwarded-For": `${network}.${shoppers >> 8}.${shoppers & 255}` },
  });
  context.setDefaultTimeout(patienceMs);
  const complaints: string[] = [];
  const expected: RegExp[] = [];
  context.on("console", (message) => {
    const kind = message.type();
    if (kind !== "error" && kind !== "warning") return;
    complaints.push(`${kind}: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => complaints.push(`uncaught: ${error.error().message}`));
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // Given up by the page itself: the router does so with the rest of an answer once it has its data.
    if (reason === "net::ERR_ABORTED") return;
    // Without JavaScript, Chromium refuses the scripts that the page would like loaded early.
    if (!javaScriptEnabled && request.resourceType() === "script") return;
    complaints.push(`failed: ${request.method()} ${request.url()} ${reason}`);
  });
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (/^https?:$/.test(protocol) && !origins.includes(origin)) complaints.push(`foreign: ${request.url()}`);
  });
  onTestFinished(async () => {
    // What closing the browser cuts off is nobody's failure.
    const heard = [...complaints];
    await context.close();
    const unexpected = heard.filter((complaint) => !expected.some((pattern) => pattern.test(complaint)));
    expect([...new Set(unexpected)].slice(0, 10), "complaints of the browser").toEqual([]);
    const missing = expected.filter((pattern) => !heard.some((complaint) => pattern.test(complaint)));
    expect(missing, "complaints that were expected").toEqual([]);
  });
  const openTab = async () => {
    const page = await context.newPage();
    return javaScriptEnabled ? patient(page) : page;
  };
  return {
    page: await openTab(),
    context,
    openTab,
    expectComplaint: (pattern) => expected.push(pattern),
  };
}

/**
 * A tab whose pages are there once they answer to what is pressed. Before its scripts have run, a page is only to be
 * read: a person is not as fast as that, a test is, on a machine that has much else to do.
 */
function patient(page: Page): Page {
  const answers = () =>
    page.waitForFunction(
      () =>
        document.querySelector("script[type=module]") === null ||
        // The root of the page is React's last of all.
        Object.keys(document.documentElement).some((key) => key.startsWith("__reactFiber$")),
    );
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (address, options) => {
    const answer = await goto(address, options);
    await answers();
    return answer;
  };
  page.reload = async (options) => {
    const answer = await reload(options);
    await answers();
    return answer;
  };
  return page;
}
