import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { openTestShop } from "../../test/shop.ts";
import { donations } from "./tables.ts";

const path = "/api/admin/donations";
/** The donation share of a bottle: 20% of $29.95. */
const givenCents = 599;

const shop = await openTestShop();
const owner = await adminBrowser(shop);
const buyer = shop.browser();
await confirm(buyer, await order(buyer));
await shop.jobsDone();
beforeEach(() => shop.database.db.delete(donations));
afterAll(() => shop.stop());

const recordDonation = (donation: object = {}) =>
  owner.post(path, {
    id: randomUUID(),
    amountCents: 400,
    sentOn: "2026-11-20",
    note: " Receipt 7 ",
    ...donation,
  });
const readList = async (query = "") => (await owner.get(`${path}${query}`)).body;
const readOverview = async () => (await owner.get("/api/admin/overview")).body.data.donated;

test("the list and the overview separate sent donations from the amount still due", async () => {
  expect((await readList()).totals).toEqual({ givenCents, sentCents: 0, toSendCents: 599, aheadCents: 0 });
  const { status, body } = await recordDonation();
  expect([status, body.data]).toEqual([
    201,
    {
      id: expect.any(String),
      amountCents: 400,
      sentOn: "2026-11-20",
      note: "Receipt 7",
      createdAt: expect.any(String),
    },
  ]);
  const sums = { sentCents: 400, toSendCents: 199, aheadCents: 0 };
  expect(await readList()).toMatchObject({ data: [body.data], nextCursor: null, totals: sums });
  expect(await readOverview()).toMatchObject({ ...sums, totalCents: givenCents, latest: [body.data] });
});

test("after a donation of more than was due, the amount still due is zero", async () => {
  await recordDonation({ amountCents: 1000 });
  expect(await readOverview()).toMatchObject({ sentCents: 1000, toSendCents: 0, aheadCents: 401 });
});

test("a repeated or concurrent donation is recorded once; other values under its id are refused", async () => {
  const id = randomUUID();
  const responses = await Promise.all([
    recordDonation({ id }),
    recordDonation({ id }),
    recordDonation({ id }),
  ]);
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
  expect((await recordDonation({ id, amountCents: 401 })).body.error).toBe("invalid_state");
  expect((await readList()).totals.sentCents).toBe(400);
});

test("a donation can be deleted once; the activity log has its creation and deletion, without the note", async () => {
  const { body } = await recordDonation();
  const remove = () => send(owner, "DELETE", `${path}/${body.data.id}`);
  expect([(await remove()).status, (await remove()).status]).toEqual([200, 404]);
  expect(await readList()).toMatchObject({ data: [], totals: { sentCents: 0 } });
  const log = (await owner.get(`/api/admin/activity?subject=donation:${body.data.id}`)).body.data;
  const fields = { amountCents: 400, sentOn: "2026-11-20" };
  expect(log).toMatchObject([
    { outcome: "refused", before: null },
    {
      outcome: "done",
      summary: "Donation of $4.00 of November 20, 2026 removed from the record",
      before: fields,
    },
    { outcome: "done", after: fields },
  ]);
  const page = await (await owner.fetch(`/admin/activity?subject=donation:${body.data.id}`)).text();
  expect(page).toContain("<s>Nov 20, 2026</s>");
  expect(JSON.stringify(log)).not.toContain("Receipt");
});

test("donations are listed by day, newest first, in pages", async () => {
  const days = ["2026-10-01", "2026-11-20", "2026-11-20", "2026-09-01", "2026-11-02"];
  for (const sentOn of days) await recordDonation({ sentOn });
  const donations: { id: string; sentOn: string }[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await readList(`?limit=2${cursor && `&cursor=${cursor}`}`);
    donations.push(...page.data);
    cursor = page.nextCursor;
  }
  expect(donations.map(({ sentOn }) => sentOn)).toEqual([...days].sort().reverse());
  expect(new Set(donations.map(({ id }) => id)).size).toBe(days.length);
});

test("a donation's amount must be whole cents, and its day not in the future", async () => {
  const dayAfterTomorrow = sql`select (now() at time zone 'UTC' + interval '2 days')::date::text as day`;
  const { rows } = await shop.database.db.execute<{ day: string }>(dayAfterTomorrow);
  const invalidBodies = [
    { amountCents: 0 },
    { amountCents: -5 },
    { amountCents: 1.5 },
    { amountCents: 100_000_000 },
    { sentOn: "2026-02-30" },
    { sentOn: rows[0]?.day },
    { note: "x".repeat(201) },
    { id: "7" },
  ];
  for (const fields of invalidBodies) {
    const { status, body } = await recordDonation(fields);
    expect([fields, status, Object.keys(body.fields)]).toEqual([fields, 422, Object.keys(fields)]);
  }
  expect((await readList()).data).toEqual([]);
});
