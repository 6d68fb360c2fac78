import * as v from "valibot";
import { salesFiguresSchema } from "../overview/overview.ts";

const cents = v.number();

/** The page of the books, for a period. Cents; dates `YYYY-MM-DD` in the shop's time zone, both included. */
export const booksSchema = v.object({
  from: v.string(),
  to: v.string(),
  today: v.string(),
  timeZone: v.string(),
  figures: salesFiguresSchema,
  /** Tax of the period's sales and succeeded refunds; `country` null if unknown. */
  tax: v.array(
    v.object({
      country: v.nullable(v.string()),
      state: v.nullable(v.string()),
      soldCents: cents,
      taxCents: cents,
      soldBackCents: cents,
      taxBackCents: cents,
    }),
  ),
  /** Movements of the balance at the payment provider; `readUntil`: ISO 8601, null before the first reading. */
  balance: v.object({
    readUntil: v.nullable(v.string()),
    chargesCents: cents,
    refundsCents: cents,
    disputesCents: cents,
    feesCents: cents,
    payoutsCents: cents,
    otherCents: cents,
  }),
  /** Payouts to the bank, newest first, with the day on which they arrive. `count` is the number of all. */
  payouts: v.object({
    count: v.number(),
    latest: v.array(v.object({ id: v.string(), on: v.string(), cents })),
  }),
  /** Cost of the labels bought from carriers, less voided ones. */
  postageCents: cents,
  invoices: v.number(),
});
export type Books = v.InferOutput<typeof booksSchema>;
