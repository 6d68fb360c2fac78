import { createHash, randomUUID } from "node:crypto";
import { pathToFileURL } from "node:url";
import {
  createRequestHandler,
  data,
  type RequestHandler,
  type RouterContext,
  RouterContextProvider,
  type ServerBuild,
} from "react-router";
import type { ViteDevServer } from "vite";
import type { UncheckedInput } from "../api-row.ts";
import { isDatabaseUnavailable } from "../platform/database/database.ts";
import type { ApiResult } from "../platform/http/api-response.ts";
import { contentSecurityPolicy, pagePermissions } from "../platform/http/security-headers.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import type { Shop } from "./shop.ts";
import { withShopManifest } from "./shop-manifest.ts";

/** Calls an API row by its key, as the page's caller. `PageApi` in server/api-types.ts is the same with types. */
export type CallInProcess = (
  key: string,
  input?: UncheckedInput,
) => Promise<{ result: ApiResult<unknown>; cookies: string[] }>;

type PageApi = { call(key: string, input?: UncheckedInput): Promise<ApiResult<unknown>> };

export type Pages = {
  /** A page for its caller; `viewer` is null while the database cannot identify them. */
  renderPersonal(request: Request, viewer: Viewer | null, callApi: CallInProcess): Promise<Response>;
  /**
   * A public page, which depends only on its path and query (see public-pages.ts). `isCacheable`: false also if a part could
   * not be read.
   */
  renderPublic(path: string): Promise<{ response: Response; isCacheable: boolean }>;
};

/**
 * Shared caches may keep a public page for a minute, serve it stale for five more while revalidating, and for a day
 * while the shop is down. Browsers revalidate every time.
 */
const publicCacheControl = "public, max-age=0, s-maxage=60, stale-while-revalidate=300, stale-if-error=86400";
const anonymous: Viewer = { visitorId: null, admin: null };

/** Renders pages with React Router: from the build, or in development from Vite. */
export function createPages(input: {
  publicUrl: string;
  shop: Shop;
  /** Absolute path of `build/`. */
  buildDir: string;
  vite: ViteDevServer | null;
}): Pages {
  const { publicUrl, vite } = input;
  const pageShop = shopForPages(input.shop);
  const load = async (): Promise<{ build: PagesBuild; admin: RequestHandler; shop: RequestHandler }> => {
    if (vite) {
      const build = (await vite.ssrLoadModule("virtual:react-router/server-build")) as PagesBuild;
      const handle = createRequestHandler(build, "development");
      return { build, admin: handle, shop: handle };
    }
    const build: PagesBuild = await import(pathToFileURL(`${input.buildDir}/server/index.js`).href);
    return {
      build,
      admin: createRequestHandler(build, "production"),
      shop: createRequestHandler(withShopManifest(build, input.buildDir), "production"),
    };
  };
  let loading: ReturnType<typeof load> | undefined;

  async function render(request: Request, shop: Shop, viewer: Viewer, api: PageApi): Promise<Response> {
    if (vite || !loading) loading = load();
    const { build, ...handlers } = await loading;
    const handle = /^\/admin(\/|\.|$)/.test(new URL(request.url).pathname) ? handlers.admin : handlers.shop;
    const context = new RouterContextProvider();
    context.set(build.entry.module.shopContext, shop);
    context.set(build.entry.module.viewerContext, viewer);
    context.set(build.entry.module.apiContext, api);
    const scriptNonce = randomUUID();
    context.set(build.entry.module.scriptNonceContext, scriptNonce);
    const response = await handle(request, context);
    // Tells browsers with a page of another version to load the next page as a document (app/entry.client.tsx).
    if (!vite && new URL(request.url).pathname.endsWith(".data")) {
      response.headers.set("X-Pages-Version", build.assets.version);
    }
    if (response.status === 503) response.headers.set("Retry-After", "5");
    // React Router refuses a method only if the route has no action.
    if (response.status === 405) response.headers.set("Allow", "GET, HEAD");
    if (!response.headers.get("Content-Type")?.startsWith("text/html")) return response;
    const { html, hashes } = collectOwnScripts(await response.text(), scriptNonce);
    const path = new URL(request.url).pathname;
    const page = { path, scriptHashes: hashes, isDevelopment: vite !== null };
    response.headers.set("Content-Security-Policy", contentSecurityPolicy(shop.frame.provider, page));
    response.headers.set("Permissions-Policy", pagePermissions(shop.frame.provider, path));
    return new Response(html, { status: response.status, headers: response.headers });
  }

  return {
    async renderPersonal(request, viewer, callApi) {
      const cookies: string[] = [];
      let retryAfter: string | null = null;
      const shop = viewer === null ? unavailableShop(input.shop) : pageShop;
      const response = await render(request, shop, viewer ?? anonymous, {
        async call(key, input) {
          const { result, cookies: newCookies } = await callApi(key, input);
          cookies.push(...newCookies);
          if (!result.ok) retryAfter = result.problem.retryAfterSeconds?.toString() ?? null;
          return result;
        },
      });
      for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
      if (retryAfter !== null) response.headers.set("Retry-After", retryAfter);
      if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "private, no-store");
      return response;
    },
    async renderPublic(path) {
      let isComplete = true;
      const watchedShop: Shop = {
        ...pageShop,
        report(error) {
          isComplete = false;
          pageShop.report(error);
        },
      };
      const request = new Request(new URL(path, publicUrl));
      const rejectCall = () => {
        throw new Error(`${path} is a public page: rendering it must not call the API`);
      };
      const response = await render(request, watchedShop, anonymous, { call: rejectCall });
      const hasOwnCacheControl = response.headers.has("Cache-Control");
      const isCacheable = isComplete && response.status === 200 && !hasOwnCacheControl;
      if (!hasOwnCacheControl)
        response.headers.set("Cache-Control", isCacheable ? publicCacheControl : "no-store");
      return { response, isCacheable };
    },
  };
}

/** Contexts are compared by identity, so the build's own ones must be used. entry.server.tsx exports them. */
type PagesBuild = ServerBuild & {
  entry: {
    module: {
      shopContext: RouterContext<Shop>;
      viewerContext: RouterContext<Viewer>;
      apiContext: RouterContext<PageApi>;
      scriptNonceContext: RouterContext<string>;
    };
  };
};

/**
 * Collects the hashes of a page's inline scripts for the content security policy. Only scripts with the nonce
 * are included; a script injected with some text cannot know the nonce. It is removed from the page, because in a cached
 * page it would be the same for all visitors.
 */
function collectOwnScripts(html: string, scriptNonce: string): { html: string; hashes: string[] } {
  const attribute = ` nonce="${scriptNonce}"`;
  const hashes = new Set<string>();
  for (const [, attributes = "", code = ""] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
    if (!attributes.includes(attribute) || /\ssrc=/.test(attributes) || code === "") continue;
    hashes.add(`'sha256-${createHash("sha256").update(code).digest("base64")}'`);
  }
  return { html: html.replaceAll(attribute, ""), hashes: [...hashes] };
}

/**
 * Wraps the shop for pages: if the database is unavailable, calls throw a 503, which error pages distinguish from a missing
 * page and from a bug.
 */
function shopForPages(shop: Shop): Shop {
  const throwForPage = (error: unknown) => {
    throw isDatabaseUnavailable(error) ? data(null, { status: 503 }) : error;
  };
  return new Proxy(shop, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(member, target, args);
        return isThenable(result) ? Promise.resolve(result).catch(throwForPage) : result;
      };
    },
  });
}

/** A shop whose calls all throw a 503, for callers whom the database cannot identify. */
function unavailableShop(shop: Shop): Shop {
  return new Proxy(shop, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? () => Promise.reject(data(null, { status: 503 })) : member;
    },
  });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value;
}
