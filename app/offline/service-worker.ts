/*
 * Keeps the shop readable offline: pages that this browser has visited, the cart (which is in the browser's storage) and a
 * page that explains the situation. It never handles API calls, and stores no personal page: nothing of checkout, orders,
 * account or admin, and no price that is charged.
 */
export {};

type Lifetime = Event & { waitUntil(work: Promise<unknown>): void };
type PageRequest = Lifetime & {
  request: Request;
  /** The browser's request for a page, made while this script was starting. */
  preloadResponse?: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
};
/** The parts of a service worker that TypeScript's types for pages lack. */
declare const self: {
  addEventListener(type: "install" | "activate", listener: (event: Lifetime) => void): void;
  addEventListener(type: "fetch", listener: (event: PageRequest) => void): void;
  skipWaiting(): Promise<void>;
  clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window" }): Promise<readonly { url: string }[]>;
  };
  registration: { navigationPreload?: { enable(): Promise<void>; disable(): Promise<void> } };
  location: Location;
};
/** It changes whenever a file that browsers load changes, so that each build gets its own shell (vite.config.ts). */
declare const buildVersion: string;
/** Path of the picture that replaces a picture that fails to load. */
declare const markPath: string;
/** Widths in which pictures exist (domain/catalog/product-image.ts). */
declare const pictureWidths: readonly number[];

const shellName = `shell-${buildVersion}`;
const offlinePath = "/offline";
/**
 * Pages that open offline even if they were never visited: the offline page, and the cart, which is empty until its
 * script runs.
 */
const shellPaths = [offlinePath, "/cart"];
const pageCache = { name: "visited", maxEntries: 40 };
const fileCache = { name: "files", maxEntries: 250 };

/** Personal pages and steps of buying are never stored. */
const personalPaths = /^\/(account|admin|api|checkout|orders|sandbox|unsubscribe)(\/|$)/;
/** Requests that the service worker does not handle at all. */
const unhandledPaths = /^\/(admin|api|sandbox)(\/|$)/;
/** Files whose names change with their content. */
const filePaths = /^\/assets\//;
/** A picture’s URL, with the parts before and after its width as groups. */
const picturePath = /^(\/images\/.+-)\d+(\.[\da-f]+\.\w+)$/;
const filesInHtml = /"(\/assets\/[^"\s]+\.(?:css|js|woff2|svg))"/g;

/** Time without a response after which a stored page is shown. */
const responseTimeoutMs = 6_000;
/** Age from which a stored page is fetched again. */
const storedPageFreshMs = 60 * 60 * 1_000;

/** Whether the last page came from storage. Its files then come from there too, even if the browser reports a connection. */
let isOffline = false;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (filePaths.test(url.pathname)) {
    // While online, the browser's own cache is faster.
    if (isOffline || !navigator.onLine) event.respondWith(fileResponse(request));
  } else if (picturePath.test(url.pathname)) {
    if (isOffline || !navigator.onLine) event.respondWith(pictureResponse(request, url));
  } else if (request.mode === "navigate") {
    if (!unhandledPaths.test(url.pathname)) event.respondWith(pageResponse(event, url));
  } else if (url.pathname.endsWith(".data") && !unhandledPaths.test(url.pathname)) {
    event.respondWith(pageDataResponse(event, url));
  }
});

async function install(): Promise<void> {
  const shell = await caches.open(shellName);
  await Promise.all(
    shellPaths.map(async (path) => {
      // Without cookies, as for a new visitor.
      const response = await fetch(path, { credentials: "omit", cache: "no-cache" });
      if (!response.ok) throw new Error(`${path} responded with ${response.status}`);
      const html = await response.clone().text();
      // Stored before its files, because files that no stored page needs may be deleted.
      await shell.put(path, response);
      await storePageFiles(`${html}"${markPath}"`);
    }),
  );
  await self.skipWaiting();
}

async function activate(): Promise<void> {
  const currentCaches = [shellName, pageCache.name, fileCache.name];
  const names = await caches.keys();
  await Promise.all(names.filter((name) => !currentCaches.includes(name)).map((name) => caches.delete(name)));
  const preload = self.registration.navigationPreload;
  // If a preload request fails, Firefox shows its own error page, even if this script responds instead.
  await (navigator.userAgent.includes("Firefox/") ? preload?.disable() : preload?.enable());
  await self.clients.claim();
  // The page whose visit installed this worker was requested before it could store that page.
  const openPages = await self.clients.matchAll({ type: "window" });
  await Promise.all(openPages.map(({ url }) => fetchAndStore(new URL(url)).catch(() => {})));
}

async function storePageFiles(html: string): Promise<void> {
  const cache = await caches.open(fileCache.name);
  await Promise.all(
    filesIn(html).map(async (path) => {
      if (await cache.match(path)) return;
      const response = await fetch(path);
      if (response.ok) await cache.put(path, response);
    }),
  );
}

function filesIn(html: string): string[] {
  return [...new Set([...html.matchAll(filesInHtml)].map(([, path = ""]) => path))];
}

async function fileResponse(request: Request): Promise<Response> {
  return (await (await caches.open(fileCache.name)).match(request.url)) ?? fetch(request);
}

/**
 * The picture, or another size of it from the browser's own cache if it cannot be fetched. Otherwise a picture would
 * break when the phone is turned or the window grows: browsers then request a larger size, and Chromium reports no
 * error if that fails.
 */
async function pictureResponse(request: Request, { pathname }: URL): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    for (const width of pictureWidths.toReversed()) {
      const path = pathname.replace(picturePath, `$1${width}$2`);
      const cachedPicture = await fetch(path, { mode: "same-origin", cache: "only-if-cached" }).catch(
        () => null,
      );
      if (cachedPicture?.ok) return cachedPicture;
    }
    return Response.error();
  }
}

async function pageResponse(event: PageRequest, url: URL): Promise<Response> {
  const path = url.pathname === offlinePath ? offlinePath : url.pathname + url.search;
  const shopResponse = fetchPage(event);
  const storedPage = await findPage(path);
  try {
    const response = await (storedPage ? Promise.race([shopResponse, timeout()]) : shopResponse);
    isOffline = false;
    if (isPublicPage(response, url)) event.waitUntil(storePage(path, response.clone()));
    return response;
  } catch {
    isOffline = true;
    // The request may still fail later; its error is ignored.
    shopResponse.catch(() => {});
    if (storedPage) return copyWithAttribute(storedPage, path === offlinePath ? "" : " data-last-seen");
    if (path === offlinePath) return Response.error();
    return Response.redirect(`${offlinePath}?to=${encodeURIComponent(path)}`);
  }
}

async function fetchPage({ preloadResponse, request }: PageRequest): Promise<Response> {
  return (await preloadResponse) ?? fetch(request);
}

function timeout(): Promise<never> {
  return new Promise((_, reject) => setTimeout(reject, responseTimeoutMs));
}

async function findPage(path: string): Promise<Response | undefined> {
  const name = shellPaths.includes(path) ? shellName : pageCache.name;
  return (await caches.open(name)).match(path, { ignoreVary: true });
}

/**
 * A copy of the stored page with `attribute` on its root element. Its preload links are removed: all files are stored, and
 * Chromium warns about unused preloads.
 */
async function copyWithAttribute(storedPage: Response, attribute: string): Promise<Response> {
  const html = (await storedPage.text()).replaceAll(/<link rel="modulepreload"[^>]*>/g, "");
  const headers = new Headers(storedPage.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  return new Response(html.replace("<html", `<html${attribute}`), { headers });
}

/**
 * The response to the router's request for another page's data. While offline, it makes the router load the whole page,
 * as for pages of another version (app/entry.client.tsx); `pageResponse` then handles that request.
 */
async function pageDataResponse(event: PageRequest, url: URL): Promise<Response> {
  try {
    const response = await fetch(event.request);
    if (isPublicPage(response, url)) event.waitUntil(fetchAndStore(pageUrl(url)));
    return response;
  } catch {
    return new Response(null, { headers: { "X-Pages-Version": "offline" } });
  }
}

function pageUrl(dataUrl: URL): URL {
  const page = new URL(dataUrl);
  page.pathname = dataUrl.pathname === "/_.data" ? "/" : dataUrl.pathname.slice(0, -".data".length);
  page.searchParams.delete("_routes");
  return page;
}

/** Stores a whole page, unless it was stored a short time ago. */
async function fetchAndStore(url: URL): Promise<void> {
  if (unhandledPaths.test(url.pathname) || personalPaths.test(url.pathname)) return;
  const path = url.pathname + url.search;
  const storedAt = (await findPage(path))?.headers.get("Date");
  if (storedAt && Date.now() - Date.parse(storedAt) < storedPageFreshMs) return;
  const response = await fetch(path, { credentials: "omit" });
  if (isPublicPage(response, url)) await storePage(path, response);
}

/** Whether the page is the same for every visitor. */
function isPublicPage(response: Response, { pathname }: URL): boolean {
  const isPublic = response.headers.get("Cache-Control")?.startsWith("public") ?? false;
  const isExcluded = personalPaths.test(pathname.replace(/\.data$/, "")) || shellPaths.includes(pathname);
  return response.status === 200 && isPublic && !isExcluded;
}

/** Stores a page and its files. Errors, such as a full disk, are ignored: the page is already shown. */
async function storePage(path: string, response: Response): Promise<void> {
  try {
    const cache = await caches.open(pageCache.name);
    const html = await response.clone().text();
    await cache.delete(path, { ignoreVary: true });
    await cache.put(path, response);
    await storePageFiles(html);
    await dropOldestPages();
    await dropUnusedFiles();
  } catch {}
}

async function dropOldestPages(): Promise<void> {
  const cache = await caches.open(pageCache.name);
  const keys = await cache.keys();
  const surplus = Math.max(0, keys.length - pageCache.maxEntries);
  await Promise.all(keys.slice(0, surplus).map((page) => cache.delete(page)));
}

/**
 * Deletes the files of former builds once there are many files. Age alone does not decide: a file that stays the same
 * over several builds is stored once, and pages of the latest build may still need it.
 */
async function dropUnusedFiles(): Promise<void> {
  const cache = await caches.open(fileCache.name);
  const keys = await cache.keys();
  if (keys.length <= fileCache.maxEntries) return;
  const usedPaths = new Set([markPath]);
  for (const name of await caches.keys()) {
    if (name === fileCache.name) continue;
    const pages = await (await caches.open(name)).matchAll();
    for (const html of await Promise.all(pages.map((page) => page.text()))) {
      for (const path of filesIn(html)) usedPaths.add(path);
    }
  }
  const unusedFiles = keys.filter(({ url }) => !usedPaths.has(new URL(url).pathname));
  await Promise.all(unusedFiles.map((file) => cache.delete(file)));
}
