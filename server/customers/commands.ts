import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { maxCustomerTags } from "../../domain/customers/customer.ts";
import type { OrderNote } from "../../domain/orders/admin-order.ts";
import { pick } from "../../domain/shared/pick.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { readEmails } from "./read.ts";
import { lockCustomers, recomputeCustomers } from "./refresh.ts";
import { customerEmails, customerMerges, customerNotes, customers } from "./tables.ts";

type CustomerRecord = typeof customers.$inferSelect;

/** Returns the tags before and after. `conflict`: the customer is newer than `revision`; null if there is no such customer. */
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

/** Adds a note, unless it repeats the latest one. Null if there is no such customer. */
export async function addCustomerNote(
  { db, now }: ShopContext,
  { customerId, text }: { customerId: number; text: string },
): Promise<OrderNote | null> {
  return db.transaction(async (tx) => {
    if (!(await lockCustomer(tx, customerId))) return null;
    const [latestNote] = await tx
      .select()
      .from(customerNotes)
      .where(eq(customerNotes.customerId, customerId))
      .orderBy(desc(customerNotes.id))
      .limit(1);
    const [note] =
      latestNote?.text === text
        ? [latestNote]
        : await tx.insert(customerNotes).values({ customerId, text, at: now() }).returning();
    if (!note) throw new Error("the insert returned no note");
    return { id: note.id, at: note.at.toISOString(), text };
  });
}

/** False if there is no such note of this customer. */
export async function deleteCustomerNote(
  db: Db,
  { id, noteId }: { id: number; noteId: number },
): Promise<boolean> {
  const { rowCount } = await db
    .delete(customerNotes)
    .where(and(eq(customerNotes.id, noteId), eq(customerNotes.customerId, id)));
  return rowCount === 1;
}

type MergeResult = { ok: true } | { ok: false; reason: "not_found" | "same" | "too_many_tags" };

/**
 * Merges a customer into another, which gets its addresses, tags and notes, and the orders of the addresses. The moved parts are
 * recorded, so that `undoMerge` can restore them. Sums are recomputed from the orders.
 */
export async function mergeCustomers(
  { db, now, provider }: ShopContext,
  { id, otherId }: { id: number; otherId: number },
): Promise<MergeResult> {
  if (id === otherId) return { ok: false, reason: "same" };
  return db.transaction(async (tx) => {
    await lockCustomers(tx);
    const target = await lockCustomer(tx, id);
    const otherCustomer = await lockCustomer(tx, otherId);
    if (!target || !otherCustomer) return { ok: false, reason: "not_found" };
    const addedTags = otherCustomer.tags.filter((tag) => !target.tags.includes(tag));
    const tags = [...target.tags, ...addedTags].sort();
    if (tags.length > maxCustomerTags) return { ok: false, reason: "too_many_tags" };
    const movedAddresses = await tx
      .update(customerEmails)
      .set({ customerId: id })
      .where(eq(customerEmails.customerId, otherId))
      .returning({ email: customerEmails.email });
    const notes = await tx
      .update(customerNotes)
      .set({ customerId: id })
      .where(eq(customerNotes.customerId, otherId))
      .returning({ id: customerNotes.id });
    const emails = movedAddresses.map(({ email }) => email).sort();
    // Earlier merges into the other customer can still be undone.
    await tx.update(customerMerges).set({ customerId: id }).where(eq(customerMerges.customerId, otherId));
    await tx.insert(customerMerges).values({
      customerId: id,
      at: now(),
      mergedId: otherId,
      ...pick(otherCustomer, "email", "name", "tags", "imported", "importedAt"),
      emails,
      addedTags,
      noteIds: notes.map((note) => note.id),
    });
    await tx.delete(customers).where(eq(customers.id, otherId));
    await tx
      .update(customers)
      .set({ tags, revision: target.revision + 1 })
      .where(eq(customers.id, id));
    await recomputeCustomers(tx, { emails, isLive: provider.mode === "live" });
    return { ok: true };
  });
}

/**
 * Restores a merged customer with the addresses that still belong here. Null if there is no such merge, or its main address
 * belongs to another customer now.
 */
export async function undoMerge(
  { db, provider }: ShopContext,
  { id, mergeId }: { id: number; mergeId: number },
): Promise<{ restoredId: number } | null> {
  return db.transaction(async (tx) => {
    await lockCustomers(tx);
    const target = await lockCustomer(tx, id);
    const isThisMerge = and(eq(customerMerges.id, mergeId), eq(customerMerges.customerId, id));
    const [merge] = await tx.select().from(customerMerges).where(isThisMerge).for("update");
    if (!target || !merge) return null;
    const allEmails = await readEmails(tx, target);
    const emails = merge.emails.filter((email) => email !== target.email && allEmails.includes(email));
    if (!emails.includes(merge.email)) return null;
    await tx.delete(customerMerges).where(isThisMerge);
    const { mergedId, noteIds, addedTags, imported, importedAt } = merge;
    await tx
      .insert(customers)
      .values({ id: mergedId, email: merge.email, name: merge.name, tags: merge.tags, imported, importedAt });
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
      .set({ tags: target.tags.filter((tag) => !addedTags.includes(tag)), revision: target.revision + 1 })
      .where(eq(customers.id, id));
    await recomputeCustomers(tx, { emails: allEmails, isLive: provider.mode === "live" });
    return { restoredId: mergedId };
  });
}

/** Moves earlier merges of these addresses to the restored customer, and removes the addresses from the other merges. */
async function splitMerges(
  tx: Db,
  { id, mergedId, emails }: { id: number; mergedId: number; emails: string[] },
): Promise<void> {
  const movedEmails = sql`${sql.param(emails)}::text[]`;
  const matchesTarget = eq(customerMerges.customerId, id);
  await tx
    .update(customerMerges)
    .set({ customerId: mergedId })
    .where(and(matchesTarget, sql`${customerMerges.emails} <@ ${movedEmails}`));
  await tx
    .update(customerMerges)
    .set({ emails: sql`array(select e from unnest(emails) as e where e <> all(${movedEmails}))` })
    .where(and(matchesTarget, sql`${customerMerges.emails} && ${movedEmails}`));
}

export async function lockCustomer(tx: Db, id: number): Promise<CustomerRecord | undefined> {
  const [customer] = await tx.select().from(customers).where(eq(customers.id, id)).for("update");
  return customer;
}
