import type { IssueFacts } from "../payments/dispute.ts";

/** What waits behind the panel's tabs, counted up to 100: "99+". */
export type AdminCounts = {
  /** Paid orders that have not left yet. */
  ordersToShip: number;
  unreadMessages: number;
  heldReviews: number;
  /** Issues that a person has to decide. */
  attention: number;
};

/** A browser in which the panel is unlocked. Times ISO 8601 UTC. */
export type AdminSession = {
  id: string;
  /** In words, "Firefox on Windows"; null: it did not say. */
  browser: string | null;
  startedAt: string;
  /** To the minute. */
  lastSeenAt: string;
  expiresAt: string;
  /** Whether it is the one that asks. */
  isCurrent: boolean;
};

/** One line of the record of what was changed for the owner. */
export type ActivityEntry = {
  id: number;
  at: string;
  /** `machine`: a command on the computer that the shop runs on. `nobody`: somebody without a session. */
  who:
    | { kind: "session"; sessionId: string; browser: string | null; isCurrent: boolean }
    | { kind: "machine" }
    | { kind: "nobody" };
  /** The call: `PUT /api/products/:id/price`. */
  action: string;
  /** `product:1`, `order:<id>`; null: nothing that has an id. */
  subject: string | null;
  /** A sentence for people. */
  summary: string;
  /** What changed alone. */
  before: unknown;
  after: unknown;
  /** `begun`: the call did not finish. */
  outcome: "begun" | "done" | "refused" | "failed";
};

/** An issue that a person has to decide. */
export type Issue = IssueFacts & {
  id: number;
  kind: string;
  message: string;
  createdAt: string;
  orderId: string | null;
  orderNumber: number | null;
};

/** Characters of an access code that somebody chooses. */
export const accessCodeLength = { min: 8, max: 200 };
