import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import {
  bookedCents,
  failedJobs,
  findRuleViolations,
  offlineCents,
  unfinishedWork,
} from "../test/order-rules.ts";
import { patienceMs } from "../test/patience.ts";
import type { Ledger, Purchase } from "./ledger.ts";
import type { Owner } from "./owner.ts";
import { degradedParts, initialStock, type Site } from "./site.ts";
import { waitUntil } from "./until.ts";

/** `trial`: the trial in which it happened; empty if that is unknown. */
export type TrialError = { trial: string; description: string };

export type Findings = {
  /** Acknowledged payments and orders that are missing in the shop. */
  lost: TrialError[];
  /** Payments, sales and e-mails that happened more than once. */
  doubled: TrialError[];
  /** Any other error. */
  problems: string[];
  /** Number of e-mails that were sent again, by trial. */
  repeatedMail: Map<string, number>;
};

/** Compares the shop's books with the ledger, once all work is finished. */
export async function checkBooks(
  site: Site,
  context: { ledger: Ledger; owner: Owner; pictures: string[] | string },
): Promise<Findings> {
  const { ledger, owner, pictures } = context;
  const { stripe, shops } = site;
  const pool = new pg.Pool({ connectionString: site.cluster.primary().url, max: 2 });
  const db = drizzle(pool);
  const rows = async (query: ReturnType<typeof sql>) => (await db.execute(query)).rows;
  const problems: string[] = [];
  const expectNone = (label: string, items: readonly unknown[]) => {
    for (const item of items.slice(0, 5)) problems.push(`${label}: ${JSON.stringify(item)}`);
    if (items.length > 5) problems.push(`${label}: ${items.length} in all`);
  };
  try {
    const readUnfinishedWork = async () => [...(await rows(unfinishedWork)), ...(await rows(waitingJobs))];
    const isDone = async () => {
      await letTimePass(pool);
      await delay(500);
      return (await readUnfinishedWork()).length === 0;
    };
    await waitUntil("all work is done", isDone, 3 * patienceMs).catch(() => null);
    expectNone("unfinished work", await readUnfinishedWork());
    expectNone("failed jobs", await rows(failedJobs));
    expectNone(
      "failed messages",
      await rows(sql`select id, kind, status from messages where status = 'failed'`),
    );
    expectNone(
      "issues for the owner",
      // A late payment of an edit is refunded and reported to the owner.
      await rows(sql`select kind, subject from issues where resolved_at is null and not (kind = 'late_payment_refunded'
        and subject in (select intent_id from payments where order_edit_id is not null))`),
    );
    const storedOrders = await readOrders(pool);

    const lostPayments = [
      ...ledger.purchases.flatMap((purchase) => {
        const order = storedOrders.get(purchase.orderId);
        if (order?.isPaid && order.intents.includes(purchase.intentId)) return [];
        return [
          {
            trial: purchase.trial,
            description: `${purchase.email} paid ${purchase.intentId}: ${order?.status ?? "no order"}`,
          },
        ];
      }),
      ...[...ledger.orders].flatMap(([email, ids]) =>
        ids
          .filter((id) => !storedOrders.has(id))
          .map((id) => ({ trial: "", description: `order ${id} of ${email} was acknowledged` })),
      ),
    ];
    const doubled = [...findPaidTwice(ledger.purchases, storedOrders), ...(await violationsByTrial(db))];
    const providerCents = stripe.captured() - stripe.refunded();
    const shopCents = (await bookedCents(db)) - (await offlineCents(db));
    if (providerCents !== shopCents)
      problems.push(`the provider holds ${providerCents} cents, the shop has booked ${shopCents}`);
    problems.push(...(await ledger.races.problems(db)));
    const differences = await owner.checkMoney(ledger.purchases.length);
    if (differences > 0) problems.push(`the money check found ${differences} differences`);

    expectNone(
      "stock",
      await rows(sql`select product_id, on_hand, reserved from stock where on_hand < 0 or reserved <> 0
      or product_id = 1 and on_hand <> ${initialStock} - (select coalesce(sum(l.quantity - l.returned_quantity), 0) from order_lines l
        join orders o on o.id = l.order_id where o.paid_at is not null)`),
    );
    if (typeof pictures === "string") problems.push(pictures);
    for (const shop of shops) {
      for (const path of typeof pictures === "string" ? [] : pictures) {
        const { status } = await fetch(shop.origin + path);
        if (status !== 200) problems.push(`${shop.name}: ${path} responds with ${status}`);
      }
      const degraded = await degradedParts(shop);
      if (degraded !== null) problems.push(`${shop.name} is degraded: ${degraded}`);
    }
    const mail = checkMail(site, ledger.purchases);
    expectNone("buyers without a confirmation", mail.missing);
    return { lost: lostPayments, doubled, problems, repeatedMail: mail.repeated };
  } finally {
    await pool.end();
  }
}

/** Overdue or retried jobs, except recurring ones and those that each reconciliation queues. */
const waitingJobs = sql`select name, attempts, run_at, leased_until, last_error from jobs
  where attempts < max_attempts and (run_at < now() - interval '30 seconds'
    or attempts > 0 and leased_until is null and coalesce(key, '') not like 'every:%' and name <> 'finish_openings')`;

/** Advances all times by an hour, so that claims of killed servers lapse and pauses after failed attempts end. */
async function letTimePass(pool: pg.Pool): Promise<void> {
  await pool.query("update payments set next_check_at = next_check_at - interval '1 hour'");
  await pool.query(`update payments set opening_until = opening_until - interval '1 hour',
    created_at = created_at - interval '1 hour' where status = 'opening'`);
  await pool.query(`update jobs set run_at = now()
    where attempts > 0 and leased_until is null and run_at > now() and coalesce(key, '') not like 'every:%'`);
}

type StoredOrder = { email: string; status: string; isPaid: boolean; intents: string[] };

async function readOrders(pool: pg.Pool): Promise<Map<string, StoredOrder>> {
  const { rows } = await pool.query<StoredOrder & { id: string }>(`
    select o.id::text, o.email, o.status, o.paid_at is not null as "isPaid",
      array(select intent_id from payments where order_id = o.id and status = 'succeeded') as intents
    from orders o`);
  return new Map(rows.map(({ id, ...order }) => [id, order]));
}

/** Buyers with more than one paid order. */
function findPaidTwice(purchases: readonly Purchase[], orders: ReadonlyMap<string, StoredOrder>) {
  const paidCounts = new Map<string, number>();
  for (const { email, isPaid } of orders.values())
    if (isPaid) paidCounts.set(email, (paidCounts.get(email) ?? 0) + 1);
  return purchases
    .filter(({ email }) => (paidCounts.get(email) ?? 0) > 1)
    .map(({ email, trial }) => ({ trial, description: `${email} has ${paidCounts.get(email)} paid orders` }));
}

/** Violations of the rules for orders, such as a second sale, confirmation or payment. */
async function violationsByTrial(db: Parameters<typeof findRuleViolations>[0]) {
  return (await findRuleViolations(db)).map((violation) => ({
    trial: "",
    description: JSON.stringify(violation),
  }));
}

function checkMail({ smtp }: Site, purchases: readonly Purchase[]) {
  const trials = new Map(purchases.map(({ email, trial }) => [email, trial]));
  const confirmed = new Set<string>();
  const messageIds = new Set<string>();
  const repeated = new Map<string, number>();
  for (const { to, headers } of smtp.received) {
    const [address = ""] = to;
    const id = headers.get("message-id") ?? "";
    if (/^Your Palmira order #\d+$/.test(headers.get("subject") ?? "")) confirmed.add(address);
    const trial = trials.get(address);
    if (messageIds.has(id) && trial !== undefined) repeated.set(trial, (repeated.get(trial) ?? 0) + 1);
    messageIds.add(id);
  }
  return {
    missing: purchases.filter(({ email }) => !confirmed.has(email)).map(({ email }) => email),
    repeated,
  };
}
