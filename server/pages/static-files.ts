import { existsSync } from "node:fs";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, MiddlewareHandler } from "hono";

const forEver = "public, max-age=31536000, immutable";
const forADay = "public, max-age=86400";

/**
 * Serves the built files: scripts and styles (`/assets`) and pictures (`/images`), whose names change with their
 * content and are cached forever, then the few files of the site's root. Uploaded pictures are in `dataDir`, of which
 * nothing else is served. Other requests fall through.
 */
export function staticFiles(buildDir: string, dataDir: string): { path: string; serve: MiddlewareHandler }[] {
  const from = (path: string, root: string, cacheControl: string, more: Record<string, string> = {}) =>
    existsSync(root) ? [{ path, serve: serveFiles(root, { "Cache-Control": cacheControl, ...more }) }] : [];
  // Search engines and other sites may embed its pictures.
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
    // Set on the response itself, which was made before `onFound` is called.
    for (const [name, value] of Object.entries(headers)) file.headers.set(name, value);
    return file;
  };
}
