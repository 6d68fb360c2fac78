import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { isPanelRoute } from "../../server/pages/shop-manifest.ts";

// Step of `npm run build` after Vite's: adds a smaller route manifest and compressed copies to the files for browsers.

const clientDir = "build/client";

writeShopManifest();
await compressFiles();

/**
 * Writes a second route manifest without the routes of the admin panel: shoppers never navigate to them, and their part is
 * half of the manifest. `server/pages/shop-manifest.ts` links it in shoppers' pages.
 */
function writeShopManifest(): void {
  const assets = join(clientDir, "assets");
  const [manifestFile, ...others] = globSync("manifest-*.js", { cwd: assets });
  if (!manifestFile || others.length > 0) throw new Error("The build has not exactly one manifest.");
  const [, before = "", table = "", after = ""] =
    /^([^{]*)(\{.*\})([^}]*)$/s.exec(readFileSync(join(assets, manifestFile), "utf8")) ?? [];
  type Files = { imports?: string[] };
  const manifest = JSON.parse(table) as { url: string; entry: Files; routes: Record<string, Files> };
  // A page's preloads need not repeat the files that every page loads.
  const sharedFiles = new Set([...(manifest.entry.imports ?? []), ...(manifest.routes.root?.imports ?? [])]);
  const routes = Object.fromEntries(
    Object.entries(manifest.routes)
      .filter(([id]) => !isPanelRoute(id))
      .map(([id, route]) => [
        id,
        id === "root"
          ? route
          : { ...route, imports: route.imports?.filter((file) => !sharedFiles.has(file)) },
      ]),
  );
  // Hash of the whole manifest, because another build has other scripts and another version.
  const hash = createHash("sha256")
    .update(JSON.stringify({ ...manifest, routes }))
    .digest("hex")
    .slice(0, 8);
  const url = `/assets/manifest-shop-${hash}.js`;
  // Missing properties count as false.
  const shortTable = JSON.stringify({ ...manifest, url, routes }, (_, value) =>
    value === false ? undefined : value,
  );
  writeFileSync(join(clientDir, url), `${before}${shortTable}${after}`);
}

/** Writes a brotli and a gzip copy beside every built text file, so that the server never compresses them. */
async function compressFiles(): Promise<void> {
  for await (const file of glob("**/*.{js,css,svg,json,webmanifest,txt}", { cwd: clientDir })) {
    const path = `${clientDir}/${file}`;
    const content = readFileSync(path);
    writeFileSync(
      `${path}.br`,
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    );
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}
