import { sql } from "drizzle-orm";
import { disputeEvidenceDays } from "../../../domain/privacy/retention.ts";
import type { ShopContext } from "../../context.ts";
import { deleteInBatches } from "../../platform/database/in-batches.ts";
import { disputeEvidence, disputes } from "../tables.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Deletes the evidence of disputes that closed long ago; the order's history still says that evidence was sent. */
export async function purgeDisputeEvidence({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - disputeEvidenceDays * dayMs).toISOString();
  await deleteInBatches(
    db,
    disputeEvidence,
    sql`${disputeEvidence.disputeId} in (select id from ${disputes} where closed_at < ${before})`,
  );
}
