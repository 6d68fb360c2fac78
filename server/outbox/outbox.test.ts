import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { openTestContext } from "../../test/context.ts";
import { createTestDatabase } from "../../test/database.ts";
import { startFakeSmtp } from "../../test/fake-smtp.ts";
import { insertPaidOrder } from "../../test/paid-order.ts";
import { patienceMs } from "../../test/patience.ts";
import { testTiming } from "../../test/shop.ts";
import type { ShopContext } from "../context.ts";
import { enqueueIssue } from "../issues/issues.ts";
import { isOrderLinkTokenValid } from "../orders/link-tokens.ts";
import { enqueueLookup, enqueueOrderPaid } from "../orders/mail.ts";
import { runAsCall } from "../platform/database/running-call.ts";
import { isBusy } from "../platform/jobs/busy.ts";
import { startJobs } from "../platform/jobs/job-workers.ts";
import { requeueStuck, withdrawMessage } from "./enqueue.ts";
import { outboxFeature } from "./feature.ts";
import { purgeOldMail } from "./personal-data.ts";
import { settleMessage } from "./settle.ts";
import { openMailer } from "./smtp.ts";
import { type MessageKind, messages } from "./tables.ts";

const publicUrl = "https://shop.example";

let mailFolder: string;
let logLines: string[];
const cleanUps: (() => unknown)[] = [];

const database = await createTestDatabase();
const shop = await openTestContext(database, { PUBLIC_URL: publicUrl, PAYMENTS: "sandbox" });
const smtp = await startFakeSmtp();
beforeEach(async () => {
  mailFolder = join(await mkdtemp(join(tmpdir(), "palmira-mail-")), "mail");
  logLines = [];
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  await database.db.execute(sql`delete from jobs`);
  await database.db.delete(messages);
  await rm(join(mailFolder, ".."), { recursive: true });
  smtp.received.length = 0;
});
afterAll(async () => {
  await smtp.close();
  await shop.changes.stop();
  await database.drop();
});

/** Runs a server's mail workers, by default with SMTP, an owner's address and real payments. */
async function startMailWorkers(
  {
    ownerEmail = "owner@example.com" as string | null,
    isTestMode = false,
    ...changes
  }: { ownerEmail?: string | null; isTestMode?: boolean } & Partial<Pick<ShopContext, "mailer">> = {},
  { connections = 1 } = {},
) {
  const log = pino({ level: "info" }, { write: (line: string) => void logLines.push(line) });
  const mailer = openMailer({ smtpUrl: smtp.url, from: null, connections, publicUrl });
  const ctx: ShopContext = {
    ...shop,
    config: { ...shop.config, mail: { ...shop.config.mail, ownerEmail } },
    provider: { ...shop.provider, mode: isTestMode ? "sandbox" : "live" },
    log,
    mailer,
    mailFolder,
    ...changes,
  };
  const jobs = await startJobs({
    url: database.url,
    pool: database.pool,
    log,
    tasks: outboxFeature.tasks(ctx),
    concurrency: { mail: connections },
    timing: testTiming,
    metrics: shop.metrics,
  });
  cleanUps.push(() => jobs.stop(), mailer.close);
}

/** Waits until `check` passes, even on a slow machine. */
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: patienceMs, interval: 20 });

const readStatuses = async () =>
  (await database.db.select({ status: messages.status }).from(messages)).map(({ status }) => status);

const readMessage = async (kind: MessageKind) => {
  const [message] = await database.db.select().from(messages).where(eq(messages.kind, kind));
  return message;
};

/** Makes the failed job due now, after its failure was recorded. */
const retryNow = () =>
  eventually(async () => {
    const { rowCount } = await database.db.execute(
      sql`update jobs set run_at = now() where attempts > 0 and leased_until is null`,
    );
    expect(rowCount).toBe(1);
  });

test("two servers send buyer and owner one e-mail each for a paid order that was enqueued 20 times at once", async () => {
  await startMailWorkers();
  await startMailWorkers();
  const orderId = await insertPaidOrder(database.db);
  await Promise.all(
    Array.from({ length: 20 }, () => database.db.transaction((tx) => enqueueOrderPaid(shop, tx, orderId))),
  );
  await eventually(async () => expect(await readStatuses()).toEqual(["sent", "sent"]));
  expect(smtp.received.flatMap(({ to }) => to).sort()).toEqual(["ada@example.com", "owner@example.com"]);
});

test("a rolled-back transaction sends no e-mail about its order", async () => {
  await startMailWorkers();
  const orderId = await insertPaidOrder(database.db);
  await expect(
    database.db.transaction(async (tx) => {
      await enqueueOrderPaid(shop, tx, orderId);
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db));
  await eventually(() => expect(smtp.received.length).toBe(2));
  expect((await readStatuses()).length).toBe(2);
});

test("the order confirmation lists items, address and link to the order, in HTML and in text", async () => {
  await startMailWorkers({ ownerEmail: null, isTestMode: true });
  const orderId = await insertPaidOrder(database.db, {
    customerName: 'Ada <img src=x onerror="alert(1)">\nTotal $0.00',
    discountCents: 500,
    taxCents: 206,
    totalCents: 3296,
  });
  await enqueueOrderPaid(shop, database.db, orderId);
  await eventually(async () => expect((await readMessage("order_confirmation"))?.status).toBe("sent"));
  const message = await readMessage("order_confirmation");
  const [mail] = smtp.received;
  const text = message?.text ?? "";
  const html = message?.html ?? "";

  expect(mail?.headers.get("subject")).toMatch(/^Your Palmira order #\d+$/);
  expect(mail?.headers.get("from")).toBe("Palmira <no-reply@shop.example>");
  expect(mail?.headers.get("message-id")).toBe(`<${message?.id}@shop.example>`);
  expect(mail?.greeting).toBe("shop.example");
  expect(mail?.headers.get("content-type")).toMatch(/^multipart\/alternative/);
  for (const fact of [
    "Pure Batana Oil",
    "$29.95",
    "-$5.00",
    "$5.95",
    "$2.06",
    "$32.96",
    "1 Main St",
    "Austin, TX 78701",
    "United States",
    "1-2 business days",
    "3-5 business days",
    "Test mode: payments are simulated, no card was charged.",
    "You can return your order within 30 days",
  ]) {
    expect(text).toContain(fact);
    expect(html.replace(/<span style="white-space:nowrap">([^<]*)<\/span>/g, "$1")).toContain(fact);
    expect(mail?.body.replaceAll("\r\n", "\n")).toContain(fact);
  }
  // One unit's price is its line's amount, which is shown once.
  expect(text).toMatch(/^1 x Pure Batana Oil +\$29\.95$/m);
  expect(html).toMatch(/>1\s×\sPure Batana Oil<\/td>/);
  expect(html).not.toContain("<img src=x");
  expect(html).toContain("Ada &lt;img");
  expect(text).toContain("Hello Ada,");
  expect(text).toContain('Ship to\nAda <img src=x onerror="alert(1)"> Total $0.00\n1 Main St');
  // Pictures have absolute URLs, and the text is complete without them.
  const pictures = [...html.matchAll(/<img src="([^"]+)"[^>]* alt="([^"]*)"/g)].map(
    ([, ...attributes]) => attributes,
  );
  expect(pictures).toEqual([["https://shop.example/email-logo.png", "Palmira"]]);
  expect(text).toContain(`/orders/${orderId}?token=removed`);
  const [, linkedId, token] = /\/orders\/([0-9a-f-]{36})\?token=(\S+)/.exec(mail?.body ?? "") ?? [];
  expect(linkedId).toBe(orderId);
  expect(isOrderLinkTokenValid(shop.secret, { id: orderId, events: [] }, token ?? "", new Date())).toBe(true);
});

test("the order confirmation mentions included tax at the total, without a row for it", async () => {
  await startMailWorkers();
  const withTax = { name: "VAT", subtotal: 2995, discount: 0, shipping: 595 };
  const amounts = { subtotalCents: 2517, shippingCents: 500, taxCents: 573, withTax };
  await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db, amounts));
  await eventually(async () => expect((await readMessage("order_confirmation"))?.status).toBe("sent"));
  const text = (await readMessage("order_confirmation"))?.text ?? "";
  expect(text).toMatch(/Shipping \(Standard\) +\$5\.95\nTotal +\$35\.90\nIncludes \$5\.73 VAT\n/);
});

test("e-mails have no test-mode note if the shop takes real payments", async () => {
  await startMailWorkers();
  await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db));
  await eventually(async () => expect(await readStatuses()).toEqual(["sent", "sent"]));
  for (const { body } of smtp.received) expect(body).not.toContain("Test mode");
});

test("a temporary refusal of the mail server is retried, and the outbox shows the reason", async () => {
  await startMailWorkers({ ownerEmail: null });
  smtp.next.push("try_later");
  await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db));
  await eventually(async () => {
    expect(await readMessage("order_confirmation")).toMatchObject({ status: "queued", attempts: 1 });
  });
  expect((await readMessage("order_confirmation"))?.lastError).toContain("451");
  await retryNow();
  await eventually(async () => {
    expect(await readMessage("order_confirmation")).toMatchObject({
      status: "sent",
      attempts: 2,
      lastError: null,
    });
  });
  expect(smtp.received.length).toBe(1);
});

test("a message is sent again with the same Message-ID if the mail server closes the connection after accepting it", async () => {
  await startMailWorkers({ ownerEmail: null });
  smtp.next.push("accept_then_hang_up");
  await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db));
  await eventually(async () => expect((await readMessage("order_confirmation"))?.status).toBe("queued"));
  await retryNow();
  await eventually(async () => expect((await readMessage("order_confirmation"))?.status).toBe("sent"));
  const [first, second] = smtp.received.map(({ headers }) => headers.get("message-id"));
  expect(second).toBe(first);
});

test("a message to an address that does not exist fails without being retried", async () => {
  await startMailWorkers({ ownerEmail: null });
  smtp.next.push("no_such_address");
  await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db));
  await eventually(async () => expect((await readMessage("order_confirmation"))?.status).toBe("failed"));
  expect((await readMessage("order_confirmation"))?.lastError).toContain("5.1.1");
});

test("a message is marked as failed after its last attempt", async () => {
  await startMailWorkers({
    mailer: openMailer({ smtpUrl: "smtp://127.0.0.1:1", from: null, connections: 1, publicUrl }),
    ownerEmail: null,
  });
  await database.db.execute(
    sql`create function one_try() returns trigger language plpgsql as $$ begin new.max_attempts = 1; return new; end $$`,
  );
  await database.db.execute(
    sql`create trigger one_try before insert on jobs for each row execute function one_try()`,
  );
  cleanUps.push(() => database.db.execute(sql`drop function one_try cascade`));
  await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db));
  await eventually(async () => {
    expect(await readMessage("order_confirmation")).toMatchObject({ status: "failed", attempts: 1 });
  });
});

test("a message whose server died is sent by another server, but not while its job is still leased", async () => {
  const orderId = await insertPaidOrder(database.db);
  await enqueueOrderPaid(shop, database.db, orderId);
  const setLease = (until: string) =>
    database.db.execute(
      sql`update jobs set attempts = 1, leases = 7, leased_until = now() + ${until}::interval where id = (select min(id) from jobs)`,
    );
  await setLease("1 minute");
  await startMailWorkers();
  await eventually(async () => expect((await readStatuses()).sort()).toEqual(["queued", "sent"]));
  await wait(1_500);
  expect((await readStatuses()).sort()).toEqual(["queued", "sent"]);

  await setLease("-1 second");
  await eventually(async () => expect(await readStatuses()).toEqual(["sent", "sent"]));
  expect(smtp.received.length).toBe(2);
});

test("if two servers both believe that they hold a message's lease, only one records the result", async () => {
  await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db));
  const message = await readMessage("order_confirmation");
  if (!message) throw new Error("nothing to send");
  const outcome = { status: "queued", lastError: "no answer" } as const;
  expect(await settleMessage(database.db, message, outcome)).toBe(true);
  expect(await settleMessage(database.db, message, { status: "failed" })).toBe(false);
  expect(await readMessage("order_confirmation")).toMatchObject({ ...outcome, attempts: 1 });
});

test("a message that is being sent is not withdrawn", async () => {
  const orderId = await insertPaidOrder(database.db);
  await startMailWorkers({ ownerEmail: null });
  smtp.hold();
  await enqueueOrderPaid(shop, database.db, orderId);
  await eventually(() => expect(smtp.held()).toBe(1));
  const withdraw = () =>
    database.db.transaction((tx) => withdrawMessage(tx, `order_confirmation:${orderId}`));
  expect(await withdraw()).toBe("gone");
  smtp.release();
  await eventually(async () => expect((await readMessage("order_confirmation"))?.status).toBe("sent"));
  expect(await withdraw()).toBe("gone");
});

test("as many messages as connections are sent concurrently, and no more", async () => {
  await startMailWorkers({ ownerEmail: null }, { connections: 3 });
  smtp.hold();
  for (let n = 0; n < 8; n++) await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db));
  await eventually(() => expect(smtp.held()).toBe(3));
  await wait(300);
  expect(smtp.held()).toBe(3);
  // Jobs of the other messages are ready to run but wait for a free connection.
  const { rows } = await database.db.execute<{ waiting: number }>(
    sql`select count(*)::int - 3 as waiting from jobs where run_at <= now()`,
  );
  expect(rows[0]?.waiting).toBeGreaterThanOrEqual(5);
  expect(await shop.metrics.text()).toMatch(new RegExp(`^jobs_waiting ${rows[0]?.waiting}$`, "m"));
  smtp.release();
  await eventually(async () =>
    expect((await readStatuses()).filter((status) => status === "sent").length).toBe(8),
  );
  expect(smtp.received.length).toBe(8);
});

test("a message is sent once even if the database is down when the mail server accepts it", async () => {
  await startMailWorkers({ ownerEmail: null });
  smtp.hold();
  await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db));
  await eventually(() => expect(smtp.held()).toBe(1));
  await database.goAway();
  smtp.release();
  await eventually(() => expect(smtp.received.length).toBe(1));
  await wait(200);
  await database.comeBack();
  await eventually(async () => expect((await readMessage("order_confirmation"))?.status).toBe("sent"));
  await eventually(async () => expect((await readStatuses()).sort()).toEqual(["kept", "sent"]));
  expect(await readMessage("order_confirmation")).toMatchObject({ attempts: 1 });
  expect(smtp.received.length).toBe(1);
});

test("a message that the mail server does not acknowledge and two that it refuses do not delay the others", async () => {
  await startMailWorkers({ ownerEmail: null }, { connections: 2 });
  smtp.next.push("hold");
  await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db));
  await eventually(() => expect(smtp.held()).toBe(1));
  smtp.next.push("try_later", "no_such_address");
  for (let n = 0; n < 8; n++) await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db));
  // The postponed message counts as postponed, whatever the result of its second attempt.
  const firstAttempts = async () => {
    const rows = await database.db.select().from(messages).where(eq(messages.kind, "order_confirmation"));
    return rows.map(({ status, attempts }) =>
      attempts > (status === "queued" ? 0 : 1) ? "postponed" : status,
    );
  };
  await eventually(async () =>
    expect((await firstAttempts()).sort()).toEqual(
      ["failed", "postponed", "queued", ...Array.from({ length: 6 }, () => "sent")].sort(),
    ),
  );
  smtp.release();
  await eventually(async () => expect(await firstAttempts()).not.toContain("queued"));
});

test("messages are sent one at a time while the server is busy with calls", async () => {
  await startMailWorkers({ ownerEmail: null }, { connections: 3 });
  smtp.hold();
  const busyCall = () => {
    for (const until = performance.now() + 45; performance.now() < until; );
  };
  const busyTimer = setInterval(() => runAsCall({ name: "/checkout", writes: false }, busyCall), 50);
  cleanUps.push(() => clearInterval(busyTimer));
  await eventually(() => expect(isBusy()).toBe(true));
  for (let n = 0; n < 3; n++) await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db));
  await eventually(() => expect(smtp.held()).toBe(1));
  await wait(500);
  expect(smtp.held()).toBe(1);
  clearInterval(busyTimer);
  await eventually(() => expect(smtp.held()).toBe(3));
  smtp.release();
  await eventually(async () =>
    expect((await readStatuses()).filter((status) => status === "sent").length).toBe(3),
  );
});

test("a message whose last attempt was lost with a killed process is queued again and sent", async () => {
  await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db));
  await database.db.execute(sql`update jobs set attempts = max_attempts`);
  await database.db.update(messages).set({ attempts: 11 });
  const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  const countQueued = async () => {
    const { rows } = await database.db.execute(
      sql`select from jobs where attempts < max_attempts and name = 'send_message'`,
    );
    return rows.length;
  };
  await requeueStuck({ ...shop, now: () => minutesFromNow(59) });
  expect(await countQueued()).toBe(0);
  for (let run = 0; run < 2; run++) await requeueStuck({ ...shop, now: () => minutesFromNow(61) });
  expect(await countQueued()).toBe(2);
  await startMailWorkers();
  await eventually(async () => expect(await readStatuses()).toEqual(["sent", "sent"]));
});

test("without a mail server messages are saved as files that only the shop's user can read", async () => {
  await startMailWorkers({ mailer: null, ownerEmail: null });
  const orderId = await insertPaidOrder(database.db);
  await enqueueOrderPaid(shop, database.db, orderId);
  // A provider's message already ends with a full stop.
  const message = "The payment provider refused a refund: The charge was refunded already.";
  await enqueueIssue(database.db, { kind: "refund_failed", subject: "re_1", orderId, message });
  await eventually(async () => expect(await readStatuses()).toEqual(["kept", "kept", "kept"]));
  for (const kind of ["owner_new_order", "owner_attention"] as const)
    expect((await readMessage(kind))?.text).toContain(`/admin/orders/${orderId}`);
  expect((await readMessage("owner_attention"))?.text).toContain(`${message}\n`);
  const files = (await readdir(mailFolder)).sort();
  expect(files.map((file) => file.replace(/^[\dT-]{19}-(\w+)-[0-9a-f-]{36}/, "$1"))).toEqual(
    expect.arrayContaining([
      "order_confirmation.html",
      "order_confirmation.txt",
      "owner_new_order.html",
      "owner_new_order.txt",
    ]),
  );
  for (const file of files) expect((await stat(join(mailFolder, file))).mode & 0o777).toBe(0o600);
  const confirmation = files.find((file) => file.endsWith(".txt") && file.includes("order_confirmation"));
  const text = await readFile(join(mailFolder, confirmation ?? ""), "utf8");
  expect(text).toMatch(/^To: ada@example\.com\nSubject: Your Palmira order #\d+\n\nThank you for your order/);
  expect(await readMessage("order_confirmation")).toMatchObject({ recipient: "ada@example.com" });
});

test("if the mail folder cannot be written, no message is lost: the outbox stores it, and one with a link is retried", async () => {
  await writeFile(mailFolder, "in the way");
  await startMailWorkers({ mailer: null });
  await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db));
  await eventually(async () => expect(await readStatuses()).toEqual(["kept", "kept"]));
  expect(await readMessage("order_confirmation")).toMatchObject({
    subject: expect.stringMatching(/^Your Palmira order/),
    text: expect.stringContaining("Thank you for your order"),
  });
  expect(logLines.join("")).toContain("the outbox has it");
  const lookup = {
    purpose: "orders",
    lookupId: "3",
    email: "ada@example.com",
    token: `t0k3n${"-".repeat(38)}`,
  } as const;
  await enqueueLookup(database.db, { ...lookup, expiresAt: new Date(Date.now() + 60_000) });
  await eventually(async () =>
    expect(await readMessage("order_lookup")).toMatchObject({ attempts: 1, status: "queued" }),
  );
  await rm(mailFolder);
  await retryNow();
  await eventually(async () => expect(await readMessage("order_lookup")).toMatchObject({ status: "kept" }));
  const [name = ""] = (await readdir(mailFolder)).filter((file) => file.endsWith(".txt"));
  expect(await readFile(join(mailFolder, name), "utf8")).toContain("token=t0k3n-");
});

test("text and address of an e-mail are erased after two years, and the record that it was sent is kept", async () => {
  await startMailWorkers({ mailer: null });
  await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db));
  await eventually(async () => expect(await readStatuses()).toEqual(["kept", "kept"]));
  const yearsFromNow = (years: number) => new Date(Date.now() + years * 365 * 24 * 60 * 60 * 1000);

  await purgeOldMail({ ...shop, mailFolder, now: () => yearsFromNow(1.9) });
  expect(await readdir(mailFolder)).toHaveLength(4);
  expect((await readMessage("order_confirmation"))?.text).toContain("Ada");

  await purgeOldMail({ ...shop, mailFolder, now: () => yearsFromNow(2.1) });
  expect(await readdir(mailFolder)).toEqual([]);
  expect(await readMessage("order_confirmation")).toMatchObject({
    status: "kept",
    recipient: null,
    subject: null,
    html: null,
    text: null,
  });
});

test("without an owner's address the owner's messages are saved, and the buyer's are still sent", async () => {
  await startMailWorkers({ ownerEmail: null });
  await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db));
  await eventually(async () => expect((await readStatuses()).sort()).toEqual(["kept", "sent"]));
  expect(await readMessage("owner_new_order")).toMatchObject({ status: "kept", recipient: null });
});

test("the owner gets one e-mail per kind and subject of an issue", async () => {
  await startMailWorkers();
  const orderId = await insertPaidOrder(database.db);
  const issue = {
    kind: "amount_mismatch",
    subject: "pi_1",
    orderId,
    message: "Payment pi_1 brought 100 USD",
  };
  await Promise.all([1, 2, 3].map(() => enqueueIssue(database.db, issue)));
  await enqueueIssue(database.db, { ...issue, subject: "pi_2", orderId: null });
  await eventually(async () => expect(await readStatuses()).toEqual(["sent", "sent"]));
  expect(smtp.received.map(({ headers }) => headers.get("subject")).sort()).toEqual([
    expect.stringMatching(/^Order #\d+ needs your attention$/),
    "Something needs your attention",
  ]);
  expect(smtp.received[0]?.body).toContain("Payment pi_1 brought 100 USD.");
});

test("the token of an order look-up link is mailed to the shopper and stored nowhere", async () => {
  const token = `tok3n${"-".repeat(38)}`;
  const lookup = { purpose: "orders", lookupId: "1", email: "ada@example.com", token } as const;
  await startMailWorkers();
  await enqueueLookup(database.db, { ...lookup, expiresAt: new Date(Date.now() + 60_000) });
  await eventually(async () => expect(await readStatuses()).toEqual(["sent"]));
  expect(smtp.received[0]?.body).toContain(`https://shop.example/orders/find?token=${token}`);
  expect(JSON.stringify(await readMessage("order_lookup"))).not.toContain("tok3n");
  const { rows } = await database.db.execute(sql`select payload from jobs`);
  expect(JSON.stringify(rows)).not.toContain("tok3n");
});

test("a look-up link that expired before it could be sent is not sent", async () => {
  await startMailWorkers();
  const expiresAt = new Date(Date.now() - 1);
  await enqueueLookup(database.db, {
    purpose: "orders",
    lookupId: "2",
    email: "ada@example.com",
    token: "t0ken",
    expiresAt,
  });
  await eventually(async () => expect(await readStatuses()).toEqual(["failed"]));
  expect((await readMessage("order_lookup"))?.data).toBeNull();
  expect(smtp.received).toEqual([]);
});

test("logs contain no full address, even if the mail server's response does", async () => {
  await startMailWorkers();
  smtp.next.push("no_such_address");
  await enqueueOrderPaid(shop, database.db, await insertPaidOrder(database.db));
  await eventually(async () => expect((await readStatuses()).sort()).toEqual(["failed", "sent"]));
  expect(logLines.join("")).toContain("message sent");
  expect(logLines.join("")).not.toMatch(/(ada|owner)@/);
});
