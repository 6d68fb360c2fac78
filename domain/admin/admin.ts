import * as v from "valibot";
import { mailOutageSchema } from "../outbox/mail-outage.ts";
import { issueFactsSchema } from "../payments/dispute.ts";

/** What waits behind the panel's tabs, counted up to 100: "99+". */
export const adminCountsSchema = v.object({
  /** Paid orders that have not left yet. */
  ordersToShip: v.number(),
  /** Returns that customers asked for and nobody has answered. */
  openReturns: v.number(),
  unreadMessages: v.number(),
  heldReviews: v.number(),
  /** Photos of reviews that wait for approval. */
  heldPhotos: v.number(),
  /** Questions about products without an answer. */
  openQuestions: v.number(),
  /** Issues that a person has to decide. */
  attention: v.number(),
  /** Background jobs that gave up. */
  failedJobs: v.number(),
  /** Whether a mail server is set: without one every e-mail is kept, and nobody gets it. */
  mailIsSet: v.boolean(),
  /** That no e-mail leaves; null: they leave. */
  mailOutage: v.nullable(mailOutageSchema),
});
export type AdminCounts = v.InferOutput<typeof adminCountsSchema>;

/** What an open panel asks for again and again: whether there is news. */
export const adminNewsSchema = v.object({
  ...adminCountsSchema.entries,
  /** The orders that were paid last, newest first. */
  paid: v.array(v.object({ orderId: v.string(), number: v.number() })),
});
export type AdminNews = v.InferOutput<typeof adminNewsSchema>;

/** A browser in which the panel is unlocked. Times ISO 8601 UTC. */
export const adminSessionSchema = v.object({
  id: v.string(),
  /** Whose; null: of whoever entered the access code. */
  person: v.nullable(v.object({ id: v.string(), name: v.string() })),
  /** The network address of its last use; null: not known. */
  address: v.nullable(v.string()),
  /** In words, "Firefox on Windows"; null: it did not say. */
  browser: v.nullable(v.string()),
  startedAt: v.string(),
  /** To the minute. */
  lastSeenAt: v.string(),
  expiresAt: v.string(),
  /** Whether it is the one that asks. */
  isCurrent: v.boolean(),
});
export type AdminSession = v.InferOutput<typeof adminSessionSchema>;

/** One line of the record of what was changed for the owner. */
export const activityEntrySchema = v.object({
  id: v.number(),
  at: v.string(),
  /**
   * `machine`: a command on the computer that the shop runs on. `link`: a buyer's link, in a browser without a session, after this
   * person changed the order's e-mail address. `nobody`: somebody without a session.
   */
  who: v.union([
    v.object({
      kind: v.literal("session"),
      sessionId: v.string(),
      /** Null: whoever entered the access code. */
      person: v.nullable(v.object({ id: v.string(), name: v.string() })),
      browser: v.nullable(v.string()),
      isCurrent: v.boolean(),
    }),
    v.object({ kind: v.literal("machine") }),
    v.object({
      kind: v.literal("link"),
      /** Null: whoever entered the access code. */
      person: v.nullable(v.object({ id: v.string(), name: v.string() })),
    }),
    v.object({ kind: v.literal("nobody") }),
  ]),
  /** The call: `PUT /api/products/:id/price`. */
  action: v.string(),
  /** `product:1`, `order:<id>`; null: nothing that has an id. */
  subject: v.nullable(v.string()),
  /** A sentence for people. */
  summary: v.string(),
  /** What changed alone. */
  before: v.unknown(),
  after: v.unknown(),
  /** `begun`: the call did not finish. */
  outcome: v.picklist(["begun", "done", "refused", "failed"]),
});
export type ActivityEntry = v.InferOutput<typeof activityEntrySchema>;

/** An issue that a person has to decide. */
export const issueSchema = v.object({
  ...issueFactsSchema.entries,
  id: v.number(),
  kind: v.string(),
  message: v.string(),
  createdAt: v.string(),
  orderId: v.nullable(v.string()),
  orderNumber: v.nullable(v.number()),
});
export type Issue = v.InferOutput<typeof issueSchema>;

/** Characters of an access code that somebody chooses. */
export const accessCodeLength = { min: 8, max: 200 };
