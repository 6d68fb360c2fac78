import { and, isNotNull, lt } from "drizzle-orm";
import { paymentEventDays, undeliveredEventDays } from "../../domain/privacy/retention.ts";
import type { Db } from "../platform/database.ts";
import { deleteInBatches } from "../platform/in-batches.ts";
import { sandboxEvents } from "./sandbox/tables.ts";
import { paymentEvents } from "./tables.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Deletes events that were worked and that the provider does not list any more, and the sandbox's that nobody took. */
export async function forgetPaymentEvents(db: Db, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  await deleteInBatches(
    db,
    paymentEvents,
    and(isNotNull(paymentEvents.workedAt), lt(paymentEvents.receivedAt, before(paymentEventDays))),
  );
  await deleteInBatches(db, sandboxEvents, lt(sandboxEvents.createdAt, before(undeliveredEventDays)));
}
