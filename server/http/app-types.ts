import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import type { MiddlewareHandler } from "hono";
import type { AnyApiRow } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { CachedPages } from "../pages/cached-pages.ts";
import type { PageCache } from "../pages/page-cache.ts";
import type { Pages } from "../pages/render.ts";
import type { RespondFromCache } from "./cached-responder.ts";

export type AppInput = {
  ctx: ShopContext;
  api: readonly AnyApiRow[];
  openApi: { document(): unknown; page(): string };
  files: { path: string; serve: MiddlewareHandler }[];
  /** Everything that is neither API nor file. */
  pages: Pages;
  /** Cached public pages; null in development, where every page is rendered for each request. */
  cachedPages: CachedPages | null;
  /** Caches responses of the API; null in development. */
  cache: PageCache | null;
  /** Not ready if this server cannot sell, or is stopping. `degraded`: the reasons by part (see Health). */
  readiness(): Promise<{ isReady: boolean; degraded: Record<string, string> }>;
  /** True from the server's first readiness until it stops, even while it cannot sell. */
  showsPages(): boolean;
};

/** Node's request and response, besides the standard ones; tests have none. */
export type NodeBindings = Partial<HttpBindings | Http2Bindings>;
export type Env = { Bindings: NodeBindings; Variables: { requestId: string; route: string } };

export type App = {
  fetch(request: Request, env?: NodeBindings): Response | Promise<Response>;
  /** Called first, before the app: see cached-responder.ts. */
  respondFromCache: RespondFromCache;
  request(path: string, init?: RequestInit, env?: NodeBindings): Promise<Response>;
};
