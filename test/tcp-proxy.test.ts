import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { openTcpProxy } from "./tcp-proxy.ts";

const patientMs = 300;

test("the proxy forwards, delays, drops packets, and resets connections", async () => {
  const proxy = await openTcpProxy(inject("adminDatabaseUrl"));
  onTestFinished(() => proxy.close());
  const open = async (timeoutMs = 0) => {
    const client = new pg.Client({
      connectionString: proxy.through(inject("adminDatabaseUrl")),
      connectionTimeoutMillis: timeoutMs,
    });
    client.on("error", () => {});
    onTestFinished(() => void client.end());
    await client.connect();
    return client;
  };
  const ask = async (client: pg.Client) => (await client.query("select 1 as one")).rows;
  const orSilence = <T>(response: Promise<T>) => Promise.race([response, pause(patientMs, "silence")]);

  const lostClient = await open();
  expect(await ask(lostClient)).toEqual([{ one: 1 }]);
  proxy.delay(100);
  const startedAt = performance.now();
  await ask(lostClient);
  expect(performance.now() - startedAt).toBeGreaterThan(190);
  proxy.delay(0);

  proxy.blackHole();
  expect(await orSilence(ask(lostClient))).toBe("silence");
  await expect(open(patientMs)).rejects.toThrow("timeout");
  proxy.restore();
  const newClient = await open();
  expect(await ask(newClient)).toEqual([{ one: 1 }]);
  expect(await orSilence(ask(lostClient))).toBe("silence");

  proxy.cut();
  await expect(ask(newClient)).rejects.toThrow();
  expect(await ask(await open())).toEqual([{ one: 1 }]);
  proxy.cut({ refuse: true });
  await expect(open()).rejects.toThrow();
});
