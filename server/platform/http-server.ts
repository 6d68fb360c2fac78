import { createServer, type RequestListener } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { StartProblem } from "./start-problem.ts";

/** How long a load balancer has to read from /readyz that this server is going. */
const noticeMs = 500;
const openRequestsMs = 5_000;

export type HttpServer = {
  /** The port it really got, should any have been asked for. */
  port: number;
  /** Until this is called every request is answered 503. */
  serve(listener: RequestListener): void;
  /** Takes no new connection and waits for open requests, 5 s at most. */
  drain(): Promise<void>;
};

/** Listens before there is anything to serve, so that a taken port is known at once. Throws StartProblem. */
export async function openHttpServer({ host, port }: { host: string; port: number }): Promise<HttpServer> {
  let serve: RequestListener = (_request, response) => {
    response.writeHead(503, { "Retry-After": "1", "Content-Type": "text/plain" });
    response.end("The shop is starting.\n");
  };
  let isDraining = false;
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
    if (isDraining) response.shouldKeepAlive = false;
    serve(request, response);
  });

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
      // Connections that were busy when the server closed become idle later, and would be kept alive.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      await Promise.race([closed, delay(openRequestsMs, null, { ref: false })]);
      clearInterval(sweep);
      server.closeAllConnections();
    },
  };
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
