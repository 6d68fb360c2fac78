import * as v from "valibot";
import { mailOutageSchema } from "../outbox/mail-outage.ts";

/** `count` stops at 100, shown as "99+". `oldestAt`: ISO 8601 UTC; null if there are none. */
const waitingSchema = v.object({ count: v.number(), oldestAt: v.nullable(v.string()) });
export type Waiting = v.InferOutput<typeof waitingSchema>;

/** Open work of the people who run the shop. */
export const toDoSchema = v.object({
  /** By the shop's promise, `overdue` orders should have shipped by yesterday, and `dueToday` ones have to ship today. */
  ship: v.object({
    ...waitingSchema.entries,
    overdue: v.number(),
    dueToday: v.number(),
    expedited: v.number(),
  }),
  /** Paid orders with a ship hold, and the kinds of these holds. */
  held: v.object({
    ...waitingSchema.entries,
    kinds: v.array(v.picklist(["dispute", "refund", "fraud", "review", "owner"])),
  }),
  /** Order edits whose difference the buyer has not paid. */
  unpaidChanges: waitingSchema,
  /** Requested returns that nobody has decided on. */
  returns: waitingSchema,
  /** Messages without an answer, suspected spam left out. */
  messages: waitingSchema,
  /** Disputes to answer, with the first deadline (ISO 8601; null if none is set) and, if there is one dispute only, its id. */
  disputed: v.object({
    ...waitingSchema.entries,
    dueAt: v.nullable(v.string()),
    only: v.nullable(v.string()),
  }),
  /** Issues of payments and orders, without disputes. */
  issues: waitingSchema,
  reviews: waitingSchema,
  photos: waitingSchema,
  questions: waitingSchema,
  /** Products at or below the owner's limit, fewest units first. */
  lowStock: v.array(v.object({ productId: v.number(), name: v.string(), free: v.number() })),
  failedJobs: waitingSchema,
  /** Null while e-mails are being sent. */
  mailOutage: v.nullable(mailOutageSchema),
});
export type ToDo = v.InferOutput<typeof toDoSchema>;
