import { lt } from "drizzle-orm";
import { undeliveredEventDays } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { sandboxEvents } from "./tables.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Deletes events of the sandbox that could not be delivered to the webhook for a long time. */
async function purgeSandboxEvents({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - undeliveredEventDays * dayMs);
  await deleteInBatches(db, sandboxEvents, lt(sandboxEvents.createdAt, before));
}

export const paymentProvidersFeature = { purges: [purgeSandboxEvents] } satisfies Feature;
