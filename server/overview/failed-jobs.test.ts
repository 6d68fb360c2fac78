import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { errorInWords, isJobNamed } from "../../domain/overview/failed-jobs.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { order } from "../../test/checkout.ts";
import { openTestShop } from "../../test/shop.ts";
import { endUnknownJobs } from "../platform/jobs/jobs.ts";

const shop = await openTestShop({}, { background: "all" });
const admin = await adminBrowser(shop);
afterAll(() => shop.stop());

/** A job that has failed its last attempt. */
async function addFailedJob(kind: string, payload: object, reason = "The provider said no"): Promise<string> {
  const { rows } = await shop.database.db.execute<{ id: string }>(sql`
    insert into jobs (name, lane, payload, attempts, max_attempts, last_error)
    values (${kind}, 'upkeep', ${JSON.stringify(payload)}::jsonb, 3, 3, ${reason}) returning id::text as id`);
  return rows[0]?.id ?? "";
}

const readFailedJobs = async () => (await admin.get("/api/admin/jobs/failed")).body.data;
const readFailedCounts = async () => (await admin.get("/api/admin/counts")).body.data.failedJobs;

test("every kind of background job has a name and explanation for the owner", () => {
  const kinds = [...shop.tasks, ...shop.cron.map(({ task }) => task)].map(({ job }) => job.name);
  expect(kinds.length).toBeGreaterThan(20);
  expect(kinds.filter((kind) => !isJobNamed(kind))).toEqual([]);
});

test("failed jobs are listed with their order or message, and can be retried, or removed if they are not essential", async () => {
  const checkout = await order(shop.browser());
  const { paymentIntentId, orderId } = checkout.body;
  const refundSyncId = await addFailedJob(
    "sync_refunds",
    { intentId: paymentIntentId },
    "ada@example.com is unknown",
  );
  const reminderId = await addFailedJob("remind_of_cart", { reminderId: "none" });
  const oldVersionId = await addFailedJob("of_an_older_version", []);

  const { jobs, total } = await readFailedJobs();
  expect(total).toBe(3);
  expect(await readFailedCounts()).toBe(3);
  const byId = Object.fromEntries(jobs.map((job: { id: string }) => [job.id, job]));
  expect(byId[refundSyncId]).toMatchObject({
    kind: "sync_refunds",
    order: { id: orderId },
    reason: "a***@example.com is unknown",
    attempts: 3,
  });
  expect(byId[reminderId]).toMatchObject({ order: null, message: null });

  // A job that a buyer or the provider depends on cannot be deleted.
  const removeJob = async (id: string) =>
    (await send(admin, "DELETE", `/api/admin/jobs/failed/${id}`)).status;
  expect([await removeJob(refundSyncId), await removeJob(reminderId), await removeJob(reminderId)]).toEqual([
    409, 200, 404,
  ]);
  expect(await removeJob(oldVersionId)).toBe(200);

  // The payment has no refunds, so the retried job succeeds.
  expect((await admin.post(`/api/admin/jobs/failed/${refundSyncId}/retry`)).status).toBe(200);
  await shop.jobsDone();
  expect(await readFailedJobs()).toMatchObject({ jobs: [], total: 0, retrying: 0 });
  expect((await admin.post(`/api/admin/jobs/failed/${refundSyncId}/retry`)).status).toBe(404);

  const { body } = await admin.get(`/api/admin/activity?subject=order:${orderId}`);
  expect(body.data.map(({ summary, outcome }: Record<string, string>) => [summary, outcome])).toEqual([
    ["Retried: Update an order’s refunds", "done"],
    ["Removed a failed job: Update an order’s refunds", "refused"],
  ]);
});

test("all failed jobs can be retried in one call, each with its full number of attempts, and are counted as retrying", async () => {
  const jobs = await Promise.all([1, 2].map((n) => addFailedJob("run_money_check", { checkId: `not ${n}` })));
  const response = await admin.post("/api/admin/jobs/failed/retry");
  expect(response.body.data).toEqual({ retried: jobs.length });
  await expect.poll(async () => (await readFailedJobs()).retrying).toBe(2);
  expect((await readFailedJobs()).jobs).toEqual([]);
  expect((await admin.post("/api/admin/jobs/failed/retry")).body.data).toEqual({ retried: 0 });
});

test.each([
  ["connect ECONNREFUSED 10.0.0.1:25", "Another server could not be reached."],
  ['Failed query: select "id" from "orders"', "The database did not accept it."],
  ["535 5.7.8 Error: authentication failed", "The mail server refused it."],
  ["The provider said no", null],
])("the error %j is explained to the owner as %j", (error, words) => {
  expect(errorInWords(error)).toBe(words);
});

test("after a downgrade, jobs of kinds that only the newer version has fail after an hour, recurring ones are removed, and the newer version runs failed ones again", async () => {
  const { db } = shop.database;
  const addWaitingJob = (kind: string, ago: string, key: string | null = null) =>
    db.execute(sql`insert into jobs (name, lane, payload, run_at, max_attempts, key)
      values (${kind}, 'upkeep', '{}', now() - ${ago}::interval, 25, ${key})`);
  const runTidyUp = async () => {
    await db.execute(sql`update jobs set run_at = now() where name = 'tidy_up'`);
  };
  await addWaitingJob("sing_to_the_buyer", "2 hours");
  await addWaitingJob("sing_again", "5 minutes");
  await addWaitingJob("sing_each_day", "2 hours", "every:sing_each_day");
  await runTidyUp();

  const kinds = async () =>
    (await readFailedJobs()).jobs.map(({ kind, reason }: { kind: string; reason: string }) => [kind, reason]);
  await expect
    .poll(kinds)
    .toContainEqual(["sing_to_the_buyer", "This version of the shop does not know this kind of work"]);
  const { rows } = await db.execute<{ kind: string }>(sql`
    select name as kind from jobs where name like 'sing%' and attempts < max_attempts`);
  expect(rows.map(({ kind }) => kind)).toEqual(["sing_again"]);

  // The newer version is back: its kinds of jobs are known again.
  await endUnknownJobs(db, ["sing_to_the_buyer", "sing_again"], shop.ctx.log);
  expect((await kinds()).flat()).not.toContain("sing_to_the_buyer");
});
