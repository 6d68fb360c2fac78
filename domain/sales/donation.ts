import * as v from "valibot";
import { changeIdSchema } from "../shared/uuid.ts";
import { isDate } from "../shared/zoned-days.ts";

/** A donation recorded by the owner. `sentOn`: `YYYY-MM-DD`; `createdAt`: ISO 8601 UTC. */
export const donationSchema = v.object({
  id: v.string(),
  amountCents: v.number(),
  sentOn: v.string(),
  /** Such as the recipient or a receipt number. */
  note: v.nullable(v.string()),
  createdAt: v.string(),
});
export type Donation = v.InferOutput<typeof donationSchema>;

export const maxDonationNoteLength = 200;
const amountMessage = "From $0.01 to $999,999.99";

/** Body of `POST /api/admin/donations`. The server checks that the date is not in the future. */
export const newDonationSchema = v.object({
  id: changeIdSchema,
  amountCents: v.pipe(
    v.number(amountMessage),
    v.integer("In whole cents"),
    v.minValue(1, amountMessage),
    v.maxValue(99_999_999, amountMessage),
  ),
  sentOn: v.pipe(v.string("Enter the day"), v.check(isDate, "A day, like 2026-11-20")),
  note: v.pipe(
    v.optional(
      v.nullable(
        v.pipe(
          v.string("Must be text"),
          v.trim(),
          v.maxLength(maxDonationNoteLength, `At most ${maxDonationNoteLength} characters`),
        ),
      ),
    ),
    v.transform((note) => note || null),
  ),
});
export type NewDonation = v.InferOutput<typeof newDonationSchema>;

/** The amount donated, in cents, and how far it is below (`toSendCents`) or above (`aheadCents`) the amount set aside. */
export const donationTotalsSchema = v.object({
  sentCents: v.number(),
  toSendCents: v.number(),
  aheadCents: v.number(),
});
export type DonationTotals = v.InferOutput<typeof donationTotalsSchema>;

/** Donations beyond the amount set aside (`givenCents`) count as an advance. */
export function donationTotals(givenCents: number, sentCents: number): DonationTotals {
  return {
    sentCents,
    toSendCents: Math.max(0, givenCents - sentCents),
    aheadCents: Math.max(0, sentCents - givenCents),
  };
}

/** Response of `GET /api/admin/donations`, newest first. */
export const donationPageSchema = v.object({
  data: v.array(donationSchema),
  nextCursor: v.nullable(v.string()),
  /** Totals of all donations, on every page the same. */
  totals: v.object({ ...donationTotalsSchema.entries, givenCents: v.number() }),
  /** Today's date in the shop's time zone. */
  today: v.string(),
});
