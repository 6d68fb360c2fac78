import { createHash } from "node:crypto";
import { and, desc, eq, gt, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { TypedQueryBuilder } from "drizzle-orm/query-builders/query-builder";
import type { Database, Db } from "../../platform/database/database.ts";
import { sandboxEvents, sandboxIntents } from "../tables.ts";
import type { Attempt } from "./confirm.ts";
import {
  doesNotWait,
  eventRows,
  intentObject,
  type NewEvent,
  type SandboxEvent,
  sandboxId,
  sessionObject,
} from "./events.ts";

export type SandboxIntent = typeof sandboxIntents.$inferSelect;
type NewIntent = Pick<
  typeof sandboxIntents.$inferInsert,
  "idempotencyKey" | "orderId" | "orderNumber" | "amount" | "currency"
> & { page?: { successUrl: string; cancelUrl: string; expiresAt: Date } };
/** The changed intent, null if unchanged, and its events to deliver. */
export type Change = { intent: SandboxIntent | null; events: SandboxEvent[] };

/** Declined attempts after which an intent accepts no more cards. */
export const sandboxAttemptsMax = 5;

/** Inserts an intent and its events. `intent` is null if the idempotency key has been used before. */
export function insertIntent(
  db: Database,
  { page, ...intent }: NewIntent,
  newEvents: NewEvent[],
): Promise<Change> {
  const id = sandboxId("pi");
  return change(
    db,
    db
      .insert(sandboxIntents)
      .values({
        ...intent,
        id,
        clientSecret: sandboxId(`${id}_secret`),
        ...(page ? { ...page, sessionId: sandboxId("cs") } : {}),
      })
      .onConflictDoNothing({ target: sandboxIntents.idempotencyKey })
      .returning(),
    newEvents,
  );
}

/** Attempts a payment by card. `intent` is null if it is unknown, the secret is wrong, or it accepts no (more) cards. */
export function attemptPayment(
  db: Database,
  { intentId, clientSecret, attempt }: { intentId: string; clientSecret: string; attempt: Attempt },
): Promise<Change> {
  const acceptsCards = and(
    eq(sandboxIntents.id, intentId),
    isSecret(clientSecret),
    isOpen,
    lt(sandboxIntents.failedAttempts, sandboxAttemptsMax),
    or(isNull(sandboxIntents.expiresAt), gt(sandboxIntents.expiresAt, sql`now()`)),
  );
  const update = (set: { [column in keyof SandboxIntent]?: SandboxIntent[column] | SQL }) =>
    db.update(sandboxIntents).set(set).where(acceptsCards).returning();

  switch (attempt.outcome) {
    case "succeeds":
      return change(db, update({ status: "succeeded", amountReceived: sql`${sandboxIntents.amount}` }), [
        { type: "payment_intent.succeeded", object: intentObject() },
        { type: "checkout.session.completed", object: sessionObject("complete"), where: hasPage },
      ]);
    case "needs_authentication":
      return change(db, update({ status: "requires_action" }), []);
    case "declined": {
      const { code, message } = attempt;
      return change(
        db,
        update({
          status: "requires_payment_method",
          failedAttempts: sql`${sandboxIntents.failedAttempts} + 1`,
        }),
        [{ type: "payment_intent.payment_failed", object: intentObject({ code, message }) }],
      );
    }
  }
}

/** Cancels an unpaid intent, found by its id or its page. `intent` is null if none can be cancelled. */
export function cancelIntent(
  db: Database,
  by: { intentId: string } | { sessionId: string },
): Promise<Change> {
  const isThisIntent =
    "intentId" in by ? eq(sandboxIntents.id, by.intentId) : eq(sandboxIntents.sessionId, by.sessionId);
  return change(
    db,
    db.update(sandboxIntents).set({ status: "canceled" }).where(and(isThisIntent, isOpen)).returning(),
    [
      { type: "payment_intent.canceled", object: intentObject() },
      { type: "checkout.session.expired", object: sessionObject("expired"), where: hasPage },
    ],
  );
}

export async function findIntent(db: Database, where: SQL | undefined): Promise<SandboxIntent | null> {
  const [intent] = await db.select().from(sandboxIntents).where(where);
  return intent ?? null;
}

/** Condition: this is the intent's client secret. Compares hashes, so that the duration reveals nothing about a guess. */
export function isSecret(clientSecret: string): SQL {
  const hash = createHash("sha256").update(clientSecret).digest();
  return sql`sha256(convert_to(${sandboxIntents.clientSecret}, 'UTF8')) = ${hash}`;
}

const isOpen = inArray(sandboxIntents.status, ["requires_payment_method", "requires_action"]);
const hasPage = sql`session_id is not null`;

/**
 * Writes the change and its events in one statement, so that neither exists without the other. A change without events is not
 * waited for: the shop next records it, or repeats the call.
 */
async function change(
  db: Database,
  statement: TypedQueryBuilder<(typeof sandboxIntents)["_"]["columns"]>,
  newEvents: NewEvent[],
): Promise<Change> {
  const changed = db.$with("changed").as(statement);
  if (newEvents.length === 0) {
    const [intent] = await db.with(changed).select().from(changed).where(doesNotWait);
    return { intent: intent ?? null, events: [] };
  }
  const insertedEvents = db
    .$with("inserted")
    .as(db.insert(sandboxEvents).select(eventRows(newEvents)).returning());
  const rows = await db
    .with(changed, insertedEvents)
    .select()
    .from(changed)
    .leftJoin(insertedEvents, sql`true`);
  return {
    intent: rows[0]?.changed ?? null,
    events: rows.flatMap((row) => (row.inserted === null ? [] : [row.inserted])),
  };
}

/** All intents created for an order, newest first. */
export async function findIntentsOfOrder(db: Db, orderId: string): Promise<SandboxIntent[]> {
  return db
    .select()
    .from(sandboxIntents)
    .where(eq(sandboxIntents.orderId, orderId))
    .orderBy(desc(sandboxIntents.createdAt));
}
