import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { formatCents } from "../domain/shared/money.ts";
import { type Figure, median } from "./figures.ts";
import { openClient, requestText } from "./keep-alive-client.ts";
import type { OpenPanel } from "./panel.ts";

const rounds = 40;
/** Servers receive a change within this time (ms). */
const receiveMs = 15;

/** Median time (ms) to render a page again after a change to its data. */
export async function measureMaking(shopUrl: string, pool: pg.Pool, path: string): Promise<number> {
  const client = await openClient(shopUrl);
  const request = requestText("GET", path);
  const waits: number[] = [];
  for (let time = 0; time < rounds; time += 1) {
    await pool.query("select pg_notify('shop_changed', 'settings')");
    await delay(receiveMs);
    const begunAt = performance.now();
    await client.send(request);
    waits.push(performance.now() - begunAt);
  }
  client.close();
  return median(waits);
}

/** Share of a returning browser's requests that are answered 304, and the size of such an answer. */
export async function measureReturning(shopUrl: string, paths: readonly string[]) {
  const client = await openClient(shopUrl);
  let notModified = 0;
  let bytes = 0;
  for (const path of paths) {
    const { head } = await client.send(requestText("GET", path));
    const etag = /\r\netag: (.*?)\r\n/i.exec(head)?.[1] ?? "";
    const again = await client.send(requestText("GET", path, { headers: { "If-None-Match": etag } }));
    if (again.status === 304) notModified += 1;
    bytes += again.head.length;
  }
  client.close();
  return { share: notModified / paths.length, bytes: Math.round(bytes / paths.length) };
}

const changes = 20;
const page = "/product/pure-batana-oil";

/** Longest of several waits from saving a new price until the cached page shows it. */
export async function measureChange({ shop, cookie }: OpenPanel): Promise<Figure[]> {
  let longestMs = 0;
  for (let change = 1; change <= changes; change += 1) {
    const price = 3_000 + change;
    const answer = await fetch(`${shop.url}/api/products/1/price`, {
      method: "PUT",
      headers: { Cookie: cookie, "Content-Type": "application/json" },
      body: JSON.stringify({ price }),
    });
    if (!answer.ok) throw new Error(`the new price was answered ${answer.status}`);
    const changedAt = performance.now();
    while (!(await (await fetch(shop.url + page)).text()).includes(formatCents(price)));
    longestMs = Math.max(longestMs, performance.now() - changedAt);
  }
  return [{ name: "a new price on the cached page", value: longestMs, unit: "ms", aim: { most: 1_000 } }];
}
