import { sql } from "drizzle-orm";
import type pg from "pg";
import pino from "pino";
import { expect, inject, onTestFinished, test } from "vitest";
import { openDatabase } from "./database.ts";

test("a transaction whose connection breaks, at whatever statement, takes no connection away", async () => {
  const { pool, db } = openDatabase(inject("adminDatabaseUrl"), pino({ level: "silent" }));
  const cut = (client: pg.PoolClient) =>
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  let isEnded = false;
  onTestFinished(() => (isEnded ? undefined : pool.end()));

  // Just before its first statement.
  pool.once("acquire", cut);
  await expect(db.transaction(async () => {})).rejects.toThrow();
  expect(pool.totalCount - pool.idleCount).toBe(0);

  const pid = await db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    return rows[0]?.pid;
  });
  const ending = db.transaction(async (tx) => {
    await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
  });
  await expect(ending).rejects.toThrow();
  expect(pool.totalCount).toBe(0);

  await expect(
    db.transaction(async () => {
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  const rows = await db.transaction(
    async (tx) => (await tx.execute(sql`select pg_backend_pid() as pid`)).rows,
  );
  expect(rows).not.toEqual([{ pid }]);
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  isEnded = true;
  await pool.end();
});
