import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { Server } from "node:net";
import { setTimeout as delay, setImmediate as eventLoopTurn } from "node:timers/promises";
import { StartProblem } from "../process/start-problem.ts";

const openRequestsTimeoutMs = 5_000;
/** Time without a request (ms; at most half of `noticeMs`) after which proxies are assumed to use other servers. */
const maxQuietMs = 2_000;
/**
 * A connection that is closed while the proxy sends its next request on it breaks that request, so the proxy must be the
 * one to close it: nginx does after 60 s, Caddy after 120 s, Google's balancer after 600 s.
 */
const proxyKeepAliveMs = 620_000;
/** A turn of the event loop shorter than this (ms) counts as idle. */
const shortTurnMs = 0.2;
const limits = {
  /** Longest wait of requests for the shop to start. */
  startTimeoutMs: 10_000,
  /** Time limits for a whole request, mostly for uploads over slow connections, and for its headers (ms). */
  requestTimeout: 240_000,
  headersTimeout: 10_000,
  /** Interval between checks for slow callers (ms). Node's default of 30 s would add that much to each limit. */
  connectionsCheckingInterval: 1_000,
  /** Maximum of open connections; any more are closed. Shoppers keep a few hundred open on the busiest day. */
  connections: 2_000,
};

type HttpServer = {
  /** The actual port, even if port 0 was configured. */
  port: number;
  /** Starts serving. Before that, health checks get 503, and other requests wait for at most 10 s. */
  serve(listener: RequestListener): void;
  /**
   * Continues to serve for `noticeMs`, in which load balancers stop using this server. Then accepts no new connections, and
   * waits for at most 5 s for open requests and for those that a proxy still sends on keep-alive connections.
   */
  drain(noticeMs?: number): Promise<void>;
};

/** Listens before the shop can serve, so that a port in use is reported immediately. Throws StartProblem. */
export async function openHttpServer(
  { host, port, trustProxy = [] }: { host: string; port: number; trustProxy?: readonly string[] },
  { connections, startTimeoutMs, ...timeouts }: typeof limits = limits,
): Promise<HttpServer> {
  const heldRequests = holdRequests(startTimeoutMs);
  let serve: RequestListener = heldRequests.hold;
  let isDraining = false;
  /** Responses whose headers are not sent yet. */
  const unsentResponses = new Set<ServerResponse>();
  let connectionCount = 0;
  let requestCount = 0;
  const keepAlive = trustProxy.length > 0 && { keepAliveTimeout: proxyKeepAliveMs };
  const server = createServer({ ...timeouts, ...keepAlive }, (request, response) => {
    requestCount += 1;
    if (isDraining) response.shouldKeepAlive = false;
    // Node uses the first `Host` header; a proxy in front of the shop may have checked the second one.
    if (hasTwoHosts(request.rawHeaders)) {
      response.writeHead(400, { "Content-Type": "text/plain", Connection: "close" });
      response.end("A request has one Host header.\n");
      return;
    }
    // `OPTIONS *` concerns the server as a whole; old load balancers use it.
    if (request.url === "*") request.url = "/";
    serve(request, response);
    if (response.headersSent) return;
    unsentResponses.add(response);
    response.once("close", () => unsentResponses.delete(response));
  });
  server.maxConnections = connections;
  server.on("connection", () => {
    connectionCount += 1;
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(listenProblem(error, host, port)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has no port");

  return {
    port: address.port,
    serve(listener) {
      serve = listener;
      heldRequests.release(listener);
    },
    async drain(noticeMs = 0) {
      heldRequests.refuseAll();
      await delay(noticeMs);
      await waitUntilAccepted(() => connectionCount);
      isDraining = true;
      for (const response of unsentResponses) response.shouldKeepAlive = false;
      const end = performance.now() + openRequestsTimeoutMs;
      // Unlike `close` of node:http, this keeps idle connections open, as a proxy may be sending a request on one.
      const closed = new Promise<true>((resolve) => Server.prototype.close.call(server, () => resolve(true)));
      let lastRequestCount = requestCount;
      let busyAt = performance.now();
      const quietMs = Math.min(maxQuietMs, noticeMs / 2);
      while (performance.now() < end) {
        // Waits until the sockets were read, so that a request that has arrived is counted.
        await eventLoopTurn();
        if (requestCount !== lastRequestCount) [lastRequestCount, busyAt] = [requestCount, performance.now()];
        if (performance.now() - busyAt >= quietMs) server.closeIdleConnections();
        if (await Promise.race([closed, delay(50, false, { ref: false })])) break;
      }
      server.closeAllConnections();
    },
  };
}

/**
 * When the port is closed, the system resets connections that this process has not accepted yet. Waits for a turn of the
 * event loop without new connections that is so short that none can have arrived since; in a busy process at most a second.
 */
async function waitUntilAccepted(connectionCount: () => number): Promise<void> {
  const startedAt = performance.now();
  for (let now = startedAt; now - startedAt < 1_000; ) {
    const [countBefore, turnAt] = [connectionCount(), now];
    await eventLoopTurn();
    now = performance.now();
    if (connectionCount() === countBefore && now - turnAt < shortTurnMs) return;
  }
}

/** Holds requests that arrive before the shop is open; responds to health checks immediately. */
function holdRequests(timeoutMs: number) {
  const openResponses = new Map<ServerResponse, { request: IncomingMessage; timer: NodeJS.Timeout }>();
  let refusesAll = false;
  const forget = (response: ServerResponse) => {
    clearTimeout(openResponses.get(response)?.timer);
    openResponses.delete(response);
  };
  const refuse = (response: ServerResponse) => {
    forget(response);
    response.writeHead(503, { "Retry-After": "1", "Content-Type": "text/plain" });
    response.end("The shop is starting.\n");
  };
  return {
    hold(request: IncomingMessage, response: ServerResponse) {
      const { method, url = "" } = request;
      if (refusesAll || method === "OPTIONS" || /^\/(healthz|readyz|metrics)\b/.test(url))
        return refuse(response);
      openResponses.set(response, { request, timer: setTimeout(refuse, timeoutMs, response) });
      response.once("close", () => forget(response));
    },
    release(listener: RequestListener) {
      for (const [response, { request }] of openResponses) {
        forget(response);
        listener(request, response);
      }
    },
    refuseAll() {
      refusesAll = true;
      for (const response of openResponses.keys()) refuse(response);
    },
  };
}

/** Whether a request has two Host headers. `rawHeaders`: names and values alternate. */
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
