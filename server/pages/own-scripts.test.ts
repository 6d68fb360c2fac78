import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { openTestShop } from "../../test/shop.ts";

const builtDir = join(import.meta.dirname, "../../build");
const buildDir = mkdtempSync(join(tmpdir(), "palmira-injected-"));
const injectedScript = "document.title = 'stolen'";

for (const folder of ["client", "emails", "images", "stamps"]) {
  symlinkSync(join(builtDir, folder), join(buildDir, folder));
}
mkdirSync(join(buildDir, "server"));
const realServer = JSON.stringify(pathToFileURL(join(builtDir, "server/index.js")).href);
const script = JSON.stringify(`<script nonce="guess">${injectedScript}</script><main`);
writeFileSync(
  join(buildDir, "server/index.js"),
  `export * from ${realServer};
  import { entry as real } from ${realServer};
  const render = async (...args) => {
    const response = await real.module.default(...args);
    const html = (await response.text()).replace("<main", ${script});
    return new Response(html, { status: response.status, headers: response.headers });
  };
  export const entry = { ...real, module: { ...real.module, default: render } };`,
);
writeFileSync(join(buildDir, "server/package.json"), '{ "type": "module" }');
/** The shop's pages with an injected script that guesses a nonce. */
const shop = await openTestShop({}, { buildDir });
afterAll(async () => {
  await shop.stop();
  rmSync(buildDir, { recursive: true });
});

test.each(["/", "/product/pure-batana-oil", "/checkout", "/orders", "/admin", "/nowhere"])(
  "the content security policy allows the page’s own inline scripts, and no others: %s",
  async (path) => {
    const response = await shop.browser().fetch(path);
    const html = await response.text();
    const inlineScripts = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)].flatMap(
      ([, attributes = "", code = ""]) => (/ src=|ld\+json/.test(attributes) ? [] : [code]),
    );
    const ownScripts = inlineScripts.filter((code) => code !== injectedScript);
    expect([inlineScripts.length - ownScripts.length, ownScripts.length >= 3]).toEqual([1, true]);
    const policy = response.headers.get("content-security-policy") ?? "";
    const allowedHashes = /script-src ([^;]*)/.exec(policy)?.[1]?.match(/sha256-[^']+/g);
    expect(allowedHashes?.toSorted()).toEqual([...new Set(ownScripts.map(scriptHash))].toSorted());
    // Pages contain no nonce of the shop's own: every visitor of a cached page could read it.
    expect(html.match(/nonce="[^"]*"/g)).toEqual(['nonce="guess"']);
  },
);

function scriptHash(code: string): string {
  return `sha256-${createHash("sha256").update(code).digest("base64")}`;
}
