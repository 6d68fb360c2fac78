import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { openClient, requestText } from "./keep-alive-client.ts";
import { cpuMsOf } from "./processes.ts";
import { median } from "./statistics.ts";

const rounds = 5;
const roundSeconds = 1.5;

export type Speed = { shopPerSecond: number; rawPerSecond: number; ratio: number };

/**
 * One address of the shop against a bare node:http server that answers the same bytes. They take turns, so that what
 * else the machine does hits both; the median of the rounds counts.
 */
export async function measureAgainstRaw(shopUrl: string, path: string, connections: number): Promise<Speed> {
  const raw = await startRaw(shopUrl, path);
  try {
    await load(shopUrl + path, 1, connections);
    await load(raw.url + path, 1, connections);
    const speeds: Speed[] = [];
    for (let round = 0; round < rounds; round += 1) {
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
 * Processor time (ms) of a bare node:http server for one request that answers 4 kB: what the cost of other work is
 * measured in, because machines and minutes differ.
 */
export async function measureRawRequest(): Promise<number> {
  const server = spawn(process.execPath, [join(import.meta.dirname, "raw-server.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  server.stdin.end(JSON.stringify({ headers: { "content-type": "text/plain" }, body: "x".repeat(4096) }));
  try {
    const [port] = await once(server.stdout, "data");
    const url = `http://127.0.0.1:${Number(port)}/`;
    await load(url, 1, 8);
    const before = cpuMsOf([server.pid ?? 0]);
    const perSecond = await load(url, roundSeconds, 8);
    // The load program itself makes a request or two before it counts.
    return (cpuMsOf([server.pid ?? 0]) - before) / (perSecond * roundSeconds);
  } finally {
    server.kill();
  }
}

/** What browsers send; the copy in Brotli is what they get. */
export const acceptEncoding = "gzip, deflate, br, zstd";

async function load(url: string, seconds: number, connections: number): Promise<number> {
  const args = [join(import.meta.dirname, "load.ts"), url, String(connections), String(seconds)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout);
}

async function startRaw(shopUrl: string, path: string): Promise<{ url: string; process: ChildProcess }> {
  const client = await openClient(shopUrl);
  const request = requestText("GET", path, { headers: { "Accept-Encoding": acceptEncoding } });
  const { head, body } = await client.send(request);
  client.close();
  // What node:http writes by itself is left to it.
  const own = /^(date|connection|keep-alive|transfer-encoding)$/i;
  const headers = Object.fromEntries(
    [...head.matchAll(/^([\w-]+): (.*?)\r$/gm)]
      .map(([, name = "", value = ""]) => [name, value] as const)
      .filter(([name]) => !own.test(name)),
  );
  const server = spawn(process.execPath, [join(import.meta.dirname, "raw-server.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  server.stdin.end(JSON.stringify({ headers, body }));
  const [port] = await once(server.stdout, "data");
  return { url: `http://127.0.0.1:${Number(port)}`, process: server };
}
