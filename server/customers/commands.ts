import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { customerTagsMax } from "../../domain/customers/customer.ts";
import type { OrderNote } from "../../domain/orders/admin-order.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { emailsOf } from "./read.ts";
import { lockCustomers, workOut } from "./refresh.ts";
import { customerEmails, customerMerges, customerNotes, customers } from "./tables.ts";

type CustomerRecord = typeof customers.$inferSelect;

/** Answers what it was and is; `conflict`: somebody changed it since this revision; null: there is no such customer. */
export async function setTags(
  db: Db,
  { id, tags, revision }: { id: number; tags: string[]; revision: number },
): Promise<{ before: string[]; after: string[] } | "conflict" | null> {
  return db.transaction(async (tx) => {
    const customer = await lockCustomer(tx, id);
    if (!customer) return null;
    const isSame = customer.tags.join() === tags.join();
    if (!isSame && customer.revision !== revision) return "conflict";
    if (!isSame)
      await tx
        .update(customers)
        .set({ tags, revision: revision + 1 })
        .where(eq(customers.id, id));
    return { before: customer.tags, after: tags };
  });
}

/** Adds what the owner writes down, once where a click came twice. Null: there is no such customer. */
export async function addCustomerNote(
  { db, now }: ShopContext,
  { customerId, text }: { customerId: number; text: string },
): Promise<OrderNote | null> {
  return db.transaction(async (tx) => {
    if (!(await lockCustomer(tx, customerId))) return null;
    const [latest] = await tx
      .select()
      .from(customerNotes)
      .where(eq(customerNotes.customerId, customerId))
      .orderBy(desc(customerNotes.id))
      .limit(1);
    const [note] =
      latest?.text === text
        ? [latest]
        : await tx.insert(customerNotes).values({ customerId, text, at: now() }).returning();
    if (!note) throw new Error("a note was not written");
    return { id: note.id, at: note.at.toISOString(), text };
  });
}

/** False: there is no such note of this customer. */
export async function deleteCustomerNote(
  db: Db,
  { id, noteId }: { id: number; noteId: number },
): Promise<boolean> {
  const { rowCount } = await db
    .delete(customerNotes)
    .where(and(eq(customerNotes.id, noteId), eq(customerNotes.customerId, id)));
  return rowCount === 1;
}

type Merged = { ok: true } | { ok: false; reason: "not_found" | "same" | "too_many_tags" };

/**
 * Makes one customer part of another: its addresses, tags and notes move, so that its orders do. What moved is kept, and
 * `undoMerge` takes it apart again. Sums are worked out of the orders anew and never change together.
 */
export async function mergeCustomers(
  { db, now, provider }: ShopContext,
  { id, otherId }: { id: number; otherId: number },
): Promise<Merged> {
  if (id === otherId) return { ok: false, reason: "same" };
  return db.transaction(async (tx) => {
    await lockCustomers(tx);
    const kept = await lockCustomer(tx, id);
    const other = await lockCustomer(tx, otherId);
    if (!kept || !other) return { ok: false, reason: "not_found" };
    const addedTags = other.tags.filter((tag) => !kept.tags.includes(tag));
    const tags = [...kept.tags, ...addedTags].sort();
    if (tags.length > customerTagsMax) return { ok: false, reason: "too_many_tags" };
    const moved = await tx
      .update(customerEmails)
      .set({ customerId: id })
      .where(eq(customerEmails.customerId, otherId))
      .returning({ email: customerEmails.email });
    const notes = await tx
      .update(customerNotes)
      .set({ customerId: id })
      .where(eq(customerNotes.customerId, otherId))
      .returning({ id: customerNotes.id });
    const emails = moved.map(({ email }) => email).sort();
    // What had been merged into the other one can still be taken out again.
    await tx.update(customerMerges).set({ customerId: id }).where(eq(customerMerges.customerId, otherId));
    await tx.insert(customerMerges).values({
      customerId: id,
      at: now(),
      mergedId: otherId,
      email: other.email,
      name: other.name,
      emails,
      tags: other.tags,
      addedTags,
      noteIds: notes.map((note) => note.id),
    });
    await tx.delete(customers).where(eq(customers.id, otherId));
    await tx
      .update(customers)
      .set({ tags, revision: kept.revision + 1 })
      .where(eq(customers.id, id));
    await workOut(tx, { emails, isLive: provider.mode === "live" });
    return { ok: true };
  });
}

/**
 * Takes apart what a merge put together, as far as it is still together. Null: there is no such merge, or its main address
 * belongs to somebody else by now.
 */
export async function undoMerge(
  { db, provider }: ShopContext,
  { id, mergeId }: { id: number; mergeId: number },
): Promise<{ restoredId: number } | null> {
  return db.transaction(async (tx) => {
    await lockCustomers(tx);
    const kept = await lockCustomer(tx, id);
    const isOurs = and(eq(customerMerges.id, mergeId), eq(customerMerges.customerId, id));
    const [merge] = await tx.select().from(customerMerges).where(isOurs).for("update");
    if (!kept || !merge) return null;
    const together = await emailsOf(tx, kept);
    const emails = merge.emails.filter((email) => email !== kept.email && together.includes(email));
    if (!emails.includes(merge.email)) return null;
    await tx.delete(customerMerges).where(isOurs);
    const { mergedId, noteIds, addedTags } = merge;
    await tx
      .insert(customers)
      .values({ id: mergedId, email: merge.email, name: merge.name, tags: merge.tags });
    await tx
      .update(customerEmails)
      .set({ customerId: mergedId })
      .where(inArray(customerEmails.email, emails));
    await tx
      .update(customerNotes)
      .set({ customerId: mergedId })
      .where(and(eq(customerNotes.customerId, id), inArray(customerNotes.id, noteIds)));
    await splitMerges(tx, { id, mergedId, emails });
    await tx
      .update(customers)
      .set({ tags: kept.tags.filter((tag) => !addedTags.includes(tag)), revision: kept.revision + 1 })
      .where(eq(customers.id, id));
    await workOut(tx, { emails: together, isLive: provider.mode === "live" });
    return { restoredId: mergedId };
  });
}

/** Earlier merges of addresses that leave go with them; others no longer name these addresses. */
async function splitMerges(
  tx: Db,
  { id, mergedId, emails }: { id: number; mergedId: number; emails: string[] },
): Promise<void> {
  const gone = sql`${sql.param(emails)}::text[]`;
  const ofKept = eq(customerMerges.customerId, id);
  await tx
    .update(customerMerges)
    .set({ customerId: mergedId })
    .where(and(ofKept, sql`${customerMerges.emails} <@ ${gone}`));
  await tx
    .update(customerMerges)
    .set({ emails: sql`array(select e from unnest(emails) as e where e <> all(${gone}))` })
    .where(and(ofKept, sql`${customerMerges.emails} && ${gone}`));
}

async function lockCustomer(tx: Db, id: number): Promise<CustomerRecord | undefined> {
  const [customer] = await tx.select().from(customers).where(eq(customers.id, id)).for("update");
  return customer;
}
