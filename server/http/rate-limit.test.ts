import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { checkoutBody } from "../../test/checkout.ts";
import { openTestShop, type TestShop } from "../../test/shop.ts";

/** Two servers of one shop. */
let servers: TestShop[] = [];
beforeAll(async () => {
  const first = await openTestShop({}, { background: "all" });
  servers = [first, await openTestShop({}, { database: first.database })];
});
afterAll(async () => {
  for (const server of servers.toReversed()) await server.stop();
});

const lookupRequest = { email: "nobody@example.com" };
const quoteRequest = { items: checkoutBody().orderItems, country: "US", state: "TX" };
const limitedCalls: [title: string, limit: number, path: string, body: (call: number) => unknown][] = [
  ["checkouts", 20, "/api/stripe/create-payment-intent", () => ({ amount: 1 })],
  ["messages", 10, "/api/contact", () => ({})],
  ["links to orders", 5, "/api/orders/find", () => lookupRequest],
  ["cart reminders", 20, "/api/checkout/reminder", () => ({})],
  [
    "guessed discount codes",
    20,
    "/api/cart/quote",
    (call) => ({ ...quoteRequest, discountCode: `GUESS${call}` }),
  ],
];

test.each(limitedCalls)(
  "%s from one network address are limited to %i a minute across all servers",
  async (_, limit, path, body) => {
    const networkAddress = `198.51.100.${limit + path.length}`;
    const call = async (number: number) => {
      const browser = servers[number % 2]?.browser(networkAddress);
      return (await browser?.post(path, body(number)))?.status;
    };
    const callNumbers = Array.from({ length: limit }, (_, number) => number);
    // One after the other: concurrent guesses are all checked before the first one is counted.
    for (const number of callNumbers) expect(await call(number)).not.toBe(429);
    expect([await call(limit), await call(limit + 1)]).toEqual([429, 429]);
    expect((await servers[0]?.browser().post(path, body(0)))?.status).not.toBe(429);
  },
);

test("concurrent checkouts at two servers count together", async () => {
  const statuses = await Promise.all(
    Array.from({ length: 30 }, async (_, number) => {
      const browser = servers[number % 2]?.browser("198.51.100.200");
      return (await browser?.post("/api/stripe/create-payment-intent", { amount: 1 }))?.status;
    }),
  );
  expect(statuses.filter((status) => status === 422)).toHaveLength(20);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
});

test("a limit set while the clock was a year ahead ends on time once the clock is corrected", async () => {
  const limits = servers[0]?.ctx.limits;
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const rightTime = Date.now();
  vi.setSystemTime(rightTime + 365 * 86_400_000);
  for (let call = 0; call < 5; call += 1) expect(await limits?.take("lookup", "ahead")).toBeNull();
  expect(await limits?.take("lookup", "ahead")).toBeGreaterThan(0);
  expect(await servers[1]?.ctx.limits.wait("lookup", "ahead")).toBeGreaterThan(0);
  vi.setSystemTime(rightTime);
  // One server refuses it from memory, the other one asks the database.
  expect(await servers[1]?.ctx.limits.wait("lookup", "ahead")).toBeNull();
  expect(await limits?.take("lookup", "ahead")).toBeNull();
  for (let call = 0; call < 4; call += 1)
    expect(await servers[1]?.ctx.limits.take("lookup", "ahead")).toBeNull();
  expect(await servers[1]?.ctx.limits.take("lookup", "ahead")).toBeLessThanOrEqual(60);
});

test("browsing and filling a cart are not counted for rate limits in the database", async () => {
  const visitor = servers[0]?.browser("198.51.100.201");
  for (const path of ["/", "/product/pure-batana-oil", "/api/products"]) await visitor?.get(path);
  await visitor?.post("/api/cart", { productId: 1, quantity: 1 });
  const rows = await servers[0]?.database.pool.query(
    "select key from rate_limits where key like '%198.51.100.201%'",
  );
  expect(rows?.rows).toEqual([]);
});

test("expired counts are deleted within a minute", async () => {
  const [{ database } = { database: null }] = servers;
  if (!database) throw new Error("there is no server");
  await database.pool.query(
    "insert into rate_limits (key, points, expire) select 'old:' || n, 1, 1 from generate_series(1, 2500) as n union all select 'new', 1, 9e12",
  );
  await database.pool.query("update jobs set run_at = now() where name = 'tidy_up'");
  const readRemainingKeys = async () =>
    (await database.pool.query("select key from rate_limits where key like 'old:%' or key = 'new'")).rows;
  await expect.poll(readRemainingKeys).toEqual([{ key: "new" }]);
  const nextRun = await database.pool.query<{ seconds: number }>(
    "select extract(epoch from run_at - now())::int as seconds from jobs where key = 'every:tidy_up'",
  );
  expect(nextRun.rows[0]?.seconds).toBeLessThanOrEqual(60);
});
