import { createServer, type RequestListener } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { StartProblem } from "../process/start-problem.ts";

/** How long a load balancer has to learn from /readyz that this server is stopping. */
const noticeMs = 500;
const openRequestsMs = 5_000;
const limits = {
  /** Time limits for a whole request and for its headers (ms). */
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  /** How often slow callers are checked for (ms). Node's own 30 s would add that much to each limit. */
  connectionsCheckingInterval: 1_000,
  /** Maximum of open connections; any more are closed. Shoppers keep a few hundred open on the busiest day. */
  connections: 2_000,
};

export type HttpServer = {
  /** The actual port, should any free one have been asked for. */
  port: number;
  /** Until this is called every request is answered 503. */
  serve(listener: RequestListener): void;
  /** Accepts no new connections and waits for open requests, 5 s at most. */
  drain(): Promise<void>;
};

/** Listens before there is anything to serve, so that a taken port is reported at once. Throws StartProblem. */
export async function openHttpServer(
  { host, port }: { host: string; port: number },
  { connections, ...timeouts }: typeof limits = limits,
): Promise<HttpServer> {
  let serve: RequestListener = (_request, response) => {
    response.writeHead(503, { "Retry-After": "1", "Content-Type": "text/plain" });
    response.end("The shop is starting.\n");
  };
  let isDraining = false;
  const server = createServer(timeouts, (request, response) => {
    if (isDraining) response.shouldKeepAlive = false;
    // A proxy in front of the shop may have checked the other `Host` header.
    if (hasTwoHosts(request.rawHeaders)) {
      response.writeHead(400, { "Content-Type": "text/plain", Connection: "close" });
      response.end("A request has one Host header.\n");
      return;
    }
    serve(request, response);
  });
  server.maxConnections = connections;

  await new Promise<void>((listening, fail) => {
    server.once("error", (error) => fail(listenProblem(error, host, port)));
    server.listen(port, host, listening);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has no port");

  return {
    port: address.port,
    serve(listener) {
      serve = listener;
    },
    async drain() {
      isDraining = true;
      await delay(noticeMs);
      const closed = new Promise((done) => server.close(done));
      // Connections that were busy when the server closed would be kept alive once they are idle.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      await Promise.race([closed, delay(openRequestsMs, null, { ref: false })]);
      clearInterval(sweep);
      server.closeAllConnections();
    },
  };
}

/** Names and values alternate, as received. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

function listenProblem(error: Error, host: string, port: number): Error {
  const code = "code" in error ? error.code : "";
  if (code === "EADDRINUSE") {
    return new StartProblem(
      `PORT: ${port} on ${host} is taken by another program; stop it or set another PORT.`,
    );
  }
  if (code === "EACCES")
    return new StartProblem(`PORT: this account may not listen on ${port}; set PORT above 1023.`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new StartProblem(`HOST: ${host} is not an address of this machine.`);
  }
  return error;
}
