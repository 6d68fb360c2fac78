import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { startFakeSmtp } from "../test/fake-smtp.ts";
import { databaseUrlOf } from "../test/running-shop.ts";
import { fillOrders } from "./fill-shop.ts";
import { buyOnce } from "./orders.ts";
import { cpuMsOf, familyOf } from "./processes.ts";
import { startShop } from "./shop-process.ts";

const orders = 1_000;
const sentMs = 120_000;

/**
 * Confirmations that one server renders and sends per second to a mail server that accepts them at once, and the processor
 * time per confirmation over all of the shop's processes.
 */
export async function measureMail(dataDir: string): Promise<{ perSecond: number; cpuMs: number }> {
  const smtp = await startFakeSmtp();
  const shop = await startShop(dataDir, { SMTP_URL: smtp.url });
  const pool = new pg.Pool({ connectionString: databaseUrlOf(dataDir), max: 1 });
  try {
    await buyOnce(shop.url);
    await untilSent(pool, 1);
    await fillOrders(pool, orders + 1);
    smtp.received.length = 0;
    const cpuBefore = cpuMsOf(familyOf(shop.pid));
    const begunAt = performance.now();
    await pool.query(`with inserted as (
        insert into messages (id, kind, channel, dedupe_key, order_id)
        select gen_random_uuid(), 'order_confirmation', 'email', 'order_confirmation:' || id, id from orders
        on conflict do nothing returning id)
      select graphile_worker.add_job('send_message', json_build_object('messageId', id), priority => 0::smallint)
      from inserted`);
    await untilSent(pool, orders + 1);
    const seconds = (performance.now() - begunAt) / 1_000;
    const ids = new Set(smtp.received.map(({ headers }) => headers.get("message-id")));
    if (ids.size !== orders || smtp.received.length !== orders) {
      throw new Error(`${orders} messages arrived as ${smtp.received.length}, ${ids.size} of them different`);
    }
    const cpuMs = (cpuMsOf(familyOf(shop.pid)) - cpuBefore) / orders;
    return { perSecond: orders / seconds, cpuMs };
  } finally {
    await pool.end();
    await shop.stop();
    await smtp.close();
  }
}

async function untilSent(pool: pg.Pool, count: number): Promise<void> {
  for (const until = Date.now() + sentMs; Date.now() < until; await delay(20)) {
    const { rows } = await pool.query("select count(*)::int from messages where status = 'sent'");
    if (rows[0].count >= count) return;
  }
  throw new Error("the mail was not sent in time");
}
