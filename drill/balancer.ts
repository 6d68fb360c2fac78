import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../test/free-port.ts";
import type { DrillResources } from "./resources.ts";
import { waitUntil } from "./until.ts";

/** Interval between two readiness checks of a server (ms); a server is taken out after one failed check. */
const checkEveryMs = 200;
const checkTimeoutMs = 1_000;
const haproxyProgram = "/usr/sbin/haproxy";

/** Distributes requests among the servers that /readyz reports as ready. */
export type Balancer = { name: string; url: string };

/** HAProxy if it is installed, otherwise the embedded balancer below. */
export async function startBalancer(options: {
  resources: DrillResources;
  ports: readonly number[];
  onlyEmbedded: boolean;
}): Promise<Balancer> {
  const { resources, ports, onlyEmbedded } = options;
  const balancer =
    !onlyEmbedded && existsSync(haproxyProgram)
      ? await startHaproxy(resources, ports)
      : await startEmbeddedBalancer(ports);
  await waitUntil("the balancer has servers", async () => {
    const response = await fetch(`${balancer.url}/readyz`).catch(() => null);
    return response?.ok === true;
  });
  return balancer;
}

async function startHaproxy(resources: DrillResources, ports: readonly number[]): Promise<Balancer> {
  const port = await freePort();
  const file = join(resources.folder, "haproxy.cfg");
  const servers = ports.map((shopPort, index) => `  server shop${index + 1} 127.0.0.1:${shopPort} check`);
  writeFileSync(
    file,
    `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check ${checkTimeoutMs}ms
  retries 3
  option redispatch 1
frontend shoppers
  bind 127.0.0.1:${port}
  default_backend shops
backend shops
  balance roundrobin
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host shop
  http-check expect status 200
  default-server inter ${checkEveryMs}ms fall 1 rise 1
${servers.join("\n")}
`,
  );
  resources.spawn(haproxyProgram, ["-db", "-q", "-f", file], { stdio: "ignore" });
  return { name: "HAProxy", url: `http://127.0.0.1:${port}` };
}

/** Sends requests to the servers in turn; skips a server that refuses the connection. */
async function startEmbeddedBalancer(ports: readonly number[]): Promise<Balancer> {
  /** By port: 0 if ready, 1 if it was ready but its last check timed out, 2 if not ready or not running. */
  const ranks = new Map<number, 0 | 1 | 2>();
  const portRank = (port: number) => ranks.get(port) ?? 2;
  const agent = new Agent({ keepAlive: false });
  let turn = 0;

  async function check(port: number): Promise<void> {
    for (;;) {
      const signal = AbortSignal.timeout(checkTimeoutMs);
      try {
        const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal });
        ranks.set(port, response.ok ? 0 : 2);
      } catch {
        // A starting server does not respond while it loads its modules, so only a server that was ready counts as slow.
        ranks.set(port, signal.aborted && portRank(port) < 2 ? 1 : 2);
      }
      await delay(checkEveryMs, null, { ref: false });
    }
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const { method, url: path, headers } = incoming;
    for (const port of nextServers()) {
      const upstreamRequest = request({
        host: "127.0.0.1",
        port,
        method,
        path,
        headers: { ...headers, connection: "close" },
        agent,
      });
      upstreamRequest.end(body);
      const [upstream] = await once(upstreamRequest, "response").catch((error: unknown) => [error]);
      if (isRefused(upstream)) continue;
      if (upstream instanceof Error) break;
      const { connection, ...upstreamHeaders } = upstream.headers;
      response.writeHead(upstream.statusCode, upstreamHeaders);
      upstream.pipe(response);
      upstream.on("error", () => response.destroy());
      return;
    }
    response.writeHead(503, { "Retry-After": "1" }).end();
  }

  function nextServers(): number[] {
    turn += 1;
    const rotated = ports.map((_, index) => ports[(turn + index) % ports.length] ?? 0);
    // Servers that failed their last check come last, but are not left out: on a stalled machine, checks of working servers
    // fail. A starting server comes after a slow one, because it would hold the request until it has started.
    return rotated.toSorted((a, b) => portRank(a) - portRank(b));
  }

  for (const port of ports) void check(port);
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return { name: "the drill's embedded balancer", url: `http://127.0.0.1:${port}` };
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
}
