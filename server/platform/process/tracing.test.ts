import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { confirm, order } from "../../../test/checkout.ts";
import { openTestShop } from "../../../test/shop.ts";
import { startTracing, withSpan } from "./tracing.ts";

type ReceivedSpan = {
  name: string;
  spanId: string;
  parentSpanId?: string;
  status: { code?: number; message?: string };
  attributes: { key: string; value: Record<string, unknown> }[];
};

const receivedSpans: ReceivedSpan[] = [];
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
  for (const { scopeSpans } of resourceSpans)
    for (const { spans } of scopeSpans) receivedSpans.push(...spans);
  response.setHeader("Content-Type", "application/json").end("{}");
});

await new Promise<void>((listening) => collector.listen(0, "127.0.0.1", listening));
const shop = await openTestShop();
afterAll(async () => {
  await shop.stop();
  collector.close();
  for (const name of Object.keys(process.env)) if (name.startsWith("OTEL_")) delete process.env[name];
});

test("traces of a call, its statements and its jobs reach the collector without personal data", async () => {
  const { port } = collector.address() as AddressInfo;
  const stop = await startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  const buyer = shop.browser();
  const placed = await order(buyer);
  await confirm(buyer, placed);
  await shop.jobsDone();
  await withSpan("fails", {}, () => Promise.reject(new TypeError("ada@example.com"))).catch(() => null);
  await stop();

  const requestSpan = receivedSpans.find(({ name }) => name === "POST /api/stripe/create-payment-intent");
  const attributes = Object.fromEntries(
    (requestSpan?.attributes ?? []).map(({ key, value }) => [key, value]),
  );
  expect(attributes).toMatchObject({
    "http.route": { stringValue: "/api/stripe/create-payment-intent" },
    "http.response.status_code": { intValue: 201 },
    "order.id": { stringValue: placed.body.orderId },
  });
  const childSpans = receivedSpans.filter(({ parentSpanId }) => parentSpanId === requestSpan?.spanId);
  expect(childSpans.filter(({ name }) => name === "statement").length).toBeGreaterThan(2);
  const jobSpan = receivedSpans.find(({ name }) => name === "job send_message");
  expect(jobSpan?.attributes).toContainEqual({
    key: "order.id",
    value: { stringValue: placed.body.orderId },
  });
  expect(receivedSpans.find(({ name }) => name === "fails")?.status).toEqual({
    code: 2,
    message: "TypeError",
  });
  expect(JSON.stringify(receivedSpans)).not.toMatch(/@example\.|Main St/);

  const spanCount = receivedSpans.length;
  await shop.browser().get("/api/products/pure-batana-oil");
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(receivedSpans).toHaveLength(spanCount);
});
