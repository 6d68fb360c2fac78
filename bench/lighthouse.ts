import { createServer } from "node:net";
import lighthouse from "lighthouse";
import { launchBrowser } from "../test/browser.ts";

const categories = ["performance", "accessibility", "best-practices", "seo"];

export type Scores = Record<string, number>;

/** Lighthouse's mobile categories of one page, 0 to 100 each. */
export async function measureLighthouse(url: string): Promise<Scores> {
  const port = await freePort();
  const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
  try {
    const result = await lighthouse(url, { port, logLevel: "error", onlyCategories: categories });
    if (!result) throw new Error(`Lighthouse had nothing to say of ${url}`);
    return Object.fromEntries(
      Object.values(result.lhr.categories).map(({ id, score }) => [id, Math.round((score ?? 0) * 100)]),
    );
  } finally {
    await browser.close();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, "127.0.0.1", listening));
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  return address !== null && typeof address === "object" ? address.port : 0;
}
