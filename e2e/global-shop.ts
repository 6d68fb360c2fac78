import type { TestProject } from "vitest/node";
import { launchBrowser } from "../test/browser.ts";
import { startShop } from "../test/running-shop.ts";
import { behindProxy } from "./shop-here.ts";

export type SharedShop = {
  /** Origin of the shop. */
  url: string;
  dataDir: string;
  accessCode: string;
};

declare module "vitest" {
  interface ProvidedContext {
    /** One for each worker: the files that a worker runs share it. */
    shops: SharedShop[];
  }
}

/** A shop for each worker, for the whole run. */
export default async function setup(project: TestProject) {
  const workers = project.vitest.config.maxWorkers;
  const open = () => startShop(behindProxy);
  // Launched first and alone: the browser from npm is unpacked through the temporary folder, which the shops use as well.
  await (await launchBrowser()).close();
  const shops = await Promise.all(Array.from({ length: workers }, open));
  project.provide(
    "shops",
    shops.map(({ url, dataDir, accessCode }) => ({ url, dataDir, accessCode })),
  );
  return async () => {
    await Promise.all(shops.map((shop) => shop.stop()));
  };
}
