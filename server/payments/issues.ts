import { and, eq, isNull, notInArray } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import { lockOrder } from "../orders/lifecycle.ts";
import { updateShipHold } from "../orders/ship-hold.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { enqueueIssue } from "./mail.ts";
import { issues } from "./tables.ts";

/** What a person has to decide. `url`: where, in the provider's own dashboard; `path`: in the panel. */
export type NewIssue = {
  kind: string;
  subject: string;
  orderId: string | null;
  message: string;
  url?: string | null;
  path?: string;
};

/** Puts an issue before the owner, once: raising it again changes and sends nothing. */
export async function raiseIssue(tx: Db, issue: NewIssue): Promise<void> {
  const { kind, subject, orderId, message } = issue;
  const { rowCount } = await tx
    .insert(issues)
    .values({ kind, subject, orderId, message })
    .onConflictDoNothing();
  if (rowCount === 1) await enqueueIssue(tx, issue);
}

/** Closes the open issues of a kind whose cause is gone: all but those about `subjects`. */
export async function closeIssues(
  tx: Db,
  { kind, except, resolution, now }: { kind: string; except: string[]; resolution: string; now: Date },
): Promise<void> {
  await tx
    .update(issues)
    .set({ resolvedAt: now, resolution })
    .where(and(eq(issues.kind, kind), isNull(issues.resolvedAt), notInArray(issues.subject, except)));
}

/** Whether an issue was ever put before the owner, closed since or not. */
export async function wasIssueRaised(
  tx: Db,
  { kind, subject }: Pick<typeof issues.$inferSelect, "kind" | "subject">,
): Promise<boolean> {
  const is = and(eq(issues.kind, kind), eq(issues.subject, subject));
  return (await tx.$count(issues, is)) > 0;
}

/** What about an order still waits for the owner; null when nothing does. */
export async function openIssuesText(db: Db, orderId: string): Promise<string | null> {
  const open = await db
    .select({ message: issues.message })
    .from(issues)
    .where(and(eq(issues.orderId, orderId), isNull(issues.resolvedAt)))
    .orderBy(issues.id);
  return open.length === 0 ? null : open.map(({ message }) => message).join("; ");
}

/** A payment that names an order which the shop does not have. */
export async function raiseMissingOrder(
  ctx: ShopContext,
  { intentId, orderId }: { intentId: string; orderId: string | null },
): Promise<void> {
  await ctx.db.transaction((tx) =>
    raiseIssue(tx, {
      kind: "missing_order",
      subject: intentId,
      orderId: null,
      message: `Payment ${intentId} names order ${orderId}, which the shop does not have`,
    }),
  );
}

/**
 * Closes an issue, as the owner decides, and lets the order ship that only it held back; `note` says why. Null: it is not there.
 * `isNew` false: it was closed before, and stays as it was.
 */
export async function resolveIssue(
  db: Database,
  { issueId, note, now }: { issueId: number; note: string | null; now: Date },
): Promise<{ kind: string; orderId: string | null; resolvedAt: Date; isNew: boolean } | null> {
  return db.transaction(async (tx) => {
    const [known] = await tx.select().from(issues).where(eq(issues.id, issueId));
    if (!known) return null;
    const { orderId, kind } = known;
    if (orderId !== null) await lockOrder(tx, orderId);
    const { rowCount } = await tx
      .update(issues)
      .set({ resolvedAt: now, resolution: note })
      .where(and(eq(issues.id, issueId), isNull(issues.resolvedAt)));
    if (orderId !== null) await updateShipHold(tx, orderId);
    const [{ resolvedAt } = known] = await tx.select().from(issues).where(eq(issues.id, issueId));
    return { kind, orderId, resolvedAt: resolvedAt ?? now, isNew: rowCount === 1 };
  });
}
