/*
 * Keeps the shop readable without a connection: pages of this browser's earlier visits, the cart (which lives in the
 * browser's storage) and a page that says what is off. It never touches calls, and it keeps no page that is somebody's
 * own: nothing of checkout, orders, account or admin, and no price that anything is charged by.
 */
export {};

type Lifetime = Event & { waitUntil(work: Promise<unknown>): void };
type Asked = Lifetime & {
  request: Request;
  /** The browser's own request for a page, made while this script was starting. */
  preloadResponse?: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
};
/** What TypeScript's types for pages lack of a service worker. */
declare const self: {
  addEventListener(type: "install" | "activate", listener: (event: Lifetime) => void): void;
  addEventListener(type: "fetch", listener: (event: Asked) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  registration: { navigationPreload?: { enable(): Promise<void>; disable(): Promise<void> } };
  location: Location;
};
/** Changes with every file that browsers load: a new build makes its own shell (vite.config.ts). */
declare const buildVersion: string;
/** Address of the picture that stands in for one that fails. */
declare const markPath: string;

/** The pages that open without having been visited: what is off, and the cart, empty until its script runs. */
const shellName = `shell-${buildVersion}`;
const offlinePath = "/offline";
const shellPaths = [offlinePath, "/cart"];
const visited = { name: "visited", most: 40 };
const files = { name: "files", most: 250 };

/** Somebody's own, or a step of buying: only ever from the shop itself. */
const neverKept = /^\/(account|admin|api|checkout|orders|sandbox|unsubscribe)(\/|$)/;
/** No page of the shop's frame says what is off there. */
const leftAlone = /^\/(admin|api|sandbox)(\/|$)/;
/** Names change with the content. */
const isFile = /^\/assets\//;
const inHtml = /"(\/assets\/[^"\s]+\.(?:css|js|woff2|svg))"/g;

/** A page that was visited before is shown when the shop has said nothing for so long (ms). */
const patienceMs = 6_000;
/** A visited page is fetched for its next reading when its copy is older (ms). */
const freshMs = 60 * 60 * 1_000;

/** Whether the last page came from here: so do its files then, whatever the browser believes of the connection. */
let isCutOff = false;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (isFile.test(url.pathname)) {
    // With a connection the browser's own cache is as good, and faster.
    if (isCutOff || !navigator.onLine) event.respondWith(file(request));
  } else if (request.mode === "navigate") {
    if (!leftAlone.test(url.pathname)) event.respondWith(page(event, url));
  } else if (url.pathname.endsWith(".data") && !leftAlone.test(url.pathname)) {
    event.respondWith(pageData(event, url));
  }
});

async function install(): Promise<void> {
  const shell = await caches.open(shellName);
  await Promise.all(
    shellPaths.map(async (path) => {
      // Without cookies: as it is for a visitor of whom nothing is known.
      const answer = await fetch(path, { credentials: "omit", cache: "no-cache" });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      await keepFilesOf(`${await answer.clone().text()}"${markPath}"`);
      await shell.put(path, answer);
    }),
  );
  await self.skipWaiting();
}

async function activate(): Promise<void> {
  const own = [shellName, visited.name, files.name];
  const names = await caches.keys();
  await Promise.all(names.filter((name) => !own.includes(name)).map((name) => caches.delete(name)));
  const preload = self.registration.navigationPreload;
  // Firefox shows an error page of its own as soon as such a request fails, whatever is answered in its place.
  await (navigator.userAgent.includes("Firefox/") ? preload?.disable() : preload?.enable());
  await self.clients.claim();
}

async function keepFilesOf(html: string): Promise<void> {
  const kept = await caches.open(files.name);
  const paths = new Set([...html.matchAll(inHtml)].map(([, path = ""]) => path));
  await Promise.all(
    [...paths].map(async (path) => {
      if (await kept.match(path)) return;
      const answer = await fetch(path);
      if (answer.ok) await kept.put(path, answer);
    }),
  );
}

async function file(request: Request): Promise<Response> {
  return (await (await caches.open(files.name)).match(request.url)) ?? fetch(request);
}

async function page(event: Asked, url: URL): Promise<Response> {
  const address = url.pathname === offlinePath ? offlinePath : url.pathname + url.search;
  const asked = askForPage(event);
  const kept = await keptPage(address);
  try {
    const answer = await (kept ? Promise.race([asked, silence()]) : asked);
    isCutOff = false;
    if (isForAll(answer, url)) event.waitUntil(keepPage(address, answer.clone()));
    return answer;
  } catch {
    isCutOff = true;
    // The browser's own request may still end: nobody waits for it any more.
    asked.catch(() => {});
    if (kept) return asKept(kept, address === offlinePath ? "" : " data-last-seen");
    if (address === offlinePath) return Response.error();
    return Response.redirect(`${offlinePath}?to=${encodeURIComponent(address)}`);
  }
}

async function askForPage({ preloadResponse, request }: Asked): Promise<Response> {
  return (await preloadResponse) ?? fetch(request);
}

function silence(): Promise<never> {
  return new Promise((_, reject) => setTimeout(reject, patienceMs));
}

async function keptPage(address: string): Promise<Response | undefined> {
  const name = shellPaths.includes(address) ? shellName : visited.name;
  return (await caches.open(name)).match(address, { ignoreVary: true });
}

/**
 * The page, marked so that it can say how it came about. Without hints of what to load early: here everything is, and
 * Chromium complains that the hints went another way.
 */
async function asKept(kept: Response, mark: string): Promise<Response> {
  const html = (await kept.text()).replaceAll(/<link rel="modulepreload"[^>]*>/g, "");
  const headers = new Headers(kept.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  return new Response(html.replace("<html", `<html${mark}`), { headers });
}

/**
 * What the router loads for a step to another page. Without a connection it is told to load that page whole, as it does
 * for pages of another version (app/shell/other-version.ts): then `page` finds it, or says what is off.
 */
async function pageData(event: Asked, url: URL): Promise<Response> {
  try {
    const answer = await fetch(event.request);
    if (isForAll(answer, url)) event.waitUntil(keepForReading(url));
    return answer;
  } catch {
    return new Response(null, { headers: { "X-Pages-Version": "offline" } });
  }
}

/** Keeps the whole page of which only the data was asked for. */
async function keepForReading(url: URL): Promise<void> {
  const path = url.pathname === "/_.data" ? "/" : url.pathname.slice(0, -".data".length);
  const query = new URLSearchParams(url.search);
  query.delete("_routes");
  const address = query.size === 0 ? path : `${path}?${query}`;
  const keptAt = (await keptPage(address))?.headers.get("Date");
  if (keptAt && Date.now() - Date.parse(keptAt) < freshMs) return;
  const answer = await fetch(address, { credentials: "omit" });
  if (isForAll(answer, url)) await keepPage(address, answer);
}

/** Whether the shop gives this page to everybody alike. */
function isForAll(answer: Response, { pathname }: URL): boolean {
  const isPublic = answer.headers.get("Cache-Control")?.startsWith("public") ?? false;
  const isOwn = neverKept.test(pathname.replace(/\.data$/, "")) || shellPaths.includes(pathname);
  return answer.status === 200 && isPublic && !isOwn;
}

/** Keeps a page and its files. A full disk is no reason to fail: the page is there already. */
async function keepPage(address: string, answer: Response): Promise<void> {
  try {
    const kept = await caches.open(visited.name);
    const html = await answer.clone().text();
    await kept.delete(address, { ignoreVary: true });
    await kept.put(address, answer);
    await keepFilesOf(html);
    await Promise.all([visited, files].map(dropOldest));
  } catch {}
}

async function dropOldest({ name, most }: { name: string; most: number }): Promise<void> {
  const kept = await caches.open(name);
  const keys = await kept.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((old) => kept.delete(old)));
}
