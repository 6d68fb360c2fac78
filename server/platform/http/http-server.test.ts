import { once } from "node:events";
import { Agent, get, request } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { StartProblem } from "../process/start-problem.ts";
import { openHttpServer } from "./http-server.ts";

const loopback = { host: "127.0.0.1", port: 0 };

test("a request that is open while the server drains gets its response, and idle connections are closed", async () => {
  const server = await openHttpServer(loopback);
  server.serve((incoming, response) => {
    incoming.resume().on("end", () => response.end("done"));
  });
  const agent = new Agent({ keepAlive: true });
  const idle = get({ port: server.port, agent });
  const [idleResponse] = await once(idle, "response");
  idleResponse.resume();
  const openRequest = request({ port: server.port, method: "POST" });
  openRequest.write("first half");
  await once(openRequest, "socket");

  const drained = server.drain(200);
  setTimeout(() => openRequest.end("second half"), 400);
  const [response] = await once(openRequest, "response");
  let body = "";
  for await (const chunk of response) body += chunk;
  await drained;

  expect(body).toBe("done");
  expect(response.headers.connection).toBe("close");
  await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow();
  agent.destroy();
});

test("requests wait for the start; health checks and requests that waited too long get 503", async () => {
  const server = await openHttpServer(loopback);
  const url = `http://127.0.0.1:${server.port}`;
  const earlyRequest = fetch(url);
  for (const path of ["/readyz", "/healthz"]) {
    const { status, headers } = await fetch(`${url}${path}`);
    expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
  }
  server.serve((_request, response) => response.end("served"));
  expect(await (await earlyRequest).text()).toBe("served");
  await server.drain();

  const slow = await openHttpServer(loopback, { ...shortLimits, startTimeoutMs: 10 });
  expect((await fetch(`http://127.0.0.1:${slow.port}/`)).status).toBe(503);
  await slow.drain();

  const neverServing = await openHttpServer(loopback);
  const waitingRequest = fetch(`http://127.0.0.1:${neverServing.port}/`);
  await neverServing.drain(100);
  expect((await waitingRequest).status).toBe(503);
});

test("requests are served until load balancers have noticed the stop; open connections are then closed after a response or when idle", async () => {
  const server = await openHttpServer(loopback);
  server.serve((_request, response) => response.end("served"));
  const proxies = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
  const readConnectionHeader = async (agent?: Agent) => {
    const [response] = await once(get({ port: server.port, agent }), "response");
    response.resume();
    await once(response, "end");
    return response.headers.connection;
  };
  for (const agent of proxies) expect(await readConnectionHeader(agent)).toBe("keep-alive");

  let isDrained = false;
  const drained = server.drain(1_000).then(() => {
    isDrained = true;
  });
  expect(await readConnectionHeader(proxies[0])).toBe("keep-alive");
  const isRefused = () =>
    readConnectionHeader().then(
      () => false,
      () => true,
    );
  await expect.poll(isRefused).toBe(true);
  expect(isDrained).toBe(false);
  expect(await readConnectionHeader(proxies[0])).toBe("close");
  await drained;
  for (const agent of proxies) agent.destroy();
});

test("a port that is in use is reported in one line", async () => {
  const first = await openHttpServer(loopback);

  const second = openHttpServer({ host: "127.0.0.1", port: first.port });

  await expect(second).rejects.toThrow(StartProblem);
  await expect(second).rejects.toThrow(new RegExp(`^PORT: ${first.port} on 127.0.0.1 is taken.*$`));
  await first.drain();
});

test("a request with two Host headers is refused, because a proxy may have checked the other one", async () => {
  const server = await openHttpServer(loopback);
  server.serve((_request, response) => response.end("served"));
  const requestHead = "GET / HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n";
  expect(await exchange(server.port, `${requestHead}\r\n`)).toContain("served");
  expect(await exchange(server.port, `${requestHead}host: evil.example\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  await server.drain();
});

const shortLimits = {
  requestTimeout: 200,
  startTimeoutMs: 100,
  headersTimeout: 100,
  connectionsCheckingInterval: 50,
  connections: 2,
};

test.each([
  ["headers", "GET / HTTP/1.1\r\nHost: shop.example\r\n"],
  ["a body", "POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 10\r\n\r\nhalf"],
])("a caller whose %s never end gets a response and is disconnected", async (_, firstBytes) => {
  const server = await openHttpServer(loopback, shortLimits);
  server.serve((incoming, response) => void incoming.resume().on("end", () => response.end("served")));
  expect(await exchange(server.port, firstBytes)).toMatch(/^HTTP\/1\.1 408 /);
  await server.drain();
});

test("connections beyond the limit are closed instead of kept waiting", async () => {
  const server = await openHttpServer(loopback, {
    ...shortLimits,
    headersTimeout: 10_000,
    requestTimeout: 10_000,
  });
  const connections = [connect(server.port), connect(server.port)];
  await Promise.all(connections.map((socket) => once(socket, "connect")));
  expect(await exchange(server.port, "GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n")).toBe("");
  for (const socket of connections) socket.destroy();
  await server.drain();
});

/** Sends bytes; returns the server's answer until it closes the connection. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port);
  let response = "";
  socket.setEncoding("utf8").on("data", (text) => {
    response += text;
  });
  socket.on("error", () => {});
  socket.write(bytes);
  await once(socket, "close");
  return response;
}
