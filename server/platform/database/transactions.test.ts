import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { integer, pgTable, timestamp } from "drizzle-orm/pg-core";
import type pg from "pg";
import pino from "pino";
import { expect, inject, onTestFinished, test } from "vitest";
import { jsonb } from "./column-types.ts";
import { compiledStatement, queryBuilder } from "./compiled-statement.ts";
import { openDatabase } from "./database.ts";
import { afterCommit } from "./transactions.ts";

test("a transaction whose connection breaks at any statement leaks no connection", async () => {
  const { pool, db } = openDatabase(inject("adminDatabaseUrl"), pino({ level: "silent" }));
  const breakConnection = (client: pg.PoolClient) =>
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  let isEnded = false;
  onTestFinished(() => (isEnded ? undefined : pool.end()));

  // Breaks the connection just before the transaction's first statement.
  pool.once("acquire", breakConnection);
  await expect(db.transaction(async () => {})).rejects.toThrow();
  expect(pool.totalCount - pool.idleCount).toBe(0);

  const pid = await db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    return rows[0]?.pid;
  });
  const brokenTransaction = db.transaction(async (tx) => {
    await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
  });
  await expect(brokenTransaction).rejects.toThrow();
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

test("work registered with afterCommit runs once the transaction has committed, and never after a rollback", async () => {
  const { pool, db } = openDatabase(inject("adminDatabaseUrl"), pino({ level: "silent" }));
  onTestFinished(() => pool.end());
  const calls: number[] = [];
  await db.transaction(async () => {
    afterCommit(() => calls.push(1));
    expect(calls).toEqual([]);
  });
  const failed = db.transaction(async (tx) => {
    afterCommit(() => calls.push(2));
    await tx.execute(sql`select 1 / 0`);
  });
  await expect(failed).rejects.toThrow();
  afterCommit(() => calls.push(3));
  expect(calls).toEqual([1, 3]);
});

test("a compiled statement uses the values of each call, and runs in the given transaction", async () => {
  const { pool, db } = openDatabase(inject("adminDatabaseUrl"), pino({ level: "silent" }));
  onTestFinished(() => pool.end());
  const name = `once_${randomUUID().replaceAll("-", "")}`;
  const notes = pgTable(name, {
    n: integer().notNull(),
    at: timestamp({ withTimezone: true }),
    tags: jsonb().$type<string[]>(),
  });
  await db.execute(sql`create table ${notes} (n int, at timestamptz, tags jsonb)`);
  let buildCount = 0;
  const insert = compiledStatement<{ note: typeof notes.$inferSelect; factor: number }, { n: number }>(
    (placeholders) => {
      buildCount += 1;
      return sql`with added as ${queryBuilder.insert(notes).values(placeholders.note).returning()}
      select n * ${placeholders.factor}::int as n from added`;
    },
  );
  const at = new Date("2026-11-28T10:00:00Z");

  expect(await insert(db, { note: { n: 1, at, tags: ["a"] }, factor: 3 })).toEqual([{ n: 3 }]);
  const rolledBack = db.transaction(async (tx) => {
    await insert(tx, { note: { n: 2, at, tags: null }, factor: 1 });
    tx.rollback();
  });
  await expect(rolledBack).rejects.toThrow();
  await db.transaction((tx) => insert(tx, { note: { n: 4, at: null, tags: null }, factor: 1 }));
  await expect(
    insert(db, { note: { n: 5, at, tags: null } } as unknown as Parameters<typeof insert>[1]),
  ).rejects.toThrow("no value for factor");

  expect(buildCount).toBe(1);
  expect(await db.select().from(notes).orderBy(notes.n)).toEqual([
    { n: 1, at, tags: ["a"] },
    { n: 4, at: null, tags: null },
  ]);
  await db.execute(sql`drop table ${notes}`);
});
