import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { databaseUrlOf } from "../test/running-shop.ts";
import { measureOrders } from "./orders.ts";
import { memoryOf } from "./processes.ts";
import { measureProduct } from "./product-page.ts";
import { startShop } from "./shop-process.ts";
import { median } from "./statistics.ts";

const starts = 3;

const dataDir = mkdtempSync(join(tmpdir(), "palmira-bench-"));
console.log(`Node ${process.version} on ${cpus().length} cores. Takes about a minute.`);
try {
  // The first start makes the database.
  await (await startShop(dataDir)).stop();
  const startTimes: number[] = [];
  for (let start = 1; start < starts; start += 1) {
    const again = await startShop(dataDir);
    startTimes.push(again.startedInMs);
    await again.stop();
  }
  const shop = await startShop(dataDir);
  startTimes.push(shop.startedInMs);
  const startSeconds = median(startTimes) / 1_000;
  tell("npm start to ready, not the first time", `${startSeconds.toFixed(2)} s`, "< 3 s", startSeconds < 3);

  const pool = new pg.Pool({ connectionString: databaseUrlOf(dataDir), max: 1 });
  const product = await measureProduct(shop.url);
  tell(
    "GET /api/products/{slug}",
    `${product.ratio.toFixed(2)} of node:http (${product.shopPerSecond.toFixed(0)} of ${product.rawPerSecond.toFixed(0)} a second)`,
    ">= 0.4",
    product.ratio >= 0.4,
  );
  const orders = await measureOrders(shop.url, pool);
  tell(
    "orders made and paid by 8 clients",
    `${orders.perSecond.toFixed(0)} a second (${orders.orders} orders)`,
    ">= 200",
    orders.perSecond >= 200,
  );
  tell("  to order and pay", `p50 ${orders.p50Ms.toFixed(0)} ms, p99 ${orders.p99Ms.toFixed(0)} ms`);
  await pool.end();

  const memory = memoryOf(shop.pid);
  if (memory) {
    const { processes, rssMb, pssMb } = memory;
    tell(
      `memory of all ${processes} processes`,
      `${(pssMb ?? rssMb).toFixed(0)} MB${pssMb === null ? "" : `, shared pages counted once (RSS ${rssMb.toFixed(0)} MB)`}`,
      "<= 300 MB",
      (pssMb ?? rssMb) <= 300,
    );
  }
  await shop.stop();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

function tell(what: string, value: string, aim?: string, isMet?: boolean): void {
  const verdict = aim === undefined ? "" : `  aim ${aim}: ${isMet ? "met" : "NOT met"}`;
  console.log(`${what.padEnd(40)} ${value}${verdict}`);
}
