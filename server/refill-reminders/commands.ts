import { lt } from "drizzle-orm";
import { refillWishDays } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { refillReminders } from "./tables.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Deletes wishes whose parcel was never delivered. */
export async function purgeRefillReminders({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - refillWishDays * dayMs);
  await deleteInBatches(db, refillReminders, lt(refillReminders.askedAt, before));
}
