import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import sparticuz, { inflate } from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

const root = join(import.meta.dirname, "..");
/** Removed by `npm ci`. Its browser can be run only by the user who unpacked it. */
const unpackedFolder = join(root, "node_modules/.cache/chromium");
const hasPackedBrowser = process.platform === "linux" && process.arch === "x64";
const systemBrowsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/**
 * The first feature keeps the render frame host when a tab opens the next page of the same site; creating another takes a
 * quarter of the time of opening a page. The others repeat Playwright's list, because Chromium uses only the last list it gets.
 */
const enabledFeatures = [
  "RenderDocument:level/crashed-frame",
  "CDPScreenshotNewSurface",
  "SkipListAccountsWithoutGaiaCookies",
].join(",");

/**
 * Starts the Chromium from npm, which is the same everywhere and, being headless, opens pages in half the time of an
 * installed one. Uses an installed one on machines for which npm's is not built.
 */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const system = hasPackedBrowser ? undefined : systemBrowsers.find((path) => existsSync(path));
  return chromium.launch({
    executablePath: system ?? (await packedBrowser()),
    args: [
      "--disable-background-networking",
      "--disable-gpu",
      "--font-render-hinting=none",
      // Starting a process for each tab costs more than most pages do.
      "--renderer-process-limit=1",
      // A separate process for compositing costs too much as well.
      "--in-process-gpu",
      `--enable-features=${enabledFeatures}`,
      ...args,
    ],
    // Root cannot use Chromium's sandbox; the browser opens only the shop's own pages.
    chromiumSandbox: false,
    env: system ? { ...process.env } : packedEnvironment(),
  });
}

async function packedBrowser(): Promise<string> {
  if (!existsSync(unpackedFolder)) {
    const packedFolder = join(root, "node_modules/@sparticuz/chromium/bin");
    mkdirSync(join(unpackedFolder, ".."), { recursive: true });
    const unfinishedFolder = mkdtempSync(`${unpackedFolder}-`);
    // The package unpacks into the temporary folder.
    const { TMPDIR } = process.env;
    process.env.TMPDIR = unfinishedFolder;
    try {
      await sparticuz.executablePath(packedFolder);
      await inflate(join(packedFolder, "al2023.tar.br"));
      renameSync(unfinishedFolder, unpackedFolder);
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
      rmSync(unfinishedFolder, { recursive: true, force: true });
    }
  }
  return join(unpackedFolder, "chromium");
}

/** Environment with the libraries and fonts that Chromium needs and a bare machine lacks. */
function packedEnvironment(): Record<string, string | undefined> {
  return {
    ...process.env,
    LD_LIBRARY_PATH: join(unpackedFolder, "al2023/lib"),
    ...(existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_PATH: join(unpackedFolder, "fonts") }),
  };
}
