import { setTimeout as delay } from "node:timers/promises";
import { bookFiles } from "../domain/books/exports.ts";
import { type Figure, percentile } from "./figures.ts";
import { openClient, requestText } from "./keep-alive-client.ts";
import type { OpenPanel } from "./panel.ts";
import { postgresAndOthers, processTree, readCpuMs, readMemory } from "./processes.ts";

const watchEveryMs = 250;
/** A shopper's requests in turn: a cached page, a page rendered per visitor, a price from the database. */
const shopperPaths = ["/", "/cart", "/api/cart"];
const shopperPauseMs = 5;

/** Downloads the file of all orders; measures how long shoppers wait during it. */
export function measureExport(panel: OpenPanel): Promise<Figure[]> {
  return measureFile(panel, "file of all orders", "/api/admin/orders.csv?status=all");
}

/** Downloads the file of all orders, and each file of the books over all periods. */
export async function measureFileRates({ shop, cookie }: OpenPanel): Promise<Figure[]> {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const ofBooks = bookFiles.map((name) => `books/${name}?from=${day(-3_600)}&to=${day(0)}`);
  const figures: Figure[] = [];
  for (const path of ["orders.csv?status=all", ...ofBooks]) {
    const cpuBefore = readCpuTimes(shop.pid);
    const { lines, wholeMs } = await download(`${shop.url}/api/admin/${path}`, cookie);
    const cpuAfter = readCpuTimes(shop.pid);
    const [postgres, node] = cpuAfter.map((ms, index) => (1_000 * (ms - (cpuBefore[index] ?? 0))) / lines);
    const rate = lines / (wholeMs / 1_000);
    // Starting takes longer than writing a few lines.
    const target = lines < 10_000 ? {} : { target: { min: 20_000 } };
    figures.push({
      name: path.replace(/\?.*/, ""),
      value: rate,
      unit: "/s",
      note: `(${lines} lines, each ${node?.toFixed(0)} µs of node and ${postgres?.toFixed(0)} of PostgreSQL)`,
      ...target,
    });
  }
  return figures;
}

const readCpuTimes = (pid: number) => postgresAndOthers(processTree(pid)).map(readCpuMs);

async function measureFile({ shop, cookie }: OpenPanel, name: string, path: string): Promise<Figure[]> {
  const waitsAlone = await shopperWaits(shop.url, delay(3_000));
  const memoryBefore = memoryMb(shop.pid);
  const loading = download(`${shop.url}${path}`, cookie);
  const [file, waits, maxMemory] = await Promise.all([
    loading,
    shopperWaits(shop.url, loading),
    peakMemory(shop.pid, loading),
  ]);
  const size = `(${file.lines.toLocaleString("en-US")} lines, ${(file.bytes / 1_000_000).toFixed(0)} MB)`;
  const figures: Figure[] = [
    { name: `${name}: first bytes`, value: file.firstMs, unit: "ms", target: { max: 200 } },
    { name: `${name}: whole`, value: file.wholeMs / 1_000, unit: "s", note: size },
    {
      name: "a shopper during the export, p50",
      value: percentile(waits, 0.5),
      unit: "ms",
      note: aloneNote(waitsAlone, 0.5),
    },
    {
      name: "a shopper during the export, p99",
      value: percentile(waits, 0.99),
      unit: "ms",
      target: { max: 200 },
      note: aloneNote(waitsAlone, 0.99),
    },
  ];
  if (memoryBefore === null || maxMemory === null) return figures;
  const note = `(${memoryBefore.toFixed(0)} before)`;
  return [
    ...figures,
    { name: "memory during the export, at most", value: maxMemory, unit: "MB", target: { max: 300 }, note },
  ];
}

function aloneNote(waitsAlone: readonly number[], share: number): string {
  return `(${percentile(waitsAlone, share).toFixed(1)} alone)`;
}

async function download(url: string, cookie: string) {
  const startedAt = performance.now();
  const response = await fetch(url, { headers: { Cookie: cookie, "Accept-Encoding": "identity" } });
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`);
  let firstMs = Number.NaN;
  let [bytes, lines] = [0, -1];
  for await (const chunk of response.body) {
    if (bytes === 0) firstMs = performance.now() - startedAt;
    bytes += chunk.length;
    lines += Buffer.from(chunk).toString("latin1").split("\n").length - 1;
  }
  return { firstMs, wholeMs: performance.now() - startedAt, bytes, lines };
}

/** Requests pages as a shopper until `end` settles; returns how long (ms) each response took. */
export async function shopperWaits(url: string, end: Promise<unknown>): Promise<number[]> {
  const client = await openClient(url);
  const requests = shopperPaths.map((path) => requestText("GET", path));
  const waits: number[] = [];
  let isFinished = false;
  const finished = end.finally(() => {
    isFinished = true;
  });
  while (!isFinished) {
    for (const request of requests) {
      const startedAt = performance.now();
      const { status } = await client.send(request);
      if (status !== 200) throw new Error(`a shopper was answered ${status}`);
      waits.push(performance.now() - startedAt);
    }
    await delay(shopperPauseMs);
  }
  await finished;
  client.close();
  return waits;
}

async function peakMemory(pid: number, end: Promise<unknown>): Promise<number | null> {
  let max = memoryMb(pid);
  let isFinished = false;
  const finished = end.finally(() => {
    isFinished = true;
  });
  while (!isFinished) {
    await delay(watchEveryMs);
    const now = memoryMb(pid);
    if (now !== null) max = Math.max(max ?? 0, now);
  }
  await finished;
  return max;
}

/** Null if the process has ended. */
function memoryMb(pid: number): number | null {
  return readMemory(pid)?.pssMb ?? null;
}
