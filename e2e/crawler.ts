import type { Page } from "playwright-core";
import { expect } from "vitest";
import { loadPictures, lookAtAllSizes } from "./look.ts";
import { at } from "./shopper.ts";

/** Links and resources of an open page. */
type PageLinks = {
  /** Paths in the shop, with query and hash: `/contact#faq`. */
  links: string[];
  /** Files that the page refers to but may not have loaded: pictures of other widths, icons, its share card. */
  files: string[];
  ids: string[];
};

/** Element ids of each page opened by the crawls at one screen size, by path. */
export type CrawledPages = Map<string, readonly string[]>;

/**
 * Maximum number of pages of a kind (with URLs that differ only by an id) to open: two for kinds whose content depends on
 * their state.
 */
const maxPagesPerKind = (kind: string) => (/\/(orders|products|messages|discounts)\/:id$/.test(kind) ? 2 : 1);

/**
 * Follows every link of every page, starting with these paths. A page is opened once, whatever its query; its other queries,
 * further pages of a kind and URLs outside of `root` are only requested. `crawledPages`: pages opened by earlier
 * crawls, to which those of this one are added.
 */
export async function crawl(
  page: Page,
  starts: readonly string[],
  crawledPages: CrawledPages,
  name: string,
  root = "/",
): Promise<void> {
  const originByPath = new Map(starts.map((path) => [path, "the start"]));
  const originByFile = new Map<string, string>();
  const openedByKind = new Map<string, number>();
  const requestedQueries = new Set<string>();
  // The map grows during the loop.
  for (const [url, origin] of originByPath) {
    const { pathname, search, hash } = new URL(url, at("/"));
    const kind = pathname
      .replaceAll(/\/([0-9a-f-]{36}|\d+)/g, "/:id")
      .replace(/^(\/admin\/content(?:\/emails)?)\/(?!emails$|menu$|faq$)[\w-]+$/, "$1/:text");
    const openedCount = openedByKind.get(kind) ?? 0;
    if (!crawledPages.has(pathname) && pathname.startsWith(root) && openedCount < maxPagesPerKind(kind)) {
      openedByKind.set(kind, openedCount + 1);
      const response = await page.goto(at(pathname + search));
      expect(response?.status(), `${url}, linked from ${origin}`).toBe(200);
      const pageContents = await checkPage(page, `${name}${pathname.replaceAll("/", "-")}`, root === "/");
      crawledPages.set(pathname, pageContents.ids);
      for (const link of pageContents.links) if (!originByPath.has(link)) originByPath.set(link, pathname);
      for (const file of pageContents.files) if (!originByFile.has(file)) originByFile.set(file, pathname);
    } else if (search && crawledPages.has(pathname) && requestedQueries.has(kind + search)) {
      // Skipped: checked on another page of its kind.
    } else if (search || !crawledPages.has(pathname)) {
      requestedQueries.add(kind + search);
      expect(await fetchStatus(page, at(pathname + search)), `${url}, linked from ${origin}`).toBe(200);
    }
    const ids = crawledPages.get(pathname);
    if (hash && ids) expect(ids, `${url}, linked from ${origin}`).toContain(hash.slice(1));
  }
  const missingFiles = await Promise.all(
    [...originByFile].map(async ([file, origin]) =>
      (await fetchStatus(page, file)) === 200 ? [] : [`${file}, named on ${origin}`],
    ),
  );
  expect(missingFiles.flat(), "files that are missing").toEqual([]);
}

/** Checks on the open page the rules that hold for every page, and collects its links. */
async function checkPage(page: Page, name: string, isForEverybody: boolean): Promise<PageLinks> {
  await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
  await lookAtAllSizes(page, name, isForEverybody);
  await loadPictures(page);
  const { title, headings, brokenImages, ...pageContents } = await page.evaluate(readPageContents);
  const { href } = new URL(page.url());
  expect(title, href).toMatch(/\S · Palmira$/);
  expect(headings, `h1 of ${href}`).toHaveLength(1);
  expect(brokenImages, `pictures that did not load on ${href}`).toEqual([]);
  const duplicateIds = pageContents.ids.filter((id, index) => pageContents.ids.indexOf(id) !== index);
  expect(duplicateIds, `duplicate ids on ${href}`).toEqual([]);
  return pageContents;
}

/** Runs in the page. */
function readPageContents() {
  const selectAll = <Kind extends Element>(selector: string) => [
    ...document.querySelectorAll<Kind>(selector),
  ];
  const isSameOrigin = (url: string) => new URL(url).origin === window.location.origin;
  const pictureSets = selectAll<HTMLSourceElement | HTMLImageElement>("source[srcset], img[srcset]");
  const firstPictures = pictureSets.map(
    ({ srcset }) => new URL(srcset.split(/[\s,]/)[0] ?? "", document.baseURI).href,
  );
  const linkedFiles = selectAll<HTMLLinkElement>("link[href]").filter(({ rel }) => rel !== "canonical");
  const shareCards = selectAll<HTMLMetaElement>('meta[property="og:image"]');
  // Only one card is requested, since drawing each takes half a second; page-heads.test.ts checks the others.
  const fetchedCards = window.location.pathname === "/" ? shareCards : [];
  const anchors = selectAll<HTMLAnchorElement>("a[href]").filter((link) => link.closest("[inert]") === null);
  const urls = anchors.map(({ href }) => href);
  // A gallery's pictures link to their own files.
  const isFile = (url: string) => new URL(url).pathname.startsWith("/images/");
  return {
    title: document.title,
    headings: selectAll("h1").map(({ textContent }) => textContent),
    brokenImages: selectAll<HTMLImageElement>("img").flatMap((image) =>
      image.naturalWidth > 0 ? [] : [image.src],
    ),
    ids: selectAll("[id]").map(({ id }) => id),
    links: urls
      .filter((url) => isSameOrigin(url) && !isFile(url))
      .map((url) => url.slice(window.location.origin.length)),
    files: [
      ...urls.filter(isFile),
      ...firstPictures,
      ...selectAll<HTMLImageElement>("img").map(({ src }) => src),
      ...linkedFiles.map(({ href }) => href),
      ...fetchedCards.map(({ content }) => content),
    ].filter(isSameOrigin),
  };
}

const statuses = new Map<string, Promise<number>>();

/** Each URL is requested once per test file. */
function fetchStatus(page: Page, url: string): Promise<number> {
  const status = statuses.get(url) ?? page.request.get(url).then((response) => response.status());
  statuses.set(url, status);
  return status;
}
