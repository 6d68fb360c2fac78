import { once } from "node:events";
import { Agent, get, request } from "node:http";
import { expect, test } from "vitest";
import { openHttpServer } from "./http-server.ts";
import { StartProblem } from "./start-problem.ts";

const loopback = { host: "127.0.0.1", port: 0 };

test("a request that is open when the server drains still gets its answer, idle connections are closed", async () => {
  const server = await openHttpServer(loopback);
  server.serve((incoming, response) => {
    incoming.resume().on("end", () => response.end("done"));
  });
  const agent = new Agent({ keepAlive: true });
  const idle = get({ port: server.port, agent });
  const [idleAnswer] = await once(idle, "response");
  idleAnswer.resume();
  const open = request({ port: server.port, method: "POST" });
  open.write("first half");
  await once(open, "socket");

  const drained = server.drain();
  setTimeout(() => open.end("second half"), 700);
  const [answer] = await once(open, "response");
  let body = "";
  for await (const chunk of answer) body += chunk;
  await drained;

  expect(body).toBe("done");
  expect(answer.headers.connection).toBe("close");
  await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow();
  agent.destroy();
});

test("until there is something to serve, requests are told to come back", async () => {
  const server = await openHttpServer(loopback);

  const answer = await fetch(`http://127.0.0.1:${server.port}/`);
  await server.drain();

  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("1");
});

test("a taken port is a problem told in one line", async () => {
  const first = await openHttpServer(loopback);

  const second = openHttpServer({ host: "127.0.0.1", port: first.port });

  await expect(second).rejects.toThrow(StartProblem);
  await expect(second).rejects.toThrow(new RegExp(`^PORT: ${first.port} on 127.0.0.1 is taken.*$`));
  await first.drain();
});
