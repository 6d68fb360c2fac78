import { and, eq, inArray, isNull, ne, notInArray, sql } from "drizzle-orm";
import { enqueueMessages } from "../outbox/enqueue.ts";
import type { Db } from "../platform/database/database.ts";
import { issues } from "./tables.ts";

/** A case that a person has to decide. `url`: its page in the provider's dashboard; `path`: its page in the panel. */
export type NewIssue = {
  kind: string;
  subject: string;
  /** Missing if the issue is not about an order. */
  orderId?: string | null;
  message: string;
  /** Replaces `message` in the e-mail, which also needs the facts that pages show beside it. */
  emailMessage?: string;
  url?: string | null;
  path?: string;
};

/** Raises an issue and e-mails the owner about it. Returns false, and changes nothing, if it was raised before. */
export async function raiseIssue(tx: Db, issue: NewIssue): Promise<boolean> {
  const { kind, subject, orderId = null, message } = issue;
  const { rowCount } = await tx
    .insert(issues)
    .values({ kind, subject, orderId, message })
    .onConflictDoNothing();
  if (rowCount === 1) await enqueueIssue(tx, issue);
  return rowCount === 1;
}

/** E-mails the owner about an issue, once for each kind and subject. */
export async function enqueueIssue(
  tx: Db,
  { kind, subject, orderId = null, message, emailMessage = message, url, path }: NewIssue,
): Promise<void> {
  await enqueueMessages(tx, [
    {
      // Stored under its older name.
      kind: "owner_attention",
      dedupeKey: `owner_attention:${kind}:${subject}`,
      orderId,
      data: { message: emailMessage, ...(url ? { url } : {}), ...(path ? { path } : {}) },
    },
  ]);
}

/** Changes the message of a raised issue. With `isReopened`, the owner must decide again. */
export async function updateIssue(
  tx: Db,
  {
    kind,
    subject,
    message,
    isReopened,
  }: Pick<NewIssue, "kind" | "subject" | "message"> & { isReopened: boolean },
): Promise<void> {
  await tx
    .update(issues)
    .set({ message, ...(isReopened ? { resolvedAt: null, resolution: null } : {}) })
    .where(
      and(
        eq(issues.kind, kind),
        eq(issues.subject, subject),
        isReopened ? undefined : ne(issues.message, message),
      ),
    );
}

/** Appends a text to the messages of open issues; if it is there already, moves it to the end. */
export async function addToIssues(
  tx: Db,
  { kind, subjects, text }: { kind: string; subjects: string[]; text: string },
): Promise<void> {
  await tx
    .update(issues)
    .set({ message: sql`replace(${issues.message}, ${text}::text, '') || ${text}::text` })
    .where(and(eq(issues.kind, kind), inArray(issues.subject, subjects), isNull(issues.resolvedAt)));
}

/** Removes from the messages of an order's open issues a text that no longer holds. */
export async function removeFromIssues(
  tx: Db,
  { kind, orderId, text }: { kind: string; orderId: string; text: string },
): Promise<void> {
  await tx
    .update(issues)
    .set({ message: sql`replace(${issues.message}, ${text}, '')` })
    .where(and(eq(issues.orderId, orderId), eq(issues.kind, kind), isNull(issues.resolvedAt)));
}

/** Closes an open issue; returns false if it is closed already. */
export async function closeIssue(
  tx: Db,
  { id, resolution, now }: { id: number; resolution: string | null; now: Date },
): Promise<boolean> {
  const { rowCount } = await tx
    .update(issues)
    .set({ resolvedAt: now, resolution })
    .where(and(eq(issues.id, id), isNull(issues.resolvedAt)));
  return rowCount === 1;
}

/**
 * Closes an issue, or records it as closed if it was never raised, because the provider event that raises it may still
 * arrive.
 */
export async function closeOrRecordIssue(
  tx: Db,
  { kind, subject, orderId = null, message }: NewIssue,
  { resolution, now }: { resolution: string; now: Date },
): Promise<void> {
  const closedState = { resolvedAt: now, resolution };
  await tx
    .insert(issues)
    .values({ kind, subject, orderId, message, ...closedState })
    .onConflictDoUpdate({
      target: [issues.kind, issues.subject],
      set: closedState,
      setWhere: isNull(issues.resolvedAt),
    });
}

/** Raises issues of a kind for the current cases, and closes its other issues, whose cause is gone. */
export async function syncIssues(
  tx: Db,
  {
    kind,
    cases,
    ...closing
  }: { kind: string; cases: Omit<NewIssue, "kind">[]; resolution: string; now: Date },
): Promise<void> {
  for (const issue of cases) await raiseIssue(tx, { kind, ...issue });
  await closeIssues(tx, { kind, except: cases.map(({ subject }) => subject), ...closing });
}

/** Closes the open issues of a kind, except those about the subjects in `except`, whose cause still exists. */
export async function closeIssues(
  tx: Db,
  { kind, except, resolution, now }: { kind: string; except: string[]; resolution: string; now: Date },
): Promise<void> {
  await tx
    .update(issues)
    .set({ resolvedAt: now, resolution })
    .where(and(eq(issues.kind, kind), isNull(issues.resolvedAt), notInArray(issues.subject, except)));
}

export async function closeIssuesAbout(
  tx: Db,
  { subject, resolution, now }: { subject: string; resolution: string; now: Date },
): Promise<void> {
  await tx
    .update(issues)
    .set({ resolvedAt: now, resolution })
    .where(and(eq(issues.subject, subject), isNull(issues.resolvedAt)));
}

/** Whether an issue was ever raised, open or closed. */
export async function wasIssueRaised(
  tx: Db,
  { kind, subject }: Pick<typeof issues.$inferSelect, "kind" | "subject">,
): Promise<boolean> {
  const isThisIssue = and(eq(issues.kind, kind), eq(issues.subject, subject));
  return (await tx.$count(issues, isThisIssue)) > 0;
}

/** Messages of the open issues of an order; null if there are none. */
export async function openIssuesText(db: Db, orderId: string): Promise<string | null> {
  const openIssues = await db
    .select({ message: issues.message })
    .from(issues)
    .where(and(eq(issues.orderId, orderId), isNull(issues.resolvedAt)))
    .orderBy(issues.id);
  return openIssues.length === 0 ? null : openIssues.map(({ message }) => message).join("; ");
}
