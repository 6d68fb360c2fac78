import pino from "pino";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "../../test/database.ts";
import { listenForChanges } from "../platform/database/change-feed.ts";
import { createPageCache, type PageCache, type RenderPage } from "./page-cache.ts";

let cache: PageCache;
let outcomes: string[];
let reportedErrors: unknown[];
const database = await createTestDatabase();
const changes = await listenForChanges(database.url, pino({ level: "silent" }));
afterAll(async () => {
  await changes.stop();
  await database.drop();
});
beforeEach(() => {
  outcomes = [];
  reportedErrors = [];
  cache = createPageCache({
    changes,
    count: (outcome) => outcomes.push(outcome),
    observeRenderSeconds: () => {},
    report: (error) => reportedErrors.push(error),
  });
});

/** A page with this text that is rendered again after a change of `topic`. */
function page(
  text: string,
  { topic = "catalog" as "catalog" | "stock", status = 200, isCacheable = true } = {},
): RenderPage {
  return async () => {
    changes.dependOn(topic);
    return { response: new Response(text, { status }), isCacheable };
  };
}

const mustNotRender: RenderPage = () => Promise.reject(new Error("rendered although it was cached"));

async function read(render: RenderPage, path = "/"): Promise<string> {
  return (await cache.get(path, render)).variant("identity").body.toString();
}

/** Notifies of a change and waits until the feed has delivered it. */
async function notifyChange(topic: string): Promise<void> {
  const recorded = await changes.record(async () => changes.dependOn(topic as "catalog"));
  await database.pool.query("select pg_notify('shop_changed', $1)", [topic]);
  await expect.poll(() => recorded.isCurrent(), { interval: 2 }).toBe(false);
}

test("a page is rendered once, and again after its data has changed", async () => {
  expect(await read(page("first"))).toBe("first");
  expect(cache.peek("/")?.variant("identity").body.toString()).toBe("first");
  await notifyChange("stock");
  expect(cache.peek("/")).not.toBeNull();
  await notifyChange("catalog");
  expect(cache.peek("/")).toBeNull();
  expect(await read(page("second"))).toBe("second");
  expect(outcomes).toEqual(["miss", "hit", "hit", "renewed"]);
});

test("concurrent requests render a page once", async () => {
  let renders = 0;
  const texts = await Promise.all(
    Array.from({ length: 50 }, () =>
      read(async () => {
        renders += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return page(`made ${renders}`)();
      }),
    ),
  );
  expect([renders, new Set(texts)]).toEqual([1, new Set(["made 1"])]);
});

test("a request after a change does not get a page whose rendering began before it", async () => {
  let finish = () => {};
  const earlyRead = read(async () => {
    changes.dependOn("catalog");
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return page("before")();
  });
  await notifyChange("catalog");
  const lateRead = read(page("after"));
  finish();
  expect([await earlyRead, await lateRead]).toEqual(["before", "after"]);
  expect(await read(mustNotRender)).toBe("after");
});

test("a failed or incomplete page does not replace a good one in the cache", async () => {
  expect(await read(page("broken", { status: 500 }))).toBe("broken");
  expect(await read(page("in part", { isCacheable: false }))).toBe("in part");
  expect(await read(page("whole"))).toBe("whole");
  await notifyChange("catalog");
  expect(await read(page("broken", { status: 500 }))).toBe("whole");
  // After a failed renewal, the page is not rendered again for every shopper.
  expect(await read(mustNotRender)).toBe("whole");
});

test("a failed renewal is reported, and the cached page stays", async () => {
  await read(page("whole"));
  await notifyChange("catalog");
  expect(await read(() => Promise.reject(new Error("out of order")))).toBe("whole");
  expect(reportedErrors).toEqual([new Error("out of order")]);
});

test("a page that returns 404 is removed from the cache", async () => {
  await read(page("here"));
  await notifyChange("catalog");
  expect(await read(page("not here", { status: 404 }))).toBe("not here");
  expect(await read(page("still not here", { status: 404 }))).toBe("still not here");
});

test("waitUntilCaughtUp resolves once every earlier change was received", async () => {
  for (let round = 0; round < 100; round += 1) {
    await read(page(`before ${round}`));
    await database.pool.query("select pg_notify('shop_changed', 'catalog')");
    await changes.waitUntilCaughtUp();
    expect(cache.peek("/")).toBeNull();
  }
});

test("the most recently used pages stay when the cache is full", async () => {
  await read(page("home"), "/");
  for (let product = 0; product < 400; product += 1) {
    await read(page(`product ${product}`), `/product/${product}`);
    cache.peek("/");
  }
  expect(cache.peek("/")).not.toBeNull();
  expect(cache.peek("/product/399")).not.toBeNull();
  expect(cache.peek("/product/0")).toBeNull();
});

test("while the change feed is disconnected, the cached copy is served immediately; it is dropped when the feed is back", async () => {
  await read(page("good"));
  await database.goAway();
  await expect.poll(() => changes.isListening()).toBe(false);
  expect(await read(() => new Promise(() => {}))).toBe("good");
  await database.comeBack();
  await expect.poll(() => changes.isListening()).toBe(true);
  expect(cache.peek("/")).toBeNull();
});

test("a page that is valid for a limited time is rendered again after it", async () => {
  let isToday = true;
  const pageOfToday: RenderPage = async () => {
    changes.dependOnCondition(() => isToday);
    return { response: new Response("today"), isCacheable: true };
  };
  expect(await read(pageOfToday)).toBe("today");
  expect(await read(mustNotRender)).toBe("today");
  isToday = false;
  expect(cache.peek("/")).toBeNull();
  expect(await read(page("tomorrow"))).toBe("tomorrow");
});
