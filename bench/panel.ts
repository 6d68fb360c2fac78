import type pg from "pg";
import { type Comparison, percentile, type Wait } from "./figures.ts";
import { fillPanel, type PanelSize } from "./fill-panel.ts";
import { acceptEncoding, type KeepAliveClient, openClient, requestText } from "./keep-alive-client.ts";
import { accessCode, type ShopProcess, startShop } from "./shop-process.ts";

/** At least one page of every list. */
export const smallPanel: PanelSize = { orders: 100, messages: 100, activity: 100 };
export const largePanel: PanelSize = { orders: 100_000, messages: 10_000, activity: 10_000 };

/** A shop with the cookie that opens its panel. */
export type OpenPanel = { shop: ShopProcess; cookie: string };

export async function openPanel(dataDir: string, size: PanelSize): Promise<OpenPanel> {
  const shop = await startShop(dataDir);
  await fillPanel(shop.pool, size);
  return { shop, cookie: await unlockPanel(shop.url) };
}

/** The cookie that opens the panel. */
export async function unlockPanel(url: string): Promise<string> {
  const response = await fetch(`${url}/api/admin/verify`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ accessCode }),
  });
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  if (!response.ok || !cookie) throw new Error(`the panel did not open: ${response.status}`);
  return cookie;
}

/**
 * Times the panel's calls and pages whose name matches `namePattern` in a small and in a large shop. Rounds alternate between
 * both, so that other load on the machine affects both.
 */
export async function measurePanels(
  small: OpenPanel,
  large: OpenPanel,
  rounds: number,
  namePattern = /^/,
): Promise<Comparison[]> {
  const clients = [await createClient(small, namePattern), await createClient(large, namePattern)] as const;
  const names = clients[0].names;
  const waits = names.map(() => ({ small: [] as number[], large: [] as number[] }));
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    for (const [index] of names.entries()) {
      const times = { small: await clients[0].time(index), large: await clients[1].time(index) };
      if (round < 0) continue;
      waits[index]?.small.push(times.small);
      waits[index]?.large.push(times.large);
    }
  }
  for (const { close } of clients) close();
  return names.map((name, index) => ({
    name,
    small: waitPercentiles(waits[index]?.small ?? []),
    large: waitPercentiles(waits[index]?.large ?? []),
  }));
}

/** The first responses are slower: statements are planned, code is compiled. */
const warmUpRounds = 10;

function waitPercentiles(times: readonly number[]): Wait {
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

async function createClient({ shop, cookie }: OpenPanel, namePattern: RegExp) {
  const requestPaths = Object.entries(await findPaths(shop.pool)).filter(([name]) => namePattern.test(name));
  const headers = { Cookie: cookie, "Accept-Encoding": acceptEncoding };
  const requests = requestPaths.map(([, path]) => requestText("GET", path, { headers }));
  const client = await openClient(shop.url);
  return {
    names: requestPaths.map(([name]) => name),
    time: (index: number) => timeRequest(client, requests[index] ?? "", requestPaths[index]?.[1] ?? ""),
    close: () => client.close(),
  };
}

async function timeRequest(client: KeepAliveClient, request: string, path: string): Promise<number> {
  const startedAt = performance.now();
  const { status } = await client.send(request);
  if (status !== 200) throw new Error(`${path} answered ${status}`);
  return performance.now() - startedAt;
}

/** Paths of the owner's panel by the request's name. */
async function findPaths(pool: pg.Pool): Promise<Record<string, string>> {
  const [order, lastPageOrder, lastPageMail] = await Promise.all([
    pool.query("select id, number, email, phone from orders order by created_at desc offset 30 limit 1"),
    pool.query("select id from orders where paid_at is not null order by created_at, id offset 55 limit 1"),
    pool.query(
      `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || id as cursor
       from messages order by created_at, id offset 55 limit 1`,
    ),
  ]);
  const { id, number, email, phone } = order.rows[0];
  const tracking = `94001${number - 1_000_000}`;
  const customer = (await pool.query("select id from customers order by last_order_at, id offset 30 limit 1"))
    .rows[0];
  const message = (await pool.query("select id from contact_messages order by number desc limit 1")).rows[0];
  const lastPageCursor = encodeURIComponent(lastPageMail.rows[0].cursor);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  return {
    "orders, first page": "/api/orders",
    "orders, last page": `/api/orders?cursor=${lastPageOrder.rows[0].id}`,
    ...Object.fromEntries(
      [
        "to_ship",
        "shipped",
        "delivered",
        "succeeded",
        "pending",
        "refunded",
        "canceled",
        "attention",
        "returns",
        "all",
      ].map((filter) => [`orders, ${filter}`, `/api/orders?status=${filter}`]),
    ),
    "orders, a name": "/api/orders?q=lindqvist",
    "orders, a word in all": "/api/orders?q=example",
    "orders, a word in none": "/api/orders?q=zzzq",
    "orders, two letters": "/api/orders?q=ad",
    "orders, two letters in none": "/api/orders?q=qx",
    "orders, a name to ship": "/api/orders?q=ada&status=to_ship",
    "orders, a city": "/api/orders?q=galveston",
    "orders, a product": "/api/orders?q=batana",
    "orders, a phone number": `/api/orders?q=${encodeURIComponent(phone)}`,
    "orders, a tracking number": `/api/orders?q=${tracking}`,
    "orders, an address": `/api/orders?q=${encodeURIComponent(email)}`,
    "orders, a number": `/api/orders?q=%23${number}`,
    "orders, an id": `/api/orders?q=${id.slice(0, 8)}`,
    ...Object.fromEntries(
      [
        ["first page", ""],
        ["last page", `?cursor=${customer.id}`],
        ["by value", "?sort=value"],
        ["by orders", "?sort=orders"],
        ["ordered again", "?kind=returning"],
        ["newsletter", "?kind=newsletter"],
        ["a name", "?q=lindqvist"],
        ["a word in none", "?q=zzzq"],
        ["a phone number", `?q=${encodeURIComponent(phone)}`],
        ["an address", `?q=${encodeURIComponent(email)}`],
      ].map(([name, query]) => [`customers, ${name}`, `/api/admin/customers${query}`]),
    ),
    "a customer": `/api/admin/customers/${customer.id}`,
    "search everything": "/api/admin/find?q=lindqvist",
    "an order": `/api/admin/orders/${id}`,
    "overview, 30 days": "/api/admin/overview",
    "overview, 12 months": `/api/admin/overview?from=${daysAgo(364)}`,
    "overview, 12 months by day": `/api/admin/overview?from=${daysAgo(364)}&by=day`,
    "books, 30 days": `/api/admin/books?from=${daysAgo(29)}&to=${daysAgo(0)}`,
    "books, 12 months": `/api/admin/books?from=${daysAgo(364)}&to=${daysAgo(0)}`,
    "invoices, 12 months": `/api/admin/invoices?from=${daysAgo(364)}&to=${daysAgo(0)}`,
    donations: "/api/admin/donations",
    "messages, first page": "/api/admin/messages",
    "messages, open": "/api/admin/messages?status=open",
    "messages, last page": "/api/admin/messages?cursor=1056",
    "messages, a word": "/api/admin/messages?q=canada",
    "messages, a word in none": "/api/admin/messages?q=zzzq",
    "messages, two letters": "/api/admin/messages?q=qx",
    "a message": `/api/admin/messages/${message.id}`,
    "reviews, all": "/api/admin/reviews",
    "reviews, held": "/api/admin/reviews?status=pending",
    "reviews, hidden": "/api/admin/reviews?status=hidden",
    "reviews, last page": "/api/admin/reviews?cursor=56",
    "sent, first page": "/api/admin/outbox",
    "sent, last page": `/api/admin/outbox?cursor=${lastPageCursor}`,
    "sent, one kind": "/api/admin/outbox?kind=order_confirmation",
    "sent, a kind never sent": "/api/admin/outbox?kind=data_export",
    "sent, failed": "/api/admin/outbox?status=failed",
    "sent, texts": "/api/admin/outbox?channel=sms",
    "sent, texts that failed": "/api/admin/outbox?channel=sms&status=failed",
    "sent, to an address": `/api/admin/outbox?q=${encodeURIComponent(email)}`,
    "sent, about an order": `/api/admin/outbox?q=%23${number}`,
    "activity, first page": "/api/admin/activity",
    "activity, of settings": "/api/admin/activity?subject=settings",
    "activity, of an order": `/api/admin/activity?subject=order:${id}`,
    discounts: "/api/admin/discounts",
    counts: "/api/admin/counts",
    products: "/api/admin/products",
    ...Object.fromEntries(
      [
        "",
        "/orders",
        "/orders?q=lindqvist",
        "/customers",
        `/orders/${id}`,
        "/products",
        "/reviews",
        "/messages",
        "/messages/sent",
        "/discounts",
        "/books",
        "/donations",
        "/activity",
        "/settings",
      ].map((path) => [`page /admin${path.replace(id, ":id")}`, `/admin${path}`]),
    ),
  };
}
