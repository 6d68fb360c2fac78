import { existsSync } from "node:fs";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, MiddlewareHandler } from "hono";

const forEver = "public, max-age=31536000, immutable";
const forADay = "public, max-age=86400";

/**
 * Serves the built files: scripts and styles (`/assets`) and pictures (`/images`), which never change under their names
 * and are kept for ever, then the few files of the site's root. Pictures that were uploaded are in `dataDir`, of which
 * nothing else is served. Files that do not exist fall through.
 */
export function staticFiles(buildDir: string, dataDir: string): { path: string; serve: MiddlewareHandler }[] {
  const from = (path: string, root: string, cacheControl: string, more: Record<string, string> = {}) =>
    existsSync(root) ? [{ path, serve: serveFiles(root, { "Cache-Control": cacheControl, ...more }) }] : [];
  // Search engines and others who show a product show its pictures, from here.
  const forOthersToo = { "Cross-Origin-Resource-Policy": "cross-origin" };
  return [
    ...from("/images/*", buildDir, forEver, forOthersToo),
    ...from("/images/*", dataDir, forEver, forOthersToo),
    ...from("/assets/*", join(buildDir, "client"), forEver),
    ...from("/*", join(buildDir, "client"), forADay),
  ];
}

function serveFiles(root: string, headers: Record<string, string>): MiddlewareHandler {
  const found = new WeakSet<Context>();
  const serve = serveStatic({ root, precompressed: true, onFound: (_path, c) => void found.add(c) });
  return async (c, next) => {
    const file = await serve(c, next);
    if (!file || !found.has(c)) return;
    c.set("route", "file");
    // Onto the answer itself: it was made before `onFound` was told.
    for (const [name, value] of Object.entries(headers)) file.headers.set(name, value);
    return file;
  };
}
