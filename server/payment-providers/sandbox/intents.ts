import { createHash } from "node:crypto";
import { and, desc, eq, gt, inArray, isNull, lt, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { TypedQueryBuilder } from "drizzle-orm/query-builders/query-builder";
import {
  compiledStatement,
  type InputPlaceholders,
  queryBuilder,
  selectAll,
} from "../../platform/database/compiled-statement.ts";
import type { Database, Db } from "../../platform/database/database.ts";
import { sandboxEvents, sandboxIntents } from "../tables.ts";
import type { Attempt } from "./confirm.ts";
import {
  commitsAsynchronously,
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
/** The changed intent, or null if it is unchanged, and the events to deliver. */
export type Change = { intent: SandboxIntent | null; events: SandboxEvent[] };

/** Number of declined attempts after which an intent accepts no more cards. */
export const maxSandboxAttempts = 5;

const { columns, read } = selectAll(sandboxIntents);
type ChangedRow = Record<string, unknown> & {
  event: (Omit<SandboxEvent, "createdAt"> & { createdAt: string }) | null;
};
type Page = Pick<SandboxIntent, "sessionId" | "successUrl" | "cancelUrl" | "expiresAt">;
const isOpen = inArray(sandboxIntents.status, ["requires_payment_method", "requires_action"]);
const hasPage = sql`session_id is not null`;

const insertStatement = (newEvents: readonly NewEvent[]) =>
  changeStatement<Omit<NewIntent, "page"> & Record<"id" | "clientSecret", string> & Page>((values) => ({
    statement: queryBuilder
      .insert(sandboxIntents)
      .values(values)
      .onConflictDoNothing({ target: sandboxIntents.idempotencyKey })
      .returning(),
    newEvents,
  }));
const insertWithoutEvent = insertStatement([]);
const insertWithEvent = insertStatement([{ type: "payment_intent.created", object: intentObject() }]);

/** Inserts an intent. `intent` is null if the idempotency key has been used before. */
export function insertIntent(
  db: Database,
  { page, ...intent }: NewIntent,
  { withEvent }: { withEvent: boolean },
): Promise<Change> {
  const id = sandboxId("pi");
  const noPage = { sessionId: null, successUrl: null, cancelUrl: null, expiresAt: null };
  return (withEvent ? insertWithEvent : insertWithoutEvent)(db, {
    ...intent,
    id,
    clientSecret: sandboxId(`${id}_secret`),
    ...(page ? { ...page, sessionId: sandboxId("cs") } : noPage),
  });
}

type AttemptInput = { intentId: string; secretHash: Buffer };
const attemptStatement = (
  set: { [column in keyof SandboxIntent]?: SandboxIntent[column] | SQL },
  newEvents: readonly NewEvent[],
) =>
  changeStatement<AttemptInput>(({ intentId, secretHash }) => ({
    statement: queryBuilder
      .update(sandboxIntents)
      .set(set)
      .where(
        and(
          eq(sandboxIntents.id, intentId),
          hasSecretHash(secretHash),
          isOpen,
          lt(sandboxIntents.failedAttempts, maxSandboxAttempts),
          or(isNull(sandboxIntents.expiresAt), gt(sandboxIntents.expiresAt, sql`now()`)),
        ),
      )
      .returning(),
    newEvents,
  }));
const markSucceeded = attemptStatement(
  { status: "succeeded", amountReceived: sql`${sandboxIntents.amount}` },
  [
    { type: "payment_intent.succeeded", object: intentObject() },
    { type: "checkout.session.completed", object: sessionObject("complete"), where: hasPage },
  ],
);
const requireAuthentication = attemptStatement({ status: "requires_action" }, []);

/** Attempts a payment by card. `intent` is null if it is unknown, the secret is wrong, or it accepts no (more) cards. */
export function attemptPayment(
  db: Database,
  { intentId, clientSecret, attempt }: { intentId: string; clientSecret: string; attempt: Attempt },
): Promise<Change> {
  const input = { intentId, secretHash: hashClientSecret(clientSecret) };
  switch (attempt.outcome) {
    case "succeeds":
      return markSucceeded(db, input);
    case "needs_authentication":
      return requireAuthentication(db, input);
    case "declined": {
      const { code, message } = attempt;
      const markDeclined = attemptStatement(
        { status: "requires_payment_method", failedAttempts: sql`${sandboxIntents.failedAttempts} + 1` },
        [{ type: "payment_intent.payment_failed", object: intentObject({ code, message }) }],
      );
      return markDeclined(db, input);
    }
  }
}

const cancelById = changeStatement<{ id: string }>(({ id }) => ({
  statement: queryBuilder
    .update(sandboxIntents)
    .set({ status: "canceled" })
    .where(and(or(eq(sandboxIntents.id, id), eq(sandboxIntents.sessionId, id)), isOpen))
    .returning(),
  newEvents: [
    { type: "payment_intent.canceled", object: intentObject() },
    { type: "checkout.session.expired", object: sessionObject("expired"), where: hasPage },
  ],
}));

/** Cancels an unpaid intent, which is found by its own or its page's id. `intent` is null if none can be cancelled. */
export function cancelIntent(db: Database, id: string): Promise<Change> {
  return cancelById(db, { id });
}

export async function findIntent(db: Database, where: SQL | undefined): Promise<SandboxIntent | null> {
  const [intent] = await db.select().from(sandboxIntents).where(where);
  return intent ?? null;
}

const intentWithId = compiledStatement<{ id: string }, Record<string, unknown>>(
  ({ id }) => sql`select ${columns} from ${sandboxIntents} where ${sandboxIntents.id} = ${id}`,
);

export async function findIntentById(db: Database, id: string): Promise<SandboxIntent | null> {
  const [row] = await intentWithId(db, { id });
  return row ? read(row) : null;
}

/** SQL condition: this is the intent's client secret. Compares hashes, so that the duration reveals nothing about a guess. */
export function isSecret(clientSecret: string): SQL {
  return hasSecretHash(hashClientSecret(clientSecret));
}

function hasSecretHash(hash: Buffer | Placeholder): SQL {
  return sql`sha256(convert_to(${sandboxIntents.clientSecret}, 'UTF8')) = ${hash}`;
}

function hashClientSecret(clientSecret: string): Buffer {
  return createHash("sha256").update(clientSecret).digest();
}
/**
 * A statement that writes a change of an intent together with its events. A change without events is committed asynchronously: if
 * it is lost in a crash, the shop repeats the call.
 */
function changeStatement<Input extends Record<string, unknown>>(
  write: (values: InputPlaceholders<Input>) => {
    statement: TypedQueryBuilder<(typeof sandboxIntents)["_"]["columns"]>;
    newEvents: readonly NewEvent[];
  },
): (db: Database, input: Input) => Promise<Change> {
  const run = compiledStatement<Input, ChangedRow>((values) => {
    const { statement, newEvents } = write(values);
    const changed = sql`with changed as ${statement}`;
    if (newEvents.length === 0)
      return sql`${changed} select ${columns}, null as event from changed as ${sandboxIntents} where ${commitsAsynchronously}`;
    return sql`${changed}, inserted as (
        insert into ${sandboxEvents} (id, type, object, created_at) ${eventRows(newEvents)} returning *
      )
      select ${columns}, case when inserted.id is not null then json_build_object('id', inserted.id,
        'type', inserted.type, 'object', inserted.object, 'createdAt', inserted.created_at) end as event
      from changed as ${sandboxIntents} left join inserted on true`;
  });
  return async (db, input) => {
    const rows = await run(db, input);
    return {
      intent: rows[0] ? read(rows[0]) : null,
      events: rows.flatMap(({ event }) =>
        event === null ? [] : [{ ...event, createdAt: new Date(event.createdAt) }],
      ),
    };
  };
}

/** All intents created for an order, newest first. */
export async function findOrderIntents(db: Db, orderId: string): Promise<SandboxIntent[]> {
  return db
    .select()
    .from(sandboxIntents)
    .where(eq(sandboxIntents.orderId, orderId))
    .orderBy(desc(sandboxIntents.createdAt));
}
