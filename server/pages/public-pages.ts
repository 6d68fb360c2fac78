/**
 * Pages that are the same for everybody, rendered once and cached. `cachedParams`: the query parameters that change what
 * a page shows, with their valid values; all others are removed from its URL before rendering, so they can neither
 * be shown nor multiply the cache. `uncachedParams`: parameters that make it private, or have too many values to
 * cache. A page that is not listed here is private.
 */
type PublicPage = {
  path: string;
  /** The page's file in app/, without extension, as React Router names it. */
  route: string;
  cachedParams?: Record<string, RegExp>;
  uncachedParams?: readonly string[];
};

const publicPages: readonly PublicPage[] = [
  { path: "/", route: "routes/home" },
  {
    path: "/product/:slug",
    route: "routes/product",
    uncachedParams: ["review", "sort", "rating", "hair", "skin", "photos"],
  },
  {
    path: "/reviews",
    route: "routes/reviews",
    cachedParams: { sort: /^(newest|helpful|highest|lowest)$/, rating: /^[1-5]$/ },
    uncachedParams: ["cursor", "sent", "stars", "hair", "skin", "photos"],
  },
  { path: "/benefits", route: "routes/benefits" },
  { path: "/story", route: "routes/story" },
  { path: "/how-to-use", route: "routes/how-to-use" },
  { path: "/shipping-policy", route: "routes/shipping-policy" },
  { path: "/returns-policy", route: "routes/returns-policy" },
  { path: "/privacy", route: "routes/privacy" },
  { path: "/terms", route: "routes/terms" },
  { path: "/faq", route: "routes/faq" },
  { path: "/contact", route: "routes/contact" },
  { path: "/contact-simple", route: "routes/contact-simple" },
  { path: "/offline", route: "routes/offline" },
  { path: "/cart", route: "routes/cart", uncachedParams: ["restore", "kept"] },
  { path: "/checkout", route: "routes/checkout", uncachedParams: ["kept"] },
];

const byPath = new Map(publicPages.map((page) => [page.path, page]));
const bySlug = publicPages.flatMap((page) =>
  page.path.endsWith("/:slug") ? [{ page, prefix: page.path.slice(0, -":slug".length) }] : [],
);
export const slugPattern = /^[a-z0-9-]{1,80}$/;

export const publicRoutes: readonly string[] = publicPages.map(({ route }) => route);

/** The paths of every public page: its document, and its data for client navigation. */
export function publicPaths(slugs: readonly string[]): string[] {
  return publicPages.flatMap(({ path, route }) => {
    const paths = path.endsWith("/:slug") ? slugs.map((slug) => path.replace(":slug", slug)) : [path];
    const parts = new URLSearchParams({ _routes: route });
    return paths.flatMap((pagePath) => [pagePath, `${pagePath === "/" ? "/_" : pagePath}.data?${parts}`]);
  });
}

/**
 * The cache key of a public page or its data: `/reviews?sort=lowest`. Null if the URL is private, or has too many
 * variants to cache.
 */
export function pageCacheKey(url: string): string | null {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  const queryStart = url.indexOf("?", start);
  const pathname = queryStart < 0 ? url.slice(start) : url.slice(start, queryStart);
  const isData = pathname.endsWith(".data");
  const page = pageAt(isData ? documentPath(pathname) : pathname);
  if (!page) return null;
  if (queryStart < 0) return pathname;
  const query = new URLSearchParams(url.slice(queryStart));
  if (page.uncachedParams?.some((name) => query.has(name))) return null;
  const params = new URLSearchParams();
  for (const [name, pattern] of Object.entries(page.cachedParams ?? {})) {
    const value = query.get(name);
    if (value !== null && pattern.test(value)) params.set(name, value);
  }
  const routes = isData ? query.get("_routes") : null;
  // `_routes` names the routes whose data a browser requests. Only the data of the page's own route is cached.
  if (routes !== null && routes !== page.route) return null;
  if (routes !== null) params.set("_routes", routes);
  return params.size === 0 ? pathname : `${pathname}?${params}`;
}

function pageAt(pathname: string): PublicPage | undefined {
  const page = byPath.get(pathname);
  if (page) return page;
  return bySlug.find(
    ({ prefix }) => pathname.startsWith(prefix) && slugPattern.test(pathname.slice(prefix.length)),
  )?.page;
}

/** `/_.data` -> `/`, `/cart.data` -> `/cart` */
function documentPath(pathname: string): string {
  return pathname === "/_.data" ? "/" : pathname.slice(0, -".data".length);
}
