import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { adminBrowser } from "../../test/admin.ts";
import { soon } from "../../test/patience.ts";
import { openTestShop } from "../../test/shop.ts";

/** Responds from memory like the real server, and with 599 where that would pass the request on. */
const server = createServer((incoming, outgoing) => {
  if (!shop.app.respondFromCache(incoming, outgoing)) outgoing.writeHead(599).end();
});
const shop = await openTestShop();
server.listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(async () => {
  server.close();
  await shop.stop();
});

type CachedResponse = { status: number; headers: IncomingHttpHeaders; text: string };

async function requestFromMemory(
  path: string,
  method = "GET",
  headers: Record<string, string> = {},
): Promise<CachedResponse> {
  const { port } = server.address() as AddressInfo;
  const call = request({ port, host: "127.0.0.1", path, method, headers }).end();
  const [response] = await once(call, "response");
  let text = "";
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

const fetchNormally = (path: string) => shop.browser().fetch(path);

test.each(["/", "/product/pure-batana-oil", "/api/products", "/api/products/pure-batana-oil"])(
  "the response from memory to %s equals the usual one",
  async (path) => {
    const first = await fetchNormally(path);
    const now = await requestFromMemory(path);
    expect([now.status, now.text]).toEqual([200, await first.text()]);
    for (const [name, value] of first.headers) {
      if (name !== "x-request-id") expect([name, now.headers[name]]).toEqual([name, value]);
    }
    expect(now.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(await requestFromMemory(path, "HEAD")).toMatchObject({ status: 200, text: "" });
    const conditional = { "If-None-Match": String(now.headers.etag) };
    expect(await requestFromMemory(path, "GET", conditional)).toMatchObject({ status: 304, text: "" });
  },
);

test("requests that are private, unknown or change something are not served from memory", async () => {
  const paths = [
    "/orders",
    "/api/orders",
    "/admin",
    "/api/products/nothing",
    "/api/products/%00",
    "/healthz",
    "*",
  ];
  for (const path of paths) expect([path, (await requestFromMemory(path)).status]).toEqual([path, 599]);
  expect((await requestFromMemory("/api/products", "POST")).status).toBe(599);
});

test("a response from memory reflects the latest change", async () => {
  const path = "/api/products/pure-batana-oil";
  await fetchNormally(path);
  const admin = await adminBrowser(shop);
  const { body } = await admin.get("/api/admin/products");
  const [{ id, revision }] = body.data;
  const init = { method: "PUT", body: JSON.stringify({ price: 3195, revision }) };
  const headers = { "Content-Type": "application/json" };
  expect((await admin.fetch(`/api/products/${id}/price`, { ...init, headers })).status).toBe(200);
  await expect.poll(async () => (await (await fetchNormally(path)).json()).data.price, soon).toBe(3195);
  expect(JSON.parse((await requestFromMemory(path)).text).data.price).toBe(3195);
});
