import { asc, eq, isNull, sql } from "drizzle-orm";
import { formatCents } from "../../domain/shared/money.ts";
import type { Db } from "../platform/database/database.ts";
import { currentActor } from "../platform/http/actor.ts";
import { adminSessions } from "./tables.ts";

/** Rolls back an action that must be confirmed first: the gate responds with `confirmation_required` with its message. */
export class ConfirmationRequired extends Error {}

/**
 * Counts money that a panel user gives away, and is the only place that compares it with the owner's limit: refunds,
 * cancellations and edits (by `refundLockedOrder`), accepted disputes, and discounts of draft orders. Adds `cents` in the caller's
 * transaction, and throws `ConfirmationRequired` if the sum since the session's last confirmation exceeds the limit. Jobs, and
 * buyers without an admin session, are not counted. Call it before stock is locked: the next call for the same person waits for
 * the end of the transaction. `verb` completes the message.
 */
export async function enforceConfirmationLimit(
  tx: Db,
  { cents, verb }: { cents: number; verb: "goes back" | "is given up" | "is taken off" },
): Promise<void> {
  const actor = currentActor();
  if (actor === null || cents <= 0) return;
  if (actor.confirmationLimit === null)
    throw new Error("a call gives money away without `givesAway` in its row");
  const { limitCents, isConfirmed, countForKey } = actor.confirmationLimit;
  if (countForKey && actor.buyerCallNote !== undefined) {
    await countForKey(tx, cents);
    return;
  }
  if (countForKey) return enforceKeyLimit(limitCents, cents, () => countForKey(tx, cents));
  const sums = await addToSessionSums(tx, { personId: actor.personId, cents });
  if (isConfirmed || limitCents === null) return;
  // Undefined if the session has ended since the call began.
  const total = sums.get(actor.sessionId ?? "");
  if (total !== undefined && total <= limitCents) return;
  const sum =
    total === undefined || total === cents
      ? formatCents(cents)
      : `${formatCents(total)} in all, ${formatCents(cents)} of it now,`;
  throw new ConfirmationRequired(`${sum} ${verb} only after you confirm your identity.`);
}

/** An API key may give away up to the owner's limit per day, and nothing without a limit. */
async function enforceKeyLimit(limitCents: number | null, cents: number, count: () => Promise<number>) {
  if (limitCents === null) {
    throw new ConfirmationRequired(
      "An API key gives no money away unless the owner has set a limit for it, under Settings, Payments.",
    );
  }
  const sum = await count();
  if (sum <= limitCents) return;
  throw new ConfirmationRequired(
    `This key may give away ${formatCents(limitCents)} a day; another ${formatCents(cents)} would make it ${formatCents(sum)}. Somebody in the panel can do it.`,
  );
}

/**
 * Adds cents to the sums of all sessions of a person, each of which counts from the session's last confirmation; everybody
 * who entered the access code (null) is one person. Concurrent calls for one person wait for the end of the transaction.
 * Returns the sums by session.
 */
async function addToSessionSums(
  tx: Db,
  { personId, cents }: { personId: string | null; cents: number },
): Promise<Map<string, number>> {
  const isSessionOfPerson =
    personId === null ? isNull(adminSessions.personId) : eq(adminSessions.personId, personId);
  // Locked in a fixed sequence, so that two concurrent calls cannot deadlock.
  await tx
    .select({ id: adminSessions.id })
    .from(adminSessions)
    .where(isSessionOfPerson)
    .orderBy(asc(adminSessions.id))
    .for("no key update");
  const sessions = await tx
    .update(adminSessions)
    .set({ givenCents: sql`${adminSessions.givenCents} + ${cents}` })
    .where(isSessionOfPerson)
    .returning({ id: adminSessions.id, givenCents: adminSessions.givenCents });
  return new Map(sessions.map(({ id, givenCents }) => [id, givenCents]));
}
