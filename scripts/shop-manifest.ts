import { createHash } from "node:crypto";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOfAdmin } from "../server/pages/shop-manifest.ts";

/**
 * Writes a second route manifest without the routes of the admin panel: shoppers never navigate to them, and their part is
 * half of the manifest. `server/pages/shop-manifest.ts` links it in shoppers' pages.
 */
function writeShopManifest(clientDir: string): void {
  const assets = join(clientDir, "assets");
  for (const stale of globSync("manifest-shop-*.js", { cwd: assets })) rmSync(join(assets, stale));
  const [manifestFile, ...others] = globSync("manifest-*.js", { cwd: assets });
  if (!manifestFile || others.length > 0) throw new Error("The build has not exactly one manifest.");
  const [, before = "", table = "", after = ""] =
    /^([^{]*)(\{.*\})([^}]*)$/s.exec(readFileSync(join(assets, manifestFile), "utf8")) ?? [];
  const manifest = JSON.parse(table) as { url: string; routes: Record<string, unknown> };
  const routes = Object.fromEntries(Object.entries(manifest.routes).filter(([id]) => !isOfAdmin(id)));
  // Hash of the whole manifest, because another build has other scripts and another version.
  const hash = createHash("sha256")
    .update(JSON.stringify({ ...manifest, routes }))
    .digest("hex")
    .slice(0, 8);
  const url = `/assets/manifest-shop-${hash}.js`;
  // Missing properties count as false.
  const smaller = JSON.stringify({ ...manifest, url, routes }, (_, value) =>
    value === false ? undefined : value,
  );
  writeFileSync(join(clientDir, url), `${before}${smaller}${after}`);
}

if (import.meta.main) writeShopManifest("build/client");
