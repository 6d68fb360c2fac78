import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { openClient, requestText } from "./keep-alive-client.ts";
import { median } from "./statistics.ts";

const times = 40;
/** A change is heard of within this time (ms). */
const heardAfterMs = 15;

/** Median time to answer for a page that has to be made anew, because what it shows has just changed. */
export async function measureMaking(shopUrl: string, pool: pg.Pool, path: string): Promise<number> {
  const client = await openClient(shopUrl);
  const request = requestText("GET", path);
  const waits: number[] = [];
  for (let time = 0; time < times; time += 1) {
    await pool.query("select pg_notify('shop_changed', 'settings')");
    await delay(heardAfterMs);
    const begunAt = performance.now();
    await client.send(request);
    waits.push(performance.now() - begunAt);
  }
  client.close();
  return median(waits);
}

/** The share of a returning browser's requests that are answered 304, and the bytes of such an answer. */
export async function measureReturning(shopUrl: string, paths: readonly string[]) {
  const client = await openClient(shopUrl);
  let confirmed = 0;
  let bytes = 0;
  for (const path of paths) {
    const { head } = await client.send(requestText("GET", path));
    const etag = /\r\netag: (.*?)\r\n/i.exec(head)?.[1] ?? "";
    const again = await client.send(requestText("GET", path, { headers: { "If-None-Match": etag } }));
    if (again.status === 304) confirmed += 1;
    bytes += again.head.length;
  }
  client.close();
  return { share: confirmed / paths.length, bytes: Math.round(bytes / paths.length) };
}
