import { setTimeout as delay } from "node:timers/promises";
import { type FakeSmtp, startFakeSmtp } from "../test/fake-smtp.ts";
import type { Figure } from "./figures.ts";
import { openClient } from "./keep-alive-client.ts";
import { buy } from "./orders.ts";
import { unlockPanel } from "./panel.ts";
import { postgresAndOthers, processTree, readCpuMs } from "./processes.ts";
import { type ShopProcess, startShop } from "./shop-process.ts";

/** Orders whose confirmation is awaited while the newsletter is being sent. */
const orderCount = 10;
/** The run fails if no e-mail arrives for this long (ms), which is longer than the pause of a job whose server was killed. */
const patienceMs = 180_000;

/**
 * Sends a newsletter with personal codes to `count` readers at the highest rate, kills the server in the middle with SIGKILL, and
 * starts another. Throws if a reader got two e-mails or two codes, or none. The figures are of the second server.
 */
export async function measureNewsletter(dataDir: string, count: number): Promise<Figure[]> {
  const smtp = await startFakeSmtp();
  const env = { SMTP_URL: smtp.url, NEWSLETTERS_PER_MINUTE: "60000" };
  let shop = await startShop(dataDir, env);
  try {
    const { call } = await openCampaigns(shop);
    await subscribe(shop, count);
    await call("/api/admin/discounts", { code: "BENCH", kind: "percent", value: 10 });
    const newsletter = {
      subject: "News",
      body: "Take {{code}}.",
      productId: 1,
      buttonLabel: "Shop",
      buttonUrl: "/",
    };
    const { id } = await call("/api/admin/campaigns", { ...newsletter, code: "BENCH", personalCodes: true });
    await call(`/api/admin/campaigns/${id}/send`, {});
    await untilReceived(smtp, count / 2);
    const killedAt = performance.now();
    await kill(shop);
    shop = await startShop(dataDir, env);
    const { read } = await openCampaigns(shop);
    const receivedBefore = newslettersIn(smtp).length;
    await untilReceived(smtp, receivedBefore + 1);
    const pauseS = (performance.now() - killedAt) / 1_000;

    const pids = processTree(shop.pid);
    const [cpuBefore, startedAt] = [readCpuMs(pids), performance.now()];
    const initialCount = newslettersIn(smtp).length;
    const buying = orderDelays(shop, smtp);
    // The last ones may be those that were being sent when the server was killed.
    await untilReceived(smtp, count - 2);
    const [cpuMs, ms] = [readCpuMs(pids) - cpuBefore, performance.now() - startedAt];
    const sentCount = newslettersIn(smtp).length - initialCount;
    const delays = await buying;
    const unknown = await checkResult(await untilSent(read, id), smtp, count, shop);
    return [
      { name: "newsletters by one server", value: (sentCount / ms) * 1_000, unit: "/s", target: { min: 30 } },
      {
        name: "processor for one, orders included",
        value: cpuMs / sentCount,
        unit: "ms",
        target: { max: 25 },
      },
      { name: "from SIGKILL to the next newsletter", value: pauseS, unit: "s", target: { max: 90 } },
      {
        name: "readers under way at SIGKILL, shown as unknown",
        value: unknown,
        unit: "",
        target: { max: 1 },
      },
      {
        name: `slowest of ${delays.length} confirmations of orders during the newsletter`,
        value: Math.max(...delays),
        unit: "ms",
        target: { max: 3_000 },
      },
    ];
  } finally {
    await shop.stop();
    await smtp.close();
  }
}

async function openCampaigns({ url }: ShopProcess) {
  const headers = { "Content-Type": "application/json", Cookie: await unlockPanel(url) };
  const send = async (path: string, init: object) => {
    const response = await fetch(url + path, { headers, ...init });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()).data;
  };
  return {
    call: (path: string, body: object) => send(path, { method: "POST", body: JSON.stringify(body) }),
    read: (path: string) => send(path, {}),
  };
}

async function subscribe({ pool }: ShopProcess, count: number): Promise<void> {
  await pool.query(
    `insert into subscribers (email, email_hash, asked_at, confirmed_at, place, consent_text)
    select 'reader' || n || '@example.com', sha256(('reader' || n || '@example.com')::bytea), now(), now(), 'footer', 'News'
    from generate_series(1, $1) n`,
    [count],
  );
}

const newslettersIn = (smtp: FakeSmtp) => smtp.received.filter(({ to }) => to[0]?.startsWith("reader"));

async function untilReceived(smtp: FakeSmtp, count: number): Promise<void> {
  let [lastCount, changedAt] = [0, performance.now()];
  while (lastCount < count) {
    await delay(50);
    const receivedCount = newslettersIn(smtp).length;
    if (receivedCount > lastCount) [lastCount, changedAt] = [receivedCount, performance.now()];
    if (performance.now() > changedAt + patienceMs)
      throw new Error(`no newsletter after ${lastCount} of ${count}`);
  }
}

/** Kills npm and the server, but not PostgreSQL, which the next start takes over. */
async function kill(shop: ShopProcess): Promise<void> {
  await shop.pool.end();
  const [, others] = postgresAndOthers(processTree(shop.pid));
  for (const pid of others) process.kill(pid, "SIGKILL");
}

/** Times (ms) from a paid order to the arrival of its e-mail. */
async function orderDelays({ url }: ShopProcess, smtp: FakeSmtp): Promise<number[]> {
  const client = await openClient(url);
  const delays: number[] = [];
  const confirmations = () => smtp.received.filter(({ to }) => to[0]?.startsWith("buyer-")).length;
  for (let order = 0; order < orderCount; order += 1) {
    const countBefore = confirmations();
    await buy(client);
    const paidAt = performance.now();
    while (confirmations() === countBefore) await delay(5);
    delays.push(performance.now() - paidAt);
    await delay(300);
  }
  client.close();
  return delays;
}

async function untilSent(read: (path: string) => Promise<Result>, id: number): Promise<Result> {
  for (const until = performance.now() + patienceMs; performance.now() < until; await delay(200)) {
    const campaign = await read(`/api/admin/campaigns/${id}`);
    if (campaign.status === "sent") return campaign;
  }
  throw new Error("the newsletter did not end");
}
type Result = { status: string; sent: number; unknown: number; recipients: number };

/** Returns the number of readers of whom it is unknown whether they got the newsletter. */
async function checkResult(
  { sent, unknown, recipients }: Result,
  smtp: FakeSmtp,
  count: number,
  { pool }: ShopProcess,
): Promise<number> {
  const newsletters = newslettersIn(smtp);
  const readers = new Set(newsletters.map(({ to }) => to[0]));
  const codes = new Set(newsletters.map(({ body }) => /\b[A-Z2-9]{5}-[A-Z2-9]{5}\b/.exec(body)?.[0]));
  const { rows } = await pool.query("select count(*)::int as codes from personal_codes");
  const isComplete = sent + unknown === count && recipients === count && rows[0].codes === count;
  if (
    !isComplete ||
    readers.size !== newsletters.length ||
    codes.size !== newsletters.length ||
    newsletters.length < sent
  )
    throw new Error(
      `${count} readers: ${sent} sent, ${unknown} unknown, ${newsletters.length} e-mails to ${readers.size}, ${rows[0].codes} codes`,
    );
  return unknown;
}
