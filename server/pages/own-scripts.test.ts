import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestShop, type TestShop } from "../../test/shop.ts";

const built = join(import.meta.dirname, "../../build");
const buildDir = mkdtempSync(join(tmpdir(), "palmira-injected-"));
const injected = "document.title = 'stolen'";

/** The shop's pages with an injected script that guesses a nonce. */
let shop: TestShop;
beforeAll(async () => {
  for (const folder of ["client", "emails", "images", "stamps"]) {
    symlinkSync(join(built, folder), join(buildDir, folder));
  }
  mkdirSync(join(buildDir, "server"));
  const real = JSON.stringify(pathToFileURL(join(built, "server/index.js")).href);
  const script = JSON.stringify(`<script nonce="guess">${injected}</script><main`);
  writeFileSync(
    join(buildDir, "server/index.js"),
    `export * from ${real};
    import { entry as real } from ${real};
    const render = async (...args) => {
      const response = await real.module.default(...args);
      const html = (await response.text()).replace("<main", ${script});
      return new Response(html, { status: response.status, headers: response.headers });
    };
    export const entry = { ...real, module: { ...real.module, default: render } };`,
  );
  writeFileSync(join(buildDir, "server/package.json"), '{ "type": "module" }');
  shop = await openTestShop({}, { buildDir });
});
afterAll(async () => {
  await shop.stop();
  rmSync(buildDir, { recursive: true });
});

test.each(["/", "/product/pure-batana-oil", "/checkout", "/orders", "/admin", "/nowhere"])(
  "the content security policy allows the page’s own inline scripts, and no others: %s",
  async (path) => {
    const response = await shop.browser().fetch(path);
    const html = await response.text();
    const inline = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)].flatMap(
      ([, attributes = "", code = ""]) => (/ src=|ld\+json/.test(attributes) ? [] : [code]),
    );
    const own = inline.filter((code) => code !== injected);
    expect([inline.length - own.length, own.length >= 3]).toEqual([1, true]);
    const policy = response.headers.get("content-security-policy") ?? "";
    const allowed = /script-src ([^;]*)/.exec(policy)?.[1]?.match(/sha256-[^']+/g);
    expect(allowed?.toSorted()).toEqual([...new Set(own.map(hashOf))].toSorted());
    // No page contains the shop's own mark: every visitor of a cached page could read it.
    expect(html.match(/nonce="[^"]*"/g)).toEqual(['nonce="guess"']);
  },
);

function hashOf(code: string): string {
  return `sha256-${createHash("sha256").update(code).digest("base64")}`;
}
