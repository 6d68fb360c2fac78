import * as v from "valibot";
import { issueFactsSchema } from "../disputes/dispute.ts";
import { mailOutageSchema } from "../outbox/mail-outage.ts";

/** Counts of open work beside the panel's tabs; 100 stands for "99+". */
export const adminCountsSchema = v.object({
  /** Paid orders not shipped yet. */
  ordersToShip: v.number(),
  /** Requested returns that nobody has decided on. */
  openReturns: v.number(),
  unreadMessages: v.number(),
  heldReviews: v.number(),
  /** Review photos waiting for approval. */
  heldPhotos: v.number(),
  openQuestions: v.number(),
  attention: v.number(),
  failedJobs: v.number(),
  /** Whether a mail server is configured; without one, e-mails are stored instead of sent. */
  mailIsSet: v.boolean(),
  /** Null while e-mails are being sent. */
  mailOutage: v.nullable(mailOutageSchema),
});
export type AdminCounts = v.InferOutput<typeof adminCountsSchema>;

/** Counts and recent payments, polled by open panels. */
export const adminStateSchema = v.object({
  ...adminCountsSchema.entries,
  /** The most recently paid orders, newest first. */
  paid: v.array(v.object({ orderId: v.string(), number: v.number() })),
});
export type AdminState = v.InferOutput<typeof adminStateSchema>;

/** A browser in which the panel is unlocked. Times ISO 8601 UTC. */
export const adminSessionSchema = v.object({
  id: v.string(),
  /** Null for a sign-in with the access code. */
  person: v.nullable(v.object({ id: v.string(), name: v.string() })),
  /** The network address of its last use; null if unknown. */
  address: v.nullable(v.string()),
  /** "Firefox on Windows"; null if the browser sent no name. */
  browser: v.nullable(v.string()),
  startedAt: v.string(),
  /** Accurate to the minute. */
  lastSeenAt: v.string(),
  expiresAt: v.string(),
  /** Whether this is the caller's own session. */
  isCurrent: v.boolean(),
});
export type AdminSession = v.InferOutput<typeof adminSessionSchema>;

export const activityEntrySchema = v.object({
  id: v.number(),
  at: v.string(),
  /**
   * `machine`: a command on the shop's computer. `link`: a buyer's e-mailed link, opened without a session; the link was sent
   * to an address that this panel user had entered for the order. `nobody`: without a session.
   */
  who: v.union([
    v.object({
      kind: v.literal("session"),
      sessionId: v.string(),
      /** Null for a sign-in with the access code. */
      person: v.nullable(v.object({ id: v.string(), name: v.string() })),
      browser: v.nullable(v.string()),
      isCurrent: v.boolean(),
    }),
    v.object({
      kind: v.literal("key"),
      /** The API key: its account has its name. */
      person: v.object({ id: v.string(), name: v.string() }),
    }),
    v.object({ kind: v.literal("machine") }),
    v.object({
      kind: v.literal("link"),
      /** Null for a sign-in with the access code. */
      person: v.nullable(v.object({ id: v.string(), name: v.string() })),
    }),
    v.object({ kind: v.literal("nobody") }),
  ]),
  /** The call: `PUT /api/products/:id/price`. */
  action: v.string(),
  /** `product:1`, `order:<id>`; null if the subject has no id. */
  subject: v.nullable(v.string()),
  summary: v.string(),
  /** Changed fields only. */
  before: v.unknown(),
  after: v.unknown(),
  /** `begun`: the call did not finish. */
  outcome: v.picklist(["begun", "done", "refused", "failed"]),
});
export type ActivityEntry = v.InferOutput<typeof activityEntrySchema>;

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

/** Length of an access code that an operator chooses. */
export const accessCodeLength = { min: 8, max: 200 };
