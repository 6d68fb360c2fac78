import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningShop, readDatabaseUrl, startShop } from "../../test/running-shop.ts";
import { behindProxy, shopHere } from "../shop-here.ts";
import { at, openShopper, shareBrowser } from "../shopper.ts";
import { continueToPayment, fillAddress, openCheckout, payWith, waitForPaid } from "../steps.ts";

shareBrowser();

const root = join(import.meta.dirname, "../..");
let nextServer: RunningShop;
let folder: string;

beforeAll(async () => {
  folder = buildNextVersion();
  nextServer = await startShop({ ...behindProxy, DATABASE_URL: readDatabaseUrl(shopHere().dataDir) }, folder);
});
afterAll(async () => {
  await nextServer.stop();
  rmSync(folder, { recursive: true });
});

/** A copy of this program whose build has other names for all of its scripts and styles. */
function buildNextVersion(): string {
  const copy = mkdtempSync(join(tmpdir(), "palmira-next-version-"));
  for (const part of [
    "package.json",
    "server",
    "domain",
    "content",
    "db",
    "build/server",
    "build/client",
    "build/emails",
  ]) {
    cpSync(join(root, part), join(copy, part), { recursive: true });
  }
  for (const part of ["node_modules", "assets", "build/images"])
    symlinkSync(join(root, part), join(copy, part));
  const assets = join(copy, "build/client/assets");
  for (const compressed of globSync("*.{br,gz}", { cwd: assets })) rmSync(join(assets, compressed));
  const names = globSync("*-????????.{js,css}", { cwd: assets });
  const renameAssets = (text: string) =>
    text.replace(/[\w.-]+-([\w-]{8})\.(?:js|css)\b/g, (name, hash: string) =>
      names.includes(name) ? name.replace(hash, [...hash].reverse().join("")) : name,
    );
  const pages = globSync("build/server/**/*.js", { cwd: copy }).map((name) => join(copy, name));
  for (const file of [...names.map((name) => join(assets, name)), ...pages]) {
    const text = readFileSync(file, "utf8");
    writeFileSync(
      file,
      renameAssets(text).replaceAll(/(["']?version["']?:\s*)(["'`])[0-9a-f]{8}\2/g, "$1$2abcdef12$2"),
    );
  }
  for (const name of names) renameSync(join(assets, name), join(assets, renameAssets(name)));
  return copy;
}

/** Sends the browser's requests to the next version from now on. */
async function deploy(page: Page): Promise<void> {
  await page.context().route(
    (url) => url.origin === shopHere().url,
    async (route) => {
      const request = route.request();
      const { origin, ...headers } = request.headers();
      const response = await route.fetch({
        url: request.url().replace(shopHere().url, nextServer.url),
        headers: origin === undefined ? headers : { ...headers, origin: nextServer.url },
        maxRedirects: 0,
      });
      await route.fulfill({ response });
    },
  );
}

const findAssets = (html: string) => new Set(html.match(/\/(assets|images)\/[\w.-]+/g));

test("each version serves the files that pages of the other load", async () => {
  const readAssets = async (url: string) => findAssets(await (await fetch(url)).text());
  const [currentAssets, nextAssets] = [await readAssets(at("/")), await readAssets(`${nextServer.url}/`)];
  const scripts = [...currentAssets].filter((path) => path.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(5);
  for (const path of scripts) expect(nextAssets).not.toContain(path);
  const urls = [...[...currentAssets].map((path) => nextServer.url + path), ...[...nextAssets].map(at)];
  const responses = await Promise.all(urls.map(async (url) => `${(await fetch(url)).status} ${url}`));
  expect(responses.filter((response) => !response.startsWith("200"))).toEqual([]);
});

test("a checkout that is open during a deploy keeps its entries, can be paid, and then leads to pages of the new version", async () => {
  const { page } = await openShopper();
  await openCheckout(page);
  await fillAddress(page);
  const markPage = () => page.evaluate(() => Object.assign(window, { isSamePage: true }));
  const isSamePage = () => page.evaluate(() => "isSamePage" in window);
  const readVersion = () => page.evaluate(() => window.__reactRouterManifest.version);
  await markPage();
  const oldVersion = await readVersion();

  await deploy(page);
  await continueToPayment(page);
  expect(await isSamePage(), "the form is not loaded again").toBe(true);
  await payWith(page, "Succeeds");
  await waitForPaid(page);

  const goTo = async (label: string, path: string) => {
    await page.getByRole("navigation").getByRole("link", { name: label }).first().click();
    await page.waitForURL(`**${path}`);
  };
  await goTo("How to Use", "/how-to-use");
  await expect.poll(readVersion).not.toBe(oldVersion);
  await markPage();
  await goTo("Benefits", "/benefits");
  expect(await isSamePage(), "pages of one version change without loading").toBe(true);
});
