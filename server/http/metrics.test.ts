import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { order } from "../../test/checkout.ts";
import { openTestShop } from "../../test/shop.ts";
import { countOrders } from "../orders/queries.ts";

const shop = await openTestShop({ METRICS_TOKEN: "metrics-token" }, { background: "all" });
afterAll(() => shop.stop());

const scrape = () => shop.browser().fetch("/metrics", { headers: { Authorization: "Bearer metrics-token" } });

/** Values of the metrics by name and labels, as Prometheus reads them. */
async function readMetrics(): Promise<Map<string, number>> {
  const text = await (await scrape()).text();
  return new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );
}

test("metrics count jobs by name and state at the time of the scrape", async () => {
  const { db } = shop.database;
  const addJobs = (count: number, dueIn: string) =>
    db.execute(sql`insert into jobs (name, lane, payload, run_at, max_attempts)
      select 'nobody_does_it', 'upkeep', '{}', now() + ${dueIn}::interval, 1 from generate_series(1, ${count}::int)`);
  await addJobs(3, "-1 hour");
  await addJobs(2, "1 hour");
  await db.execute(sql`update jobs set attempts = max_attempts, last_error = 'no'
    where id = (select min(id) from jobs where name = 'nobody_does_it' and run_at < now())`);
  const first = await readMetrics();
  const jobCounts = (figures: Map<string, number>) =>
    ["scheduled", "due", "running", "failed"].map((state) =>
      figures.get(`jobs{name="nobody_does_it",state="${state}"}`),
    );
  expect(jobCounts(first)).toEqual([2, 2, 0, 1]);
  expect(first.get("jobs_waiting")).toBeGreaterThanOrEqual(2);
  expect(first.get("jobs_oldest_waiting_seconds")).toBeGreaterThanOrEqual(3_600);
  await db.execute(sql`delete from jobs where name = 'nobody_does_it'`);
  const second = await readMetrics();
  expect(jobCounts(second)).toEqual([undefined, undefined, undefined, undefined]);
  expect([first.get("jobs_failed"), second.get("jobs_failed")]).toEqual([1, 0]);
});

test("metrics count orders by status without reading the table of orders", async () => {
  const { db } = shop.database;
  const countOrdersInSql = async () => {
    const { rows } = await db.execute<{ status: string; orders: number }>(
      sql`select status, count(*)::int as orders from orders group by status order by status`,
    );
    return rows.map(({ status, orders }) => [status, orders]);
  };
  const readOrderMetrics = async () =>
    [...(await readMetrics())]
      .flatMap(([name, value]) => {
        const [, status] = /^orders\{status="(.*)"\}$/.exec(name) ?? [];
        return status !== undefined && value > 0 ? [[status, value] as const] : [];
      })
      .sort();
  for (let n = 0; n < 3; n += 1) await order(shop.browser());
  expect(await readOrderMetrics()).toEqual([["pending", 3]]);
  await db.execute(sql`update orders set status = 'cancelled' where id = (select id from orders limit 1)`);
  expect(await readOrderMetrics()).toEqual(await countOrdersInSql());

  // The job that adds up the stored changes does not change the figures.
  await db.execute(sql`update jobs set run_at = now() where name = 'add_up_order_counts'`);
  await expect.poll(async () => (await db.execute(sql`select from order_count_changes`)).rowCount).toBe(0);
  expect(await readOrderMetrics()).toEqual(await countOrdersInSql());
  expect((await readOrderMetrics()).length).toBe(2);

  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table orders in access exclusive mode`);
    expect(await shop.database.opened.readSeparately(2_000, countOrders)).toMatchObject({ pending: 2 });
  });
});

test("metrics include the state of this server and its process", async () => {
  const { status } = await order(shop.browser());
  expect(status).toBe(201);
  const figures = await readMetrics();
  for (const name of [
    "database_up",
    "ready",
    "workers_up",
    "change_feed_connected",
    'worker_lane_slots{lane="money"}',
    "nodejs_eventloop_lag_max_seconds",
    "nodejs_heap_size_used_bytes",
    "process_resident_memory_bytes",
    'database_connections{pool="http",state="waiting"}',
    'database_connections{pool="queue",state="idle"}',
    'outbox_waiting{channel="email"}',
  ]) {
    expect([name, figures.get(name)]).toEqual([name, expect.any(Number)]);
  }
  const names = [...figures.keys()].join("\n");
  expect(names).toMatch(/^build_info\{version="\d+\.\d+\.\d+",build="\w*"\}$/m);
  expect(names).toMatch(
    /^http_request_duration_seconds_count\{method="POST",route="\/api\/\S*",status="201"\}$/m,
  );
  expect(names).toMatch(/^job_duration_seconds_count\{name="add_up_order_counts",outcome="done"\}$/m);
});

test("probes are not counted as page requests", async () => {
  const readPageCounts = async () =>
    [...(await readMetrics())].filter(([name]) => /^http_requests_total.*route="page"/.test(name));
  const before = await readPageCounts();
  for (const path of ["/healthz", "/readyz", "/metrics"]) await shop.browser().fetch(path);
  await shop.browser().fetch("/", { method: "OPTIONS" });
  expect(await readPageCounts()).toEqual(before);
  for (const route of ["/healthz", "/readyz", "/metrics"]) {
    expect([...(await readMetrics()).keys()].join("\n")).toContain(
      `http_requests_total{method="GET",route="${route}"`,
    );
  }
});

test("concurrent scrapes share a response, and use no connection from the pool of calls and jobs", async () => {
  const { pool } = shop.database;
  const clients = await Promise.all(Array.from({ length: pool.options.max ?? 0 }, () => pool.connect()));
  const responses = await Promise.all([scrape(), scrape(), scrape()]);
  const texts = new Set(await Promise.all(responses.map((response) => response.text())));
  for (const client of clients) client.release();
  expect(texts.size).toBe(1);
  expect([...texts][0]).toMatch(/^database_up 1$/m);
});

test("while the database is down, the metrics that do not need it are still returned", async () => {
  await shop.database.goAway();
  const figures = await readMetrics();
  await shop.database.comeBack();
  expect(figures.get("database_up")).toBe(0);
  expect(figures.get("nodejs_heap_size_used_bytes")).toBeGreaterThan(0);
  expect([...figures.keys()].filter((name) => /^(orders|jobs|outbox)/.test(name))).toEqual([]);
  await expect.poll(async () => (await readMetrics()).get("database_up")).toBe(1);
});

test("if the database's figures cannot be read, the process's metrics are still returned", async () => {
  const { db } = shop.database;
  await db.execute(sql`alter table order_counts rename to order_counts_elsewhere`);
  const figures = await readMetrics();
  await db.execute(sql`alter table order_counts_elsewhere rename to order_counts`);
  expect(figures.get("database_up")).toBe(0);
  expect(figures.get("nodejs_heap_size_used_bytes")).toBeGreaterThan(0);
  expect(shop.logLines.join("\n")).toContain("the database's figures could not be read");
});
