import type { TestProject } from "vitest/node";
import { launchBrowser } from "../test/browser.ts";
import { startShop } from "../test/running-shop.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Origin of the shop that all files share. */
    shopUrl: string;
    shopDataDir: string;
    shopAccessCode: string;
    /** Where the one browser is connected to. */
    browserEndpoint: string;
  }
}

/** One shop and one browser for the whole run. */
export default async function setup(project: TestProject) {
  // Rate limits count by address: every browser context has one of its own, as behind a proxy.
  const [shop, browser] = await Promise.all([startShop({ TRUST_PROXY: "127.0.0.1" }), launchBrowser()]);
  project.provide("shopUrl", shop.url);
  project.provide("shopDataDir", shop.dataDir);
  project.provide("shopAccessCode", shop.accessCode);
  project.provide("browserEndpoint", browser.wsEndpoint());
  return async () => {
    await browser.close();
    await shop.stop();
  };
}
