import * as v from "valibot";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import { type DonationPage, newDonationSchema, sendingOf } from "../../domain/sales/donation.ts";
import type { OwnerSettings } from "../../domain/settings/settings.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import { type AnyApiRow, ok, route } from "../http/api-row.ts";
import type { Database } from "../platform/database.ts";
import { uuidParams } from "../platform/id-params.ts";
import { pageLimit } from "../platform/page-limit.ts";
import { problem } from "../platform/problem.ts";
import { deleteDonation, listDonations, recordDonation, sumDonations } from "./donations.ts";
import { readSold } from "./queries.ts";

export type DonationsApiParts = {
  db: Database;
  now(): Date;
  ownerSettings(): Promise<OwnerSettings>;
  /** Whose orders count: those of the shop's present mode. */
  mode: PaymentMode;
};

const tag = "Admin";

/** The record of what was sent of the money given away. It moves no money. */
export function donationsApi(parts: DonationsApiParts): AnyApiRow[] {
  const { db, now } = parts;
  const zone = async () => (await parts.ownerSettings()).timeZone;
  return [
    route("GET /api/admin/donations", {
      tag,
      summary: "Donations that were sent, newest first, and what is still to be sent",
      access: "admin",
      limit: "none",
      query: v.object({ limit: pageLimit(50), cursor: v.optional(uuidSchema) }),
      answers: {
        200: "`{data: [{id, amountCents, sentOn, note, createdAt}], nextCursor, totals: {givenCents, sentCents, toSendCents, aheadCents}, today}`",
      },
      async handle(_ctx, { query }) {
        const timeZone = await zone();
        const [page, sentCents, sold] = await Promise.all([
          listDonations(db, query),
          sumDonations(db),
          readSold(db, [], { mode: parts.mode, timeZone }),
        ]);
        const givenCents = sold.ever.donatedCents;
        const body: DonationPage = {
          ...page,
          totals: { givenCents, ...sendingOf(givenCents, sentCents) },
          today: dateIn(timeZone, now()),
        };
        return { status: 200, body: { success: true, ...body } };
      },
    }),
    route("POST /api/admin/donations", {
      tag,
      summary: "Write down a donation that was sent; the same `id` again is the same donation",
      access: "admin",
      limit: "write",
      body: newDonationSchema,
      answers: {
        201: "The donation",
        200: "It was written down before",
        409: "`invalid_state`: another donation was written down under this `id`",
      },
      async handle(_ctx, { body, log }) {
        if (body.sentOn > dateIn(await zone(), now())) {
          return problem("validation_failed", "This day is in the future.", {
            fields: { sentOn: "Record it once it is sent: this day is in the future" },
          });
        }
        const recorded = await recordDonation(db, body, now());
        if (!recorded.ok) {
          return problem(
            "invalid_state",
            "Another donation was already recorded under this id. Please reload the page.",
          );
        }
        const { donation, isNew } = recorded;
        if (isNew) {
          log({
            subject: `donation:${donation.id}`,
            summary: `Donation of ${formatCents(donation.amountCents)} recorded as sent on ${donation.sentOn}`,
            after: { amountCents: donation.amountCents, sentOn: donation.sentOn },
          });
        }
        return { status: isNew ? 201 : 200, body: { success: true, data: donation } };
      },
    }),
    route("DELETE /api/admin/donations/:id", {
      tag,
      summary: "Take back a donation that was written down wrongly",
      access: "admin",
      limit: "write",
      params: uuidParams,
      answers: { 200: "It is gone", 404: "There is no such donation" },
      async handle(_ctx, { params, log }) {
        const donation = await deleteDonation(db, params.id);
        if (!donation) return problem("not_found", "There is no such donation.");
        log({
          subject: `donation:${params.id}`,
          summary: `Donation of ${formatCents(donation.amountCents)} of ${donation.sentOn} removed from the record`,
          before: { amountCents: donation.amountCents, sentOn: donation.sentOn },
        });
        return ok({ id: params.id });
      },
    }),
  ];
}
