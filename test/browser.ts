import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import sparticuz, { inflate } from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

const root = join(import.meta.dirname, "..");
/** Removed by `npm ci`, and never of another user: the packed browser is only executable for whoever unpacked it. */
const unpacked = join(root, "node_modules/.cache/chromium");
const hasPackedBrowser = process.platform === "linux" && process.arch === "x64";
const systemBrowsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/**
 * Starts Chromium: the one that comes from npm, the same everywhere and without a browser's window, which makes opening a
 * page cost half as much as in the machine's own. That one is used where npm has none that runs.
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
      ...args,
    ],
    // Root may not use Chromium's sandbox, and it only ever opens our own pages.
    chromiumSandbox: false,
    env: system ? { ...process.env } : packedEnvironment(),
  });
}

async function packedBrowser(): Promise<string> {
  if (!existsSync(unpacked)) {
    const packs = join(root, "node_modules/@sparticuz/chromium/bin");
    mkdirSync(join(unpacked, ".."), { recursive: true });
    const unfinished = mkdtempSync(`${unpacked}-`);
    // The package unpacks into the temporary folder, wherever that is.
    const { TMPDIR } = process.env;
    process.env.TMPDIR = unfinished;
    try {
      await sparticuz.executablePath(packs);
      await inflate(join(packs, "al2023.tar.br"));
      renameSync(unfinished, unpacked);
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return join(unpacked, "chromium");
}

/** A bare machine has neither the libraries that Chromium needs nor fonts. */
function packedEnvironment(): Record<string, string | undefined> {
  return {
    ...process.env,
    LD_LIBRARY_PATH: join(unpacked, "al2023/lib"),
    ...(existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_PATH: join(unpacked, "fonts") }),
  };
}
