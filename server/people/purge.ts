import { and, isNotNull, lt } from "drizzle-orm";
import { activityYears, oldInvitationDays } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { isChallengeOver } from "./passkeys.ts";
import { invitations, passkeyChallenges, people } from "./tables.ts";

export async function purgeChallenges({ db, now }: ShopContext): Promise<void> {
  await deleteInBatches(db, passkeyChallenges, isChallengeOver(now()));
}

export async function purgeInvitations({ db, now }: ShopContext): Promise<void> {
  const until = new Date(now().getTime() - oldInvitationDays * 24 * 60 * 60 * 1000);
  await deleteInBatches(db, invitations, lt(invitations.expiresAt, until));
}

/** Forgets who left, once nothing in the activity log is theirs any more. */
export async function purgeLeavers({ db, now }: ShopContext): Promise<void> {
  const until = now();
  until.setUTCFullYear(until.getUTCFullYear() - activityYears);
  await deleteInBatches(db, people, and(isNotNull(people.deactivatedAt), lt(people.deactivatedAt, until)));
}
