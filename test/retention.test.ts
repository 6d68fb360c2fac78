import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { orders } from "../server/orders/tables.ts";
import { order } from "./checkout.ts";
import { openTestShop } from "./shop.ts";
import { writableColumns } from "./writable-columns.ts";

const page = join(import.meta.dirname, "../docs/decisions/0030-tables-and-retention.md");
const rules = new Map(
  [...readFileSync(page, "utf8").matchAll(/^\| `([\w.]+)` +\| (.+?) +\|$/gm)].map(
    ([, table = "", rule = ""]) => [table, rule],
  ),
);

const shop = await openTestShop({ PAYMENTS: "sandbox" }, { background: "all" });
afterAll(() => shop.stop());

const query = <T>(statement: string) => shop.database.pool.query<T & Record<string, unknown>>(statement);

/** Runs the recurring jobs that delete old rows (every six hours, and every minute), and waits for them. */
async function housekeeping() {
  for (const { task } of shop.cron) {
    if (!["housekeeping", "tidy_up"].includes(task.job.name)) continue;
    await task.run({}, { attempt: 1, isLastAttempt: false, signal: new AbortController().signal });
  }
}

test("every table has a retention rule, or a reason why its rows are kept", async () => {
  const { rows } = await query<{ name: string }>(`
    select case when schemaname = 'public' then tablename else schemaname || '.' || tablename end as name
    from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`);
  const tables = rows.map(({ name }) => name).sort();
  expect([...rules.keys()].sort()).toEqual(tables);
  for (const rule of rules.values()) expect(rule).toMatch(/^(kept: |kept with |purged )/);
});

const uuid = (seed: string) => `md5('${seed}')::uuid`;
const ago = (interval: string) => `now() - interval '${interval}'`;

type Rule = {
  /** Inserts a row of this age. `which`: for texts that differ between the two rows. */
  put(at: string, which: "old" | "young"): string[];
  old: string;
  young: string;
  /** SQL condition that leaves out rows inserted by other rules. */
  where?: string;
};

/** Inserts a visitor who was last seen at this time, and rows that belong to the visitor. */
const ofVisitor = (at: string, seed: string, ...statements: string[]) => [
  `insert into visitors (id, seen_at) values (${uuid(seed)}, ${at}) on conflict do nothing`,
  ...statements,
];

const seeds: Record<string, Rule> = {
  activity: {
    put: (at) => [`insert into activity (at, action, summary) values (${at}, 'x', 'x')`],
    old: "731 days",
    young: "700 days",
  },
  admin_sessions: {
    put: (at, which) => [
      `insert into admin_sessions (token_hash, expires_at) values ('${which}', ${at} + interval '12 hours')`,
    ],
    old: "13 hours",
    young: "11 hours",
  },
  passkey_challenges: {
    put: (at, which) => [
      `insert into passkey_challenges (challenge, purpose, expires_at) values ('${which}', 'sign_in', ${at} + interval '5 minutes')`,
    ],
    old: "6 minutes",
    young: "1 minute",
  },
  people: {
    put: (at, which) => [
      `insert into people (id, name, email, role, created_at, joined_at, deactivated_at)
      values (${uuid(which)}, 'x', 'left-${which}@b.example', 'staff', ${at}, ${at}, ${at})`,
    ],
    old: "732 days",
    young: "700 days",
    where: "email like 'left-%'",
  },
  webhook_deliveries: {
    put: (at) => [
      `insert into webhooks (id, url, events, created_at) values (${uuid("a webhook")}, 'https://a.example', '{}', ${at})
      on conflict do nothing`,
      `insert into webhook_deliveries (webhook_id, type, subject, body, status, created_at)
      values (${uuid("a webhook")}, 'x', 'x', '{}', 'failed', ${at})`,
    ],
    old: "31 days",
    young: "29 days",
  },
  rate_quotes: {
    put: (at, which) => [
      `insert into rate_quotes (id, visitor_id, content_hash, rates, expires_at)
      values (${uuid(which)}, ${uuid("a shopper")}, 'x', '{}', ${at} + interval '30 minutes')`,
    ],
    old: "31 minutes",
    young: "29 minutes",
  },
  api_key_answers: {
    put: (at, which) => [
      `insert into people (id, name, role, created_at, joined_at) values (${uuid("a key")}, 'x', 'staff', ${at}, ${at})
      on conflict do nothing`,
      `insert into api_keys (person_id, key_hash) values (${uuid("a key")}, 'x') on conflict do nothing`,
      `insert into api_key_answers (person_id, idempotency_hash, request_hash, created_at, runs_until)
      values (${uuid("a key")}, '${which}', 'x', ${at}, ${at})`,
    ],
    old: "25 hours",
    young: "23 hours",
  },
  imports: {
    put: (at, which) => [
      `insert into imports (id, kind, key, at, counts, undo_rows) values (${uuid(which)}, 'stock', 'x', ${at}, '{}', '[]')`,
    ],
    old: "61 minutes",
    young: "59 minutes",
  },
  invitations: {
    put: (at, which) => [
      `insert into people (id, name, email, role, created_at)
      values (${uuid(`invited ${which}`)}, 'x', 'invited-${which}@b.example', 'staff', ${at})`,
      `insert into invitations (person_id, token_hash, expires_at)
      values (${uuid(`invited ${which}`)}, '${which}', ${at} + interval '3 days')`,
    ],
    old: "34 days",
    young: "32 days",
  },
  push_devices: {
    put: (at, which) => [
      `insert into push_devices (id, endpoint, p256dh, auth, wants, created_at, used_at)
      values (${uuid(which)}, '${which}', 'x', 'x', '{order}', ${at}, ${at})`,
    ],
    old: "366 days",
    young: "364 days",
  },
  failed_code_attempts: {
    put: (at) => [`insert into failed_code_attempts (caller, at) values ('x', ${at})`],
    old: "2 minutes",
    young: "1 second",
  },
  built_files: {
    put: (at, which) => [
      `insert into built_files (path, content, is_brotli, seen_at) values ('assets/${which}.js', 'x', false, ${at})`,
    ],
    old: "31 days",
    young: "29 days",
  },
  campaign_recipients: {
    put: (at, which) => [
      `insert into campaigns (status, subject, preheader, heading, body, button_label, button_url, audience, segment, created_at, ended_at)
      values ('sent', '${which}', '', '', 'x', '', '', 'subscribers', '{}', ${at}, ${at})`,
      `insert into campaign_recipients (campaign_id, email_hash)
      values ((select id from campaigns where subject = '${which}'), '${which}')`,
    ],
    old: "31 days",
    young: "29 days",
  },
  cart_items: {
    put: (at, which) =>
      ofVisitor(
        at,
        `cart ${which}`,
        `insert into cart_items (visitor_id, product_id, quantity) values (${uuid(`cart ${which}`)}, 1, 1)`,
      ),
    old: "91 days",
    young: "89 days",
  },
  cart_reminders: {
    put: (at, which) =>
      ofVisitor(
        at,
        `reminder ${which}`,
        `insert into cart_reminders (id, visitor_id, email, items, created_at, due_at)
        values (${uuid(which)}, ${uuid(`reminder ${which}`)}, 'a@b.example', '[]', ${at}, ${at})`,
      ),
    old: "31 days",
    young: "29 days",
  },
  contact_messages: {
    put: (at, which) => [
      `insert into contact_messages (id, name, email, subject, message, status, created_at)
      values (${uuid(which)}, 'x', 'a@b.example', 'other', 'x', 'done', ${at})`,
      `insert into contact_messages (id, name, email, subject, message, suspicion, created_at)
      values (${uuid(`robot ${which}`)}, 'x', 'a@b.example', 'other', 'x', 'honeypot', ${at} + interval '640 days')`,
    ],
    old: "731 days",
    young: "729 days",
  },
  contact_replies: {
    put: (at, which) => [
      `insert into contact_messages (id, name, email, subject, message, status, created_at)
      values (${uuid(`answered ${which}`)}, 'x', 'a@b.example', 'other', 'x', 'done', ${at})`,
      `insert into contact_replies (id, message_id, text, created_at) values (${uuid(which)}, ${uuid(`answered ${which}`)}, 'x', ${at})`,
    ],
    old: "731 days",
    young: "729 days",
  },
  jobs: {
    put: (at, which) => [
      `insert into jobs (name, lane, payload, attempts, max_attempts, key, updated_at)
      values ('given_up', 'upkeep', '{}', 1, 1, '${which}', ${at})`,
    ],
    old: "31 days",
    young: "29 days",
    where: "key in ('old', 'young')",
  },
  messages: {
    put: (at, which) => [
      `insert into messages (id, kind, channel, dedupe_key, status, text, created_at)
      values (${uuid(which)}, 'contact_received', 'email', '${which}', 'sent', 'x', ${at})`,
    ],
    old: "731 days",
    young: "729 days",
  },
  order_lookups: {
    put: (at, which) => [
      `insert into order_lookups (token_hash, email, expires_at) values ('${which}', 'a@b.example', ${at})`,
    ],
    old: "25 hours",
    young: "23 hours",
  },
  label_rates: {
    put: (at, which) => [
      `insert into label_rates (order_id, rate_id, provider, mode, parcel_ref, rate_ref, carrier, service, amount_cents, is_proposed, parcel_hash, asked_at)
      select id, '${which}', 'sandbox', 'sandbox', 'x', 'x', 'x', 'x', 100, true, 'x', ${at} from orders limit 1`,
    ],
    old: "25 hours",
    young: "23 hours",
  },
  label_jobs: {
    put: (at, which) => [`insert into label_jobs (id, created_at) values (${uuid(which)}, ${at})`],
    old: "91 days",
    young: "89 days",
  },
  label_job_orders: {
    put: (at, which) => [
      `insert into label_jobs (id, created_at) values (${uuid(`job ${which}`)}, ${at})`,
      `insert into label_job_orders (job_id, position, order_id) values (${uuid(`job ${which}`)}, 0, '${which}')`,
    ],
    old: "91 days",
    young: "89 days",
  },
  order_visitors: {
    put: (at, which) =>
      ofVisitor(
        at,
        `sees ${which}`,
        `insert into order_visitors (visitor_id, order_id) select ${uuid(`sees ${which}`)}, id from orders limit 1`,
      ),
    old: "401 days",
    young: "399 days",
  },
  payment_declines: {
    put: (at, which) => [
      `insert into payment_declines (id, order_id, network, declined_at)
      select '${which}', id, '10.1.2.3', ${at} from orders limit 1`,
    ],
    old: "49 hours",
    young: "47 hours",
  },
  payment_events: {
    put: (at, which) => [
      `insert into payment_events (id, type, object_id, livemode, created_at, received_at, handled_at)
      values ('${which}', 'x', 'x', false, ${at}, ${at}, ${at})`,
    ],
    old: "401 days",
    young: "399 days",
  },
  personal_codes: {
    put: (at, which) => [
      `insert into campaigns (status, subject, preheader, heading, body, button_label, button_url, audience, segment, created_at)
      values ('draft', 'codes ${which}', '', '', 'x', '', '', 'subscribers', '{}', ${at})`,
      `insert into discounts (code, kind, value, ends_at) values ('${which}-ended', 'percent', 10, ${at})`,
      `insert into personal_codes (code, discount_id, campaign_id) select 'AAAAA-' || upper(rpad('${which}', 5, 'X')), d.id, c.id
      from discounts d, campaigns c where d.code = '${which}-ended' and c.subject = 'codes ${which}'`,
    ],
    old: "31 days",
    young: "29 days",
  },
  picture_originals: {
    put: (at, which) => [
      `insert into picture_originals (file, bytes, sha256, size, type, width, height, created_at, retired_at)
      values ('u-000000000000000${which === "old" ? 0 : 1}.jpg', 'x', sha256('x'), 1, 'image/jpeg', 480, 480, ${at}, ${at})`,
    ],
    old: "8 days",
    young: "6 days",
  },
  review_photos: {
    put: (at, which) => {
      const file = `u-000000000000001${which === "old" ? 0 : 1}.jpg`;
      return [
        `insert into picture_originals (file, bytes, sha256, size, type, width, height)
        values ('${file}', 'x', sha256('x'), 1, 'image/jpeg', 480, 480)`,
        `insert into review_photos (file, width, height, created_at) values ('${file}', 480, 480, ${at})`,
      ];
    },
    old: "25 hours",
    young: "23 hours",
  },
  product_views: {
    put: (at, which) => [
      `insert into product_views (product_id, viewer_key, hour) values (1, '${which}', ${at})`,
    ],
    old: "3 hours",
    young: "1 hour",
  },
  questions: {
    put: (at, which) => [
      `insert into questions (product_id, question, name, created_at)
      values (1, 'Is it ${which}, really?', '${which}', ${at})`,
      `insert into questions (product_id, question, is_suspicious, created_at)
      values (1, 'Do you buy links?', true, ${at} + interval '640 days')`,
    ],
    old: "731 days",
    young: "729 days",
  },
  order_drafts: {
    put: (at, which) => [
      `insert into order_drafts (id, email, customer_name, shipping, items, created_at, changed_at, expires_at)
      values (${uuid(`draft ${which}`)}, 'a@b.example', 'Ada', '{}', '[]', ${at}, ${at}, ${at})`,
    ],
    old: "91 days",
    young: "89 days",
  },
  dispute_evidence: {
    put: (at, which) => [
      `insert into disputes (id, order_id, intent_id, amount_cents, reason, status, is_inquiry, created_at, closed_at, changed_at, revision)
      values ('dp_${which}', (select id from orders limit 1), 'pi_1', 100, 'general', 'won', false, ${at}, ${at}, ${at}, 1)`,
      `insert into dispute_evidence (dispute_id, texts, created_at, changed_at) values ('dp_${which}', '{}', ${at}, ${at})`,
      `insert into dispute_files (id, dispute_id, slot, name, type, bytes, size, origin, created_at)
      values (${uuid(`dispute file ${which}`)}, 'dp_${which}', 'receipt', 'a.pdf', 'application/pdf', '', 0, 'shop', ${at})`,
    ],
    old: "181 days",
    young: "179 days",
  },
  rate_limits: {
    put: (at, which) => [
      `insert into rate_limits values ('${which}', 1, extract(epoch from ${at} + interval '1 minute') * 1000)`,
    ],
    old: "2 minutes",
    young: "1 second",
  },
  refill_reminders: {
    put: (at, which) => [
      `insert into orders (${writableColumns(orders)}) select ${writableColumns(orders, "copied")} from orders as o, jsonb_populate_record(o, jsonb_build_object(
        'id', ${uuid(`refill ${which}`)}, 'number', nextval('order_numbers'), 'reusable', false)) as copied
      where o.id = (select id from orders limit 1)`,
      `insert into refill_reminders (order_id, asked_at) values (${uuid(`refill ${which}`)}, ${at})`,
    ],
    old: "731 days",
    young: "729 days",
  },
  sandbox_events: {
    put: (at, which) => [
      // A young event would be delivered during the test.
      ...(which === "old"
        ? [`insert into sandbox_events (id, type, object, created_at) values ('${which}', 'x', '{}', ${at})`]
        : []),
    ],
    old: "31 days",
    young: "29 days",
  },
  stock_alerts: {
    put: (at, which) =>
      [
        ["no", "null", "null"],
        ["asked", "now()", "null"],
        ["sent", "now()", `${at} + interval '335 days'`],
      ].map(
        ([state, confirmed, notified]) => `insert into stock_alerts
        (id, product_id, email, email_hash, asked_at, confirmed_at, notified_at)
        values (${uuid(`${state} ${which}`)}, 1, 'a@b.example', '${state} ${which}',
          ${at} ${state === "no" ? "+ interval '358 days'" : ""}, ${confirmed}, ${notified})`,
      ),
    old: "366 days",
    young: "364 days",
  },
  subscribers: {
    put: (at, which) => [
      `insert into subscribers (email, email_hash, asked_at, place, consent_text, confirmed_at) values
      ('a@b.example', 'no ${which}', ${at} + interval '358 days', 'footer', 'x', null),
      ('c@d.example', 'yes ${which}', ${at}, 'footer', 'x', ${at})`,
      `insert into email_optouts (email_hash, kind, at) values ('yes ${which}', 'newsletter', ${at})`,
      // A subscriber who unsubscribed long ago and has signed up again.
      `insert into subscribers (email, email_hash, asked_at, place, consent_text)
      values ('e@f.example', 'anew', now(), 'footer', 'x') on conflict do nothing`,
      `insert into email_optouts (email_hash, kind, at) values ('anew', 'newsletter', now() - interval '2 years')
      on conflict do nothing`,
    ],
    old: "366 days",
    young: "364 days",
  },
  visitors: { put: (at, which) => ofVisitor(at, which), old: "25 hours", young: "23 hours" },
};

describe("housekeeping", () => {
  test("covers each table whose rows are purged", () => {
    const purged = [...rules].filter(([, rule]) => rule.startsWith("purged")).map(([table]) => table);
    expect(Object.keys(seeds).sort()).toEqual(purged.sort());
  });

  test("purges outdated rows only", async () => {
    await order(shop.browser());
    await shop.jobsDone();
    const put = async (which: "old" | "young") => {
      for (const rule of Object.values(seeds)) {
        for (const statement of rule.put(ago(rule[which]), which)) await query(statement);
      }
    };
    const counts = async () => {
      const all: Record<string, number | undefined> = {};
      for (const [table, { where = "true" }] of Object.entries(seeds)) {
        const { rows } = await query<{ n: number }>(`select count(*)::int as n from ${table} where ${where}`);
        all[table] = rows[0]?.n;
      }
      return all;
    };
    await put("young");
    const young = await counts();
    await housekeeping();
    expect(await counts()).toEqual(young);
    await put("old");
    const both = await counts();
    for (const table of Object.keys(seeds)) expect(both[table], table).toBeGreaterThan(young[table] ?? 0);
    await housekeeping();
    expect(await counts()).toEqual(young);
  });

  test("keeps an order whose visitor is purged", async () => {
    const buyer = shop.browser();
    const { body } = await order(buyer, { email: "old@example.com" });
    expect((await buyer.post(`/api/orders/${body.orderId}/cancel`)).status).toBe(200);
    // A job that has locked the order would keep it from being purged.
    await shop.jobsDone();
    await query(`update visitors set seen_at = now() - interval '401 days'
      where id = (select visitor_id from orders where id = '${body.orderId}')`);
    await housekeeping();
    const { rows } = await query<{ known: number }>(`
      select count(v.id)::int as known from orders as o
      left join visitors as v on v.id = o.visitor_id and v.id <> '00000000-0000-0000-0000-000000000000'
      where o.id = '${body.orderId}' group by o.id`);
    expect(rows).toEqual([{ known: 0 }]);
    expect((await buyer.get("/api/orders/user/me")).body.data).toEqual([]);
  });

  test("purges many thousands of rows even if others of the same age are kept", async () => {
    await query(`insert into visitors (id, seen_at)
      select gen_random_uuid(), now() - interval '30 hours' - n * interval '1 second' from generate_series(1, 20000) as n`);
    await query(`insert into cart_items (visitor_id, product_id, quantity)
      select id, 1, 1 from visitors where seen_at < now() - interval '30 hours' order by seen_at desc limit 2500`);
    const before = Number((await query<{ n: string }>("select count(*) as n from visitors")).rows[0]?.n);
    await housekeeping();
    const after = Number((await query<{ n: string }>("select count(*) as n from visitors")).rows[0]?.n);
    expect(before - after).toBe(17_500);
  });

  test("purges the other tables if one is locked or fails, and then reports the failure", async () => {
    const blocker = await shop.database.pool.connect();
    await blocker.query("begin");
    for (const statement of [
      "insert into admin_sessions (token_hash, expires_at) values ('held', now() - interval '1 day'), ('free', now() - interval '1 day')",
      "alter table order_lookups rename to order_lookups_away",
      `insert into visitors (id, seen_at) values (${uuid("after the break")}, now() - interval '2 days')`,
    ])
      await query(statement);
    await blocker.query("select from admin_sessions where token_hash = 'held' for update");
    await expect(housekeeping()).rejects.toThrow("purgeLookups");
    await blocker.query("rollback");
    blocker.release();
    await query("alter table order_lookups_away rename to order_lookups");
    const { rows } = await query<{ hash: string }>(
      "select convert_from(token_hash, 'utf8') as hash from admin_sessions where token_hash in ('held', 'free')",
    );
    expect(rows).toEqual([{ hash: "held" }]);
    expect((await query(`select from visitors where id = ${uuid("after the break")}`)).rowCount).toBe(0);
    expect(shop.logLines.join()).toContain("old data could not be deleted");
  });
});
