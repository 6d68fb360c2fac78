import { and, eq, inArray, isNull, lt } from "drizzle-orm";
import { unconfirmedDays, unsubscribedDays } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import { emailOptouts } from "../outbox/tables.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { subscribers } from "./tables.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Deletes sign-ups that were never confirmed, and subscribers who unsubscribed a year ago. */
export async function purgeSubscribers({ db, now: clock }: ShopContext): Promise<void> {
  const before = (days: number) => new Date(clock().getTime() - days * dayMs);
  await deleteInBatches(
    db,
    subscribers,
    and(isNull(subscribers.confirmedAt), lt(subscribers.askedAt, before(unconfirmedDays))),
  );
  const left = db
    .select({ emailHash: emailOptouts.emailHash })
    .from(emailOptouts)
    .where(and(eq(emailOptouts.kind, "newsletter"), lt(emailOptouts.at, before(unsubscribedDays))));
  await deleteInBatches(db, subscribers, inArray(subscribers.emailHash, left));
}
