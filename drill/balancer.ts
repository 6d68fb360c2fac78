import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../test/free-port.ts";
import type { Belongings } from "./belongings.ts";
import { until } from "./until.ts";

/** How often each server is asked whether it is ready (ms); one "no" is enough. */
const checkEveryMs = 200;
const checkMs = 1_000;
const haproxyProgram = "/usr/sbin/haproxy";

/** Shares requests out among the servers that say at /readyz that they are ready. */
export type Balancer = { name: string; url: string };

/** HAProxy where it is installed, or one of the drill's own. */
export async function startBalancer(parts: {
  belongings: Belongings;
  ports: readonly number[];
  onlyEmbedded: boolean;
}): Promise<Balancer> {
  const { belongings, ports, onlyEmbedded } = parts;
  const balancer =
    !onlyEmbedded && existsSync(haproxyProgram)
      ? await startHaproxy(belongings, ports)
      : await startOwnBalancer(ports);
  await until("the balancer has servers", async () => {
    const answer = await fetch(`${balancer.url}/readyz`).catch(() => null);
    return answer?.ok === true;
  });
  return balancer;
}

async function startHaproxy(belongings: Belongings, ports: readonly number[]): Promise<Balancer> {
  const port = await freePort();
  const file = join(belongings.folder, "haproxy.cfg");
  const servers = ports.map((at, index) => `  server shop${index + 1} 127.0.0.1:${at} check`);
  writeFileSync(
    file,
    `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check ${checkMs}ms
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
  belongings.spawn(haproxyProgram, ["-db", "-q", "-f", file], { stdio: "ignore" });
  return { name: "HAProxy", url: `http://127.0.0.1:${port}` };
}

/** A request goes to one server after another; one that takes no connection is passed over. */
async function startOwnBalancer(ports: readonly number[]): Promise<Balancer> {
  const ready = new Set<number>();
  const agent = new Agent({ keepAlive: false });
  let turn = 0;

  async function check(port: number): Promise<void> {
    for (;;) {
      const signal = AbortSignal.timeout(checkMs);
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).catch(() => null);
      if (answer?.ok) ready.add(port);
      else ready.delete(port);
      await delay(checkEveryMs, null, { ref: false });
    }
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const { method, url: path, headers } = incoming;
    for (const port of inTurn()) {
      const passedOn = request({
        host: "127.0.0.1",
        port,
        method,
        path,
        headers: { ...headers, connection: "close" },
        agent,
      });
      passedOn.end(body);
      const [answer] = await once(passedOn, "response").catch((error: unknown) => [error]);
      if (isRefused(answer)) continue;
      if (answer instanceof Error) break;
      const { connection, ...answered } = answer.headers;
      response.writeHead(answer.statusCode, answered);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
      return;
    }
    response.writeHead(503, { "Retry-After": "1" }).end();
  }

  function inTurn(): number[] {
    turn += 1;
    // Where none answered its last check in time, as on a machine that stood still, all are tried.
    const able = ready.size > 0 ? ports.filter((port) => ready.has(port)) : ports;
    return able.map((_, index) => able[(turn + index) % able.length] ?? 0);
  }

  for (const port of ports) void check(port);
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return { name: "a balancer of the drill's own", url: `http://127.0.0.1:${port}` };
}

function isRefused(answer: unknown): boolean {
  return answer instanceof Error && "code" in answer && answer.code === "ECONNREFUSED";
}
