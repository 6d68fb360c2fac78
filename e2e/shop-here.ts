import { afterAll, beforeAll, inject } from "vitest";
import { startShop } from "../test/running-shop.ts";
import type { SharedShop } from "./global-shop.ts";

// Rate limits count by address: every browser context has its own address, as behind a proxy.
export const behindProxy = { TRUST_PROXY: "127.0.0.1" };

let own: SharedShop | null = null;

/**
 * The shop of this test file. Files that run at the same time use different shops, so that none changes another's prices.
 */
export function shopHere(): SharedShop {
  const shops = inject("shops");
  const shop = own ?? shops[Number(process.env.VITEST_POOL_ID) - 1];
  if (!shop) throw new Error(`No shop for this worker: only ${shops.length} were started`);
  return shop;
}

/**
 * Opens a separate shop for this test file, if it needs another environment than the shared ones. Call it at the file's
 * top; `env` is called when it opens.
 */
export function openOwnShop(env: () => Record<string, string>): void {
  let close: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const { stop, ...shop } = await startShop({ ...behindProxy, ...env() });
    close = stop;
    own = shop;
  });
  afterAll(async () => {
    own = null;
    await close?.();
  });
}
