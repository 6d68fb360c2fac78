import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { formatCents } from "../domain/shared/money.ts";
import { type Figure, median } from "./figures.ts";
import { acceptEncoding, openClient, requestText } from "./keep-alive-client.ts";
import type { OpenPanel } from "./panel.ts";
import { readCpuMs } from "./processes.ts";
import type { ShopProcess } from "./shop-process.ts";

export const home = "/";
export const productPage = "/product/pure-batana-oil";

const loadRounds = 5;
const roundSeconds = 1.5;
const renderingRounds = 40;
/** Servers receive a change within this time (ms). */
const receiveMs = 15;

/**
 * Speed of pages and of the API: in comparison with a bare server, after a change, and for a browser that has cached the page.
 */
export async function measurePages(shop: ShopProcess): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [path, min, connections] of [
    ["/api/products/pure-batana-oil", 0.6, 8],
    ["/api/products/pure-batana-oil", 0.6, 32],
    ["/api/products/pure-batana-oil", 0.6, 128],
    [productPage, 0.8, 8],
    [productPage, 0.8, 32],
    [home, 0.8, 32],
  ] as const) {
    const { ratio, shopPerSecond, rawPerSecond } = await compareWithRaw(shop.url, path, connections);
    const note = `(${shopPerSecond.toFixed(0)} of ${rawPerSecond.toFixed(0)} a second)`;
    const name = `${path}, ${connections} connections, node:http is 1`;
    figures.push({ name, value: ratio, unit: "", target: { min }, note });
  }
  for (const path of [home, productPage, "/reviews"]) {
    const value = await measureRendering(shop, path);
    figures.push({ name: `making ${path} anew, p50`, value, unit: "ms" });
  }
  const paths = [home, productPage, "/reviews", "/cart", "/contact"];
  return [...figures, ...(await measureReturning(shop.url, paths))];
}

type Speed = { shopPerSecond: number; rawPerSecond: number; ratio: number };

/**
 * Requests per second of one URL of the shop and of a bare node:http server that sends the same bytes. They are
 * measured alternately, so that other load on the machine affects both; the median round is reported.
 */
async function compareWithRaw(shopUrl: string, path: string, connections: number): Promise<Speed> {
  const raw = await startRaw(await readResponse(shopUrl, path));
  try {
    await load(shopUrl + path, 1, connections);
    await load(raw.url + path, 1, connections);
    const speeds: Speed[] = [];
    for (let round = 0; round < loadRounds; round += 1) {
      const shopPerSecond = await load(shopUrl + path, roundSeconds, connections);
      const rawPerSecond = await load(raw.url + path, roundSeconds, connections);
      speeds.push({ shopPerSecond, rawPerSecond, ratio: shopPerSecond / rawPerSecond });
    }
    return {
      shopPerSecond: median(speeds.map((speed) => speed.shopPerSecond)),
      rawPerSecond: median(speeds.map((speed) => speed.rawPerSecond)),
      ratio: median(speeds.map((speed) => speed.ratio)),
    };
  } finally {
    raw.process.kill();
  }
}

/**
 * Processor time (ms) that a bare node:http server needs to serve one request with 4 kB: the unit for the cost of other
 * work, since machines differ.
 */
export async function measureRawRequest(): Promise<number> {
  const raw = await startRaw({ headers: { "content-type": "text/plain" }, body: "x".repeat(4096) });
  const pids = [raw.process.pid ?? 0];
  try {
    await load(`${raw.url}/`, 1, 8);
    const cpuBeforeMs = readCpuMs(pids);
    const perSecond = await load(`${raw.url}/`, roundSeconds, 8);
    // The load program makes a request or two before it counts.
    return (readCpuMs(pids) - cpuBeforeMs) / (perSecond * roundSeconds);
  } finally {
    raw.process.kill();
  }
}

async function load(url: string, seconds: number, connections: number): Promise<number> {
  const args = [join(import.meta.dirname, "load.ts"), url, String(connections), String(seconds)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout);
}

type RawResponse = { headers: Record<string, string>; body: string };

/** A bare node:http server that responds to every request with the same bytes. */
async function startRaw(response: RawResponse): Promise<{ url: string; process: ChildProcess }> {
  const server = spawn(process.execPath, [join(import.meta.dirname, "raw-server.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  server.stdin.end(JSON.stringify(response));
  const [port] = await once(server.stdout, "data");
  return { url: `http://127.0.0.1:${Number(port)}`, process: server };
}

async function readResponse(shopUrl: string, path: string): Promise<RawResponse> {
  const client = await openClient(shopUrl);
  const { head, body } = await client.send(
    requestText("GET", path, { headers: { "Accept-Encoding": acceptEncoding } }),
  );
  client.close();
  // Headers that node:http adds automatically.
  const isAddedByNode = /^(date|connection|keep-alive|transfer-encoding)$/i;
  const headers = [...head.matchAll(/^([\w-]+): (.*?)\r$/gm)]
    .map(([, name = "", value = ""]) => [name, value] as const)
    .filter(([name]) => !isAddedByNode.test(name));
  return { headers: Object.fromEntries(headers), body };
}

/** Median time (ms) to render a page again after a change to its data. */
async function measureRendering({ url, pool }: ShopProcess, path: string): Promise<number> {
  const client = await openClient(url);
  const request = requestText("GET", path);
  const waits: number[] = [];
  for (let round = 0; round < renderingRounds; round += 1) {
    await pool.query("select pg_notify('shop_changed', 'settings')");
    await delay(receiveMs);
    const startedAt = performance.now();
    await client.send(request);
    waits.push(performance.now() - startedAt);
  }
  client.close();
  return median(waits);
}

/** Share of a returning browser's requests that get a 304, and the size of such a response. */
async function measureReturning(shopUrl: string, paths: readonly string[]): Promise<Figure[]> {
  const client = await openClient(shopUrl);
  let notModifiedCount = 0;
  let bytes = 0;
  for (const path of paths) {
    const { head } = await client.send(requestText("GET", path));
    const etag = /\r\netag: (.*?)\r\n/i.exec(head)?.[1] ?? "";
    const response = await client.send(requestText("GET", path, { headers: { "If-None-Match": etag } }));
    if (response.status === 304) notModifiedCount += 1;
    bytes += response.head.length;
  }
  client.close();
  const value = (notModifiedCount / paths.length) * 100;
  return [
    { name: "304 for a cached page", value, unit: "%", target: { min: 100 } },
    { name: "size of a 304", value: Math.round(bytes / paths.length), unit: "B" },
  ];
}

const priceChanges = 20;

/** Longest of several waits from saving a new price until the cached page shows it. */
export async function measurePriceChange({ shop, cookie }: OpenPanel): Promise<Figure[]> {
  let longestMs = 0;
  for (let change = 1; change <= priceChanges; change += 1) {
    const price = 3_000 + change;
    const response = await fetch(`${shop.url}/api/products/1/price`, {
      method: "PUT",
      headers: { Cookie: cookie, "Content-Type": "application/json" },
      body: JSON.stringify({ price }),
    });
    if (!response.ok) throw new Error(`the new price was answered ${response.status}`);
    const changedAt = performance.now();
    while (!(await (await fetch(shop.url + productPage)).text()).includes(formatCents(price)));
    longestMs = Math.max(longestMs, performance.now() - changedAt);
  }
  return [{ name: "a new price on the cached page", value: longestMs, unit: "ms", target: { max: 1_000 } }];
}
