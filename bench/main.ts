import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { databaseUrlOf } from "../test/running-shop.ts";
import { measureAgainstRaw } from "./against-raw.ts";
import { fillOrders, fillReviews } from "./growth.ts";
import { measureLighthouse } from "./lighthouse.ts";
import { measureMaking, measureReturning } from "./making-pages.ts";
import { measureOrders } from "./orders.ts";
import { memoryOf } from "./processes.ts";
import { startShop } from "./shop-process.ts";
import { median } from "./statistics.ts";
import { measureVisits } from "./visits.ts";

const starts = 3;
const home = "/";
const productPage = "/product/pure-batana-oil";

const dataDir = mkdtempSync(join(tmpdir(), "palmira-bench-"));
console.log(`Node ${process.version} on ${cpus().length} cores. Takes about four minutes.`);
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
  await measureServer(shop.url, pool);

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

  await fillReviews(pool, 1_000);
  console.log("\nA phone on slow 4G with a quarter of the processor, 1,000 reviews");
  const visits = await measureVisits(shop.url, [
    { path: home, tap: "button:has-text('Add to Cart')" },
    { path: productPage, tap: "article button:has-text('Add to Cart')" },
    { path: "/reviews", tap: "main a[href*='stars=5'], main button:has-text('5')" },
  ]);
  for (const [path, { lcpMs, shift, clickMs, bytes }] of visits) {
    const isQuick = lcpMs <= 1_800 && shift === 0;
    const click = clickMs === null ? "" : `, tap ${clickMs.toFixed(0)} ms`;
    tell(
      path,
      `LCP ${(lcpMs / 1_000).toFixed(2)} s, CLS ${shift.toFixed(3)}${click}, ${(bytes / 1_000).toFixed(0)} kB`,
      "1.8 s, 0",
      isQuick,
    );
  }
  for (const path of [home, productPage]) {
    const scores = await measureLighthouse(shop.url + path);
    const { performance: speed = 0, ...others } = scores;
    const isGood = speed >= 95 && Object.values(others).every((score) => score === 100);
    tell(`Lighthouse ${path}`, JSON.stringify(scores), ">= 95, else 100", isGood);
  }

  await fillReviews(pool, 100_000);
  await fillOrders(pool, 100_000);
  console.log("\nThe same with 100,000 reviews and 100,000 orders: less than a fifth may change");
  await measureServer(shop.url, pool);
  await pool.end();
  await shop.stop();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

async function measureServer(url: string, pool: pg.Pool): Promise<void> {
  for (const [path, aim] of [
    ["/api/products/pure-batana-oil", 0.4],
    [productPage, 0.6],
    [home, 0.6],
  ] as const) {
    const { ratio, shopPerSecond, rawPerSecond } = await measureAgainstRaw(url, path);
    tell(
      `GET ${path}`,
      `${ratio.toFixed(2)} of node:http (${shopPerSecond.toFixed(0)} of ${rawPerSecond.toFixed(0)} a second)`,
      `>= ${aim}`,
      ratio >= aim,
    );
  }
  for (const path of [home, productPage, "/reviews"]) {
    tell(`making ${path} anew`, `p50 ${(await measureMaking(url, pool, path)).toFixed(1)} ms`);
  }
  const returning = await measureReturning(url, [home, productPage, "/reviews", "/cart", "/contact"]);
  tell(
    "pages answered 304 to who has them",
    `${(returning.share * 100).toFixed(0)} %, ${returning.bytes} bytes each`,
    "100 %",
    returning.share === 1,
  );
  const orders = await measureOrders(url, pool);
  tell(
    "orders made and paid by 8 clients",
    `${orders.perSecond.toFixed(0)} a second (${orders.orders} orders)`,
    ">= 200",
    orders.perSecond >= 200,
  );
  tell("  to order and pay", `p50 ${orders.p50Ms.toFixed(0)} ms, p99 ${orders.p99Ms.toFixed(0)} ms`);
}

function tell(what: string, value: string, aim?: string, isMet?: boolean): void {
  const verdict = aim === undefined ? "" : `  aim ${aim}: ${isMet ? "met" : "NOT met"}`;
  console.log(`${what.padEnd(40)} ${value}${verdict}`);
}
