import * as v from "valibot";
import { mailOutageSchema } from "../outbox/mail-outage.ts";

/** Counted up to 100: "99+". `oldestAt`: ISO 8601 UTC; null where nothing waits. */
const waitingSchema = v.object({ count: v.number(), oldestAt: v.nullable(v.string()) });
export type Waiting = v.InferOutput<typeof waitingSchema>;

/** What waits for the people who run the shop. */
export const toDoSchema = v.object({
  /** `overdue`: those that should have left by yesterday, by what the shop promises. */
  ship: v.object({ ...waitingSchema.entries, overdue: v.number() }),
  /** Paid orders that do not ship before somebody decides: disputed, perhaps fraud, going back, or held by the owner. */
  held: waitingSchema,
  /** Paid orders that wait for their buyer to pay for items that were added. */
  unpaidChanges: waitingSchema,
  /** Returns that nobody has answered. */
  returns: waitingSchema,
  /** Messages without an answer, robots' left out. */
  messages: waitingSchema,
  /** Disputes that wait for an answer, with the first deadline (ISO 8601; null: none is set) and, of a single one, its id. */
  disputed: v.object({
    ...waitingSchema.entries,
    dueAt: v.nullable(v.string()),
    only: v.nullable(v.string()),
  }),
  /** Payments and orders that a person has to decide, disputes left out. */
  issues: waitingSchema,
  /** Reviews that wait to be published. */
  reviews: waitingSchema,
  /** Photos of reviews that wait for approval. */
  photos: waitingSchema,
  questions: waitingSchema,
  /** At or under the owner's limit, least first. */
  lowStock: v.array(v.object({ productId: v.number(), name: v.string(), free: v.number() })),
  /** Background jobs that gave up. */
  failedJobs: waitingSchema,
  /** That no e-mail leaves; null: they leave. */
  mailOutage: v.nullable(mailOutageSchema),
});
export type ToDo = v.InferOutput<typeof toDoSchema>;
