import { asc, eq, isNull, sql } from "drizzle-orm";
import { formatCents } from "../../domain/shared/money.ts";
import type { Db } from "../platform/database/database.ts";
import { whoActs } from "../platform/http/acting-person.ts";
import { adminSessions } from "./tables.ts";

/** Thrown to roll back what is to be confirmed first: the gate answers `confirmation_required` with its message. */
export class ConfirmationRequired extends Error {}

/**
 * The one place where money that leaves the shop by somebody's doing is compared with the owner's limit: refunds, cancellations
 * and edits (by `refundLocked`), accepted disputes, and what drafts take off the shop's prices. Counts `cents` in the caller's
 * transaction, and throws `ConfirmationRequired` if they make too much since the calling session was last confirmed.
 * A job, and a buyer whom nobody of the panel stands behind, count for nobody. Call it before stock is locked: the next to
 * count waits for the end of the transaction.
 */
export async function giveAway(
  tx: Db,
  { cents, as }: { cents: number; as: "goes back" | "is given up" | "is taken off" },
): Promise<void> {
  const acting = whoActs();
  if (acting === null || cents <= 0) return;
  if (acting.giving === null) throw new Error("a call gives money away without `givesAway` in its row");
  const { limitCents, isConfirmed } = acting.giving;
  const sums = await countGivenAway(tx, { personId: acting.personId, cents });
  if (isConfirmed || limitCents === null) return;
  // Missing: the session was ended since the call began.
  const total = sums.get(acting.sessionId ?? "");
  if (total !== undefined && total <= limitCents) return;
  const sum =
    total === undefined || total === cents
      ? formatCents(cents)
      : `${formatCents(total)} in all, ${formatCents(cents)} of it now,`;
  throw new ConfirmationRequired(`${sum} ${as} only once you have shown again that it is you.`);
}

/**
 * Adds cents to what a person has given away since each of their sessions was last confirmed, by this or by another session;
 * everybody who entered the access code (null) is one person. One call of a person's at a time: others wait for the end of the
 * transaction. Answers the sums by session.
 */
export async function countGivenAway(
  tx: Db,
  { personId, cents }: { personId: string | null; cents: number },
): Promise<Map<string, number>> {
  const isTheirs = personId === null ? isNull(adminSessions.personId) : eq(adminSessions.personId, personId);
  // In order, so that two at once do not lock each other out.
  await tx
    .select({ id: adminSessions.id })
    .from(adminSessions)
    .where(isTheirs)
    .orderBy(asc(adminSessions.id))
    .for("no key update");
  const counted = await tx
    .update(adminSessions)
    .set({ givenCents: sql`${adminSessions.givenCents} + ${cents}` })
    .where(isTheirs)
    .returning({ id: adminSessions.id, givenCents: adminSessions.givenCents });
  return new Map(counted.map(({ id, givenCents }) => [id, givenCents]));
}
