import { globSync } from "node:fs";
import { join } from "node:path";
import type { ServerBuild } from "react-router";

/**
 * The build for shoppers' pages. `scripts/build/client-files.ts` writes its route table, which leaves out the admin panel.
 */
export function withShopManifest<Build extends ServerBuild>(build: Build, buildDir: string): Build {
  const [file] = globSync("manifest-shop-*.js", { cwd: join(buildDir, "client/assets") });
  if (file === undefined)
    throw new Error("The build has no table of the shop’s routes: run `npm run build`.");
  const routes = Object.fromEntries(Object.entries(build.assets.routes).filter(([id]) => !isPanelRoute(id)));
  return { ...build, assets: { ...build.assets, routes, url: `/assets/${file}` } };
}

export function isPanelRoute(routeId: string): boolean {
  return routeId.startsWith("routes/admin");
}
