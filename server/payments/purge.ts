import { and, isNotNull, lt, sql } from "drizzle-orm";
import {
  disputeEvidenceDays,
  paymentEventDays,
  undeliveredEventDays,
} from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import { disputeEvidence, disputes } from "../disputes/tables.ts";
import { sandboxEvents } from "../payment-providers/tables.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { paymentEvents } from "./tables.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Deletes events that were handled and that the provider does not list any more, and the sandbox's that nobody took. */
export async function purgePaymentEvents({ db, now }: ShopContext): Promise<void> {
  const before = (days: number) => new Date(now().getTime() - days * dayMs);
  await deleteInBatches(
    db,
    paymentEvents,
    and(isNotNull(paymentEvents.handledAt), lt(paymentEvents.receivedAt, before(paymentEventDays))),
  );
  await deleteInBatches(db, sandboxEvents, lt(sandboxEvents.createdAt, before(undeliveredEventDays)));
}

/** Deletes what disputes were answered with, once they are long over; that they were answered stays in their orders' history. */
export async function purgeDisputeEvidence({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - disputeEvidenceDays * dayMs).toISOString();
  await deleteInBatches(
    db,
    disputeEvidence,
    sql`${disputeEvidence.disputeId} in (select id from ${disputes} where closed_at < ${before})`,
  );
}
