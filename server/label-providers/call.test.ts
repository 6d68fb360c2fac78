import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { loadPicture } from "./call.ts";

const png = Buffer.from("\x89PNG\r\n\x1a\n and more", "latin1");

async function provider(response: RequestListener) {
  const server = createServer(response).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  onTestFinished(() => void server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { title: "Shippo", apiKey: "key", base, authorization: "ShippoToken key" };
}

/** A server that must not be called: counts connections, and closes them. */
async function inside() {
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0);
  await new Promise((done) => server.once("listening", done));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

test("a label's picture is loaded, also through a redirect", async () => {
  const access = await provider(({ url }, response) => {
    if (url === "/label") response.writeHead(302, { Location: "/label.png" }).end();
    else response.end(png);
  });
  expect(await loadPicture(access, `${access.base}/label`)).toEqual(png);
});

test("a label's picture is not loaded from a host in the shop's private network", async () => {
  const { port, connections } = await inside();
  const urls = [`https://127.0.0.1:${port}/a.png`, `https://[::1]:${port}/`, `https://localhost:${port}/`];
  const access = await provider(({ url = "" }, response) => {
    response.writeHead(302, { Location: decodeURIComponent(url.slice(1)) }).end();
  });
  for (const url of [...urls, `http://127.0.0.1:${port}/`]) {
    if (url.startsWith("https:")) await expect(loadPicture(access, url)).rejects.toThrow("public");
    const redirected = loadPicture(access, `${access.base}/${encodeURIComponent(url)}`);
    await expect(redirected).rejects.toThrow(url.startsWith("https:") ? "public" : "https");
  }
  expect(connections()).toBe(0);
});

test("loading a label's picture stops after several redirects and at the maximum size", async () => {
  let calls = 0;
  const access = await provider(({ url }, response) => {
    calls += 1;
    if (url === "/large") response.end(Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]));
    else response.writeHead(302, { Location: "/again" }).end();
  });
  await expect(loadPicture(access, `${access.base}/again`)).rejects.toThrow("did not send the label: 302");
  expect(calls).toBe(4);
  await expect(loadPicture(access, `${access.base}/large`)).rejects.toThrow("too large");
});

test("a response in another protocol is not accepted as a label's picture", async () => {
  const access = await provider(({ socket }) => {
    socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n");
  });
  await expect(loadPicture(access, `${access.base}/label`)).rejects.toThrow("did not send the label: 101");
});
