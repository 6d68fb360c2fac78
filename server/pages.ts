import { pathToFileURL } from "node:url";
import {
  createRequestHandler,
  type RequestHandler,
  type RouterContext,
  RouterContextProvider,
  type ServerBuild,
} from "react-router";
import type { ViteDevServer } from "vite";
import type { Config } from "./platform/config.ts";
import { contentSecurityPolicy } from "./platform/security-headers.ts";
import type { Viewer } from "./platform/viewer.ts";
import type { Shop } from "./shop.ts";

/** A call of the API that a page makes for a form sent without JavaScript. */
export type PageCall = { method: "POST" | "DELETE"; path: string; body: unknown };
export type PageApi = (call: PageCall) => Promise<Response>;

/** Pages that do not say otherwise hold nothing personal: shared caches may keep them, for a little while. */
const publicPage = "public, max-age=0, s-maxage=60, stale-while-revalidate=300";

/** Renders pages with React Router: from the build, or in development from Vite, which compiles as files change. */
export function createPages(input: {
  config: Pick<Config, "payments">;
  shop: Shop;
  /** Absolute path of `build/`. */
  buildDir: string;
  vite: ViteDevServer | null;
  isDatabaseThere(): Promise<boolean>;
}): (request: Request, viewer: Viewer, api: PageApi) => Promise<Response> {
  const { shop, vite } = input;
  const load = async (): Promise<{ build: PagesBuild; handle: RequestHandler }> => {
    const build: PagesBuild = vite
      ? await vite.ssrLoadModule("virtual:react-router/server-build")
      : await import(pathToFileURL(`${input.buildDir}/server/index.js`).href);
    return { build, handle: createRequestHandler(build, vite ? "development" : "production") };
  };
  let built: ReturnType<typeof load> | undefined;
  return async (request, viewer, api) => {
    if (vite || !built) built = load();
    const { build, handle } = await built;
    const context = new RouterContextProvider();
    context.set(build.entry.module.shopContext, shop);
    context.set(build.entry.module.viewerContext, viewer);
    const cookies: string[] = [];
    context.set(build.entry.module.apiContext, async (call) => {
      const answer = await api(call);
      cookies.push(...answer.headers.getSetCookie());
      return answer;
    });
    const made = await handle(request, context);
    const response = made.status === 500 && !(await input.isDatabaseThere()) ? unavailable(made) : made;
    for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
    if (!response.headers.get("Content-Type")?.startsWith("text/html")) {
      // Data of a page on its way to a browser that is here already: it may be personal.
      if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "private, no-store");
      return response;
    }
    if (response.status === 200 && !response.headers.has("Cache-Control")) {
      response.headers.set("Cache-Control", publicPage);
    }
    const html = await response.text();
    response.headers.set("Content-Security-Policy", contentSecurityPolicy(input.config, html, vite !== null));
    return new Response(html, { status: response.status, headers: response.headers });
  };
}

/** A page that could not be made because the database is away: gone for now, for people and search engines alike. */
function unavailable({ body, headers }: Response): Response {
  const later = new Headers(headers);
  later.set("Retry-After", "5");
  return new Response(body, { status: 503, headers: later });
}

/** A context is known by identity, and the build has its own: entry.server.tsx hands both out. */
type PagesBuild = ServerBuild & {
  entry: {
    module: {
      shopContext: RouterContext<Shop>;
      viewerContext: RouterContext<Viewer>;
      apiContext: RouterContext<PageApi>;
    };
  };
};
