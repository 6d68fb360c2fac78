import { randomUUID } from "node:crypto";
import { desc, eq, max, min, sql } from "drizzle-orm";
import * as v from "valibot";
import { formatDay } from "../../domain/orders/order-text.ts";
import {
  type Donation,
  donationPageSchema,
  donationSchema,
  donationTotals,
  type NewDonation,
  newDonationSchema,
} from "../../domain/sales/donation.ts";
import type { Giving, Sent } from "../../domain/sales/giving.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import { created, dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { cutPage, pageLimit, uuidParams } from "../platform/http/params.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import { readSold } from "./queries.ts";
import { donations } from "./tables.ts";

const tag = "Admin";

/** The list of donations sent. Recording one sends no money. */
export const donationsApi = [
  route("GET /api/admin/donations", {
    tag,
    summary: "Donations that were sent, newest first, and what is still to be sent",
    access: "admin",
    roles: ["staff", "accountant"],
    query: v.object({ limit: pageLimit(50), cursor: v.optional(uuidSchema) }),
    response: donationPageSchema,
    responses: {
      200: "`{data: [{id, amountCents, sentOn, note, createdAt}], nextCursor, totals: {givenCents, sentCents, toSendCents, aheadCents}, today}`",
    },
    async handle(ctx, { query }) {
      const { db, provider } = ctx;
      const { timeZone } = await ctx.ownerSettings();
      const [page, { sentCents }, sold] = await Promise.all([
        listDonations(db, query),
        readSent(db),
        readSold(db, [], { mode: provider.mode, timeZone }),
      ]);
      const givenCents = sold.ever.setAsideCents;
      const body = {
        ...page,
        totals: { givenCents, ...donationTotals(givenCents, sentCents) },
        today: dateIn(timeZone, ctx.now()),
      };
      return { status: 200, body };
    },
  }),
  route("POST /api/admin/donations", {
    tag,
    summary: "Record a donation that was sent; a repeated `id` does not add it again",
    access: "admin",
    limit: "write",
    body: newDonationSchema,
    response: dataEnvelope(donationSchema),
    responses: {
      201: "The donation",
      200: "It was recorded before",
      409: "`invalid_state`: another donation was recorded under this `id`",
    },
    async handle(ctx, { body, log }) {
      const { timeZone } = await ctx.ownerSettings();
      if (body.sentOn > dateIn(timeZone, ctx.now())) {
        return problem("validation_failed", "This day is in the future.", {
          fields: { sentOn: "This day is in the future. Record the donation once it is sent" },
        });
      }
      const recorded = await recordDonation(ctx.db, body, ctx.now());
      if (!recorded.ok) {
        return problem("invalid_state", "Another donation was recorded already. Please reload the page.");
      }
      const { donation, isNew } = recorded;
      if (isNew) {
        log({
          subject: `donation:${donation.id}`,
          summary: `Donation of ${formatCents(donation.amountCents)} recorded as sent on ${formatDay(donation.sentOn, "UTC")}`,
          after: { amountCents: donation.amountCents, sentOn: donation.sentOn },
        });
      }
      return isNew ? created(donation) : ok(donation);
    },
  }),
  route("DELETE /api/admin/donations/:id", {
    tag,
    summary: "Remove a donation that was recorded wrongly",
    access: "admin",
    limit: "write",
    params: uuidParams,
    response: dataEnvelope(v.object({ id: v.string() })),
    responses: { 200: "Deleted", 404: "There is no such donation" },
    async handle(ctx, { params, log }) {
      const donation = await deleteDonation(ctx.db, params.id);
      if (!donation) return notFoundProblem("donation");
      log({
        summary: `Donation of ${formatCents(donation.amountCents)} of ${formatDay(donation.sentOn, "UTC")} removed from the record`,
        before: { amountCents: donation.amountCents, sentOn: donation.sentOn },
      });
      return ok({ id: params.id });
    },
  }),
];

type RecordResult = { ok: true; isNew: boolean; donation: Donation } | { ok: false };

/** Records a donation. Repeating an id with the same values does nothing; with other values it is refused. */
export async function recordDonation(
  db: Db,
  { id = randomUUID(), amountCents, sentOn, note }: NewDonation,
  now: Date,
): Promise<RecordResult> {
  const [inserted] = await db
    .insert(donations)
    .values({ id, amountCents, sentOn, note, createdAt: now })
    .onConflictDoNothing()
    .returning();
  if (inserted) return { ok: true, isNew: true, donation: toDonation(inserted) };
  const [existing] = await db.select().from(donations).where(eq(donations.id, id));
  const isSame =
    existing?.amountCents === amountCents && existing.sentOn === sentOn && existing.note === note;
  return isSame ? { ok: true, isNew: false, donation: toDonation(existing) } : { ok: false };
}

/** Deletes a record; null if there is no such donation. */
async function deleteDonation(db: Db, id: string): Promise<Donation | null> {
  const [deleted] = await db.delete(donations).where(eq(donations.id, id)).returning();
  return deleted ? toDonation(deleted) : null;
}

/** Newest day first. `cursor` is the id of the last donation on the previous page. */
export async function listDonations(
  db: Db,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ data: Donation[]; nextCursor: string | null }> {
  const position = sql`(${donations.sentOn}, ${donations.createdAt}, ${donations.id})`;
  const last = sql`(select d.sent_on, d.created_at, d.id from ${donations} d where d.id = ${cursor})`;
  const rows = await db
    .select()
    .from(donations)
    .where(cursor === undefined ? undefined : sql`${position} < ${last}`)
    .orderBy(desc(donations.sentOn), desc(donations.createdAt), desc(donations.id))
    .limit(limit + 1);
  const { page, nextCursor } = cutPage(rows, limit, ({ id }) => id);
  return { data: page.map(toDonation), nextCursor };
}

export async function readSent(db: Db): Promise<Sent> {
  const [row] = await db
    .select({
      cents: sql<string>`coalesce(sum(${donations.amountCents}), 0)`,
      firstSentOn: min(donations.sentOn),
      lastSentOn: max(donations.sentOn),
    })
    .from(donations);
  return {
    sentCents: Number(row?.cents ?? 0),
    firstSentOn: row?.firstSentOn ?? null,
    lastSentOn: row?.lastSentOn ?? null,
  };
}

function toDonation({ createdAt, ...rest }: typeof donations.$inferSelect): Donation {
  return { ...rest, createdAt: createdAt.toISOString() };
}

/** The amount that orders set aside for donations, and the amount recorded as sent. */
export async function readGiving(ctx: ShopContext): Promise<Giving> {
  const { timeZone } = await ctx.ownerSettings();
  const [{ ever }, sent] = await Promise.all([
    readSold(ctx.db, [], { mode: ctx.provider.mode, timeZone }),
    readSent(ctx.db),
  ]);
  return { ...ever, ...sent };
}
