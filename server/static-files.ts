import { existsSync } from "node:fs";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, MiddlewareHandler } from "hono";

const forEver = "public, max-age=31536000, immutable";
const forADay = "public, max-age=86400";

/**
 * Serves the built files: scripts and styles (`/assets`) and pictures (`/images`), both named by content and kept for
 * ever, then the few files of the site's root. Files that do not exist fall through.
 */
export function staticFiles(buildDir: string): { path: string; serve: MiddlewareHandler }[] {
  const from = (path: string, root: string, cacheControl: string) =>
    existsSync(root)
      ? [{ path, serve: serveStatic({ root, precompressed: true, onFound: keep(cacheControl) }) }]
      : [];
  return [
    ...from("/images/*", buildDir, forEver),
    ...from("/assets/*", join(buildDir, "client"), forEver),
    ...from("/*", join(buildDir, "client"), forADay),
  ];
}

function keep(cacheControl: string) {
  return (_path: string, c: Context) => {
    c.set("route", "file");
    c.header("Cache-Control", cacheControl);
  };
}
