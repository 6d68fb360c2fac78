import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { median } from "./figures.ts";
import { openClient, requestText } from "./keep-alive-client.ts";
import { cpuMsOf } from "./processes.ts";

const rounds = 5;
const roundSeconds = 1.5;

export type Speed = { shopPerSecond: number; rawPerSecond: number; ratio: number };

/**
 * Requests per second of one address of the shop and of a bare node:http server that answers the same bytes. They are
 * measured alternately, so that other load on the machine affects both; the median round is reported.
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
 * Processor time (ms) that a bare node:http server needs to answer one request with 4 kB: the unit for the cost of other
 * work, since machines differ.
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
    // The load program makes a request or two before it counts.
    return (cpuMsOf([server.pid ?? 0]) - before) / (perSecond * roundSeconds);
  } finally {
    server.kill();
  }
}

/** As browsers send it; the shop answers with the copy in Brotli. */
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
  // Headers that node:http adds by itself.
  const isAddedByNode = /^(date|connection|keep-alive|transfer-encoding)$/i;
  const headers = Object.fromEntries(
    [...head.matchAll(/^([\w-]+): (.*?)\r$/gm)]
      .map(([, name = "", value = ""]) => [name, value] as const)
      .filter(([name]) => !isAddedByNode.test(name)),
  );
  const server = spawn(process.execPath, [join(import.meta.dirname, "raw-server.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  server.stdin.end(JSON.stringify({ headers, body }));
  const [port] = await once(server.stdout, "data");
  return { url: `http://127.0.0.1:${Number(port)}`, process: server };
}
