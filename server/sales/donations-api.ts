import * as v from "valibot";
import {
  donationPageSchema,
  donationSchema,
  newDonationSchema,
  sendingOf,
} from "../../domain/sales/donation.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import { created, dataOf, ok, route } from "../api-row.ts";
import { uuidParams } from "../platform/http/id-params.ts";
import { pageLimit } from "../platform/http/page-limit.ts";
import { problem } from "../platform/http/problem.ts";
import { deleteDonation, listDonations, readSent, recordDonation } from "./donations.ts";
import { readSold } from "./queries.ts";

const tag = "Admin";

/** The record of donations sent. It moves no money. */
export const donationsApi = [
  route("GET /api/admin/donations", {
    tag,
    summary: "Donations that were sent, newest first, and what is still to be sent",
    access: "admin",
    roles: ["staff", "accountant"],
    limit: "none",
    query: v.object({ limit: pageLimit(50), cursor: v.optional(uuidSchema) }),
    response: donationPageSchema,
    answers: {
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
        totals: { givenCents, ...sendingOf(givenCents, sentCents) },
        today: dateIn(timeZone, ctx.now()),
      };
      return { status: 200, body };
    },
  }),
  route("POST /api/admin/donations", {
    tag,
    summary: "Write down a donation that was sent; the same `id` again is the same donation",
    access: "admin",
    limit: "write",
    body: newDonationSchema,
    response: dataOf(donationSchema),
    answers: {
      201: "The donation",
      200: "It was written down before",
      409: "`invalid_state`: another donation was written down under this `id`",
    },
    async handle(ctx, { body, log }) {
      const { timeZone } = await ctx.ownerSettings();
      if (body.sentOn > dateIn(timeZone, ctx.now())) {
        return problem("validation_failed", "This day has not come yet.", {
          fields: { sentOn: "Write it down once it is sent: this day has not come yet" },
        });
      }
      const recorded = await recordDonation(ctx.db, body, ctx.now());
      if (!recorded.ok) {
        return problem("invalid_state", "Another donation was written down already. Please reload the page.");
      }
      const { donation, isNew } = recorded;
      if (isNew) {
        log({
          subject: `donation:${donation.id}`,
          summary: `Donation of ${formatCents(donation.amountCents)} written down as sent on ${donation.sentOn}`,
          after: { amountCents: donation.amountCents, sentOn: donation.sentOn },
        });
      }
      return isNew ? created(donation) : ok(donation);
    },
  }),
  route("DELETE /api/admin/donations/:id", {
    tag,
    summary: "Take back a donation that was written down wrongly",
    access: "admin",
    limit: "write",
    params: uuidParams,
    response: dataOf(v.object({ id: v.string() })),
    answers: { 200: "It is gone", 404: "There is no such donation" },
    async handle(ctx, { params, log }) {
      const donation = await deleteDonation(ctx.db, params.id);
      if (!donation) return problem("not_found", "There is no such donation.");
      log({
        subject: `donation:${params.id}`,
        summary: `Donation of ${formatCents(donation.amountCents)} of ${donation.sentOn} taken back from the record`,
        before: { amountCents: donation.amountCents, sentOn: donation.sentOn },
      });
      return ok({ id: params.id });
    },
  }),
];
