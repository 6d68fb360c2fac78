import { and, isNotNull, lt } from "drizzle-orm";
import { paymentEventDays } from "../../../domain/privacy/retention.ts";
import type { ShopContext } from "../../context.ts";
import { deleteInBatches } from "../../platform/database/in-batches.ts";
import { paymentEvents } from "../tables.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Deletes handled events that the provider no longer lists. */
export async function purgePaymentEvents({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - paymentEventDays * dayMs);
  await deleteInBatches(
    db,
    paymentEvents,
    and(isNotNull(paymentEvents.handledAt), lt(paymentEvents.receivedAt, before)),
  );
}
