import { and, arrayOverlaps, eq, lte, ne, sql } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { customersApi } from "./api.ts";
import { customerPrivacyApi } from "./privacy-api.ts";
import { lockCustomers, recomputeCustomers, refreshCustomersTask } from "./refresh.ts";
import { customerChanges, customerEmails, customerMerges, customerNotes, customers } from "./tables.ts";

/** Customers, computed from orders: the list, and a page for each. */
export const customersFeature = {
  api: [...customersApi, ...customerPrivacyApi],
  cron: (ctx) => [refreshCustomersTask(ctx)],
  personalData: { lists: { customer: exportCustomer }, erase: eraseCustomer },
} satisfies Feature;

/** Tags and notes of the customer with this address (in lower case). */
async function exportCustomer(db: Db, { email }: Person) {
  const rows = await db
    .select({ id: customers.id, tags: customers.tags })
    .from(customerEmails)
    .innerJoin(customers, eq(customers.id, customerEmails.customerId))
    .where(eq(customerEmails.email, email));
  const result = [];
  for (const { id, tags } of rows) {
    const notes = await db
      .select({ text: customerNotes.text, at: customerNotes.at })
      .from(customerNotes)
      .where(eq(customerNotes.customerId, id))
      .orderBy(customerNotes.id);
    result.push({ tags, notes });
  }
  return result;
}

/**
 * Deletes the customer's tags, and notes written until a time, and recomputes the customer without the orders that this
 * transaction has erased. An address without orders is removed, too.
 */
async function eraseCustomer(
  tx: Db,
  { email, until }: PersonToErase,
  { provider }: ShopContext,
): Promise<void> {
  await lockCustomers(tx);
  await tx.delete(customerChanges).where(eq(customerChanges.email, email));
  const [customer] = await tx
    .select({ id: customers.id, main: customers.email })
    .from(customerEmails)
    .innerJoin(customers, eq(customers.id, customerEmails.customerId))
    .where(eq(customerEmails.email, email))
    .for("update");
  if (!customer) return;
  const { id } = customer;
  await tx.delete(customerNotes).where(and(eq(customerNotes.customerId, id), lte(customerNotes.at, until)));
  await tx
    .delete(customerMerges)
    .where(and(eq(customerMerges.customerId, id), arrayOverlaps(customerMerges.emails, [email])));
  await tx
    .update(customers)
    .set({ tags: [], name: "", revision: sql`revision + 1` })
    .where(eq(customers.id, id));
  const { rowCount: isStillNeeded } = await tx.execute(
    sql`select 1 from orders where lower(email) = ${email} and paid_at is not null and erased_at is null limit 1`,
  );
  const others = await tx
    .select({ email: customerEmails.email })
    .from(customerEmails)
    .where(and(eq(customerEmails.customerId, id), ne(customerEmails.email, email)))
    .orderBy(customerEmails.email);
  const [next] = others;
  if (!isStillNeeded && next) {
    await tx.delete(customerEmails).where(eq(customerEmails.email, email));
    if (customer.main === email)
      await tx.update(customers).set({ email: next.email }).where(eq(customers.id, id));
  }
  await recomputeCustomers(tx, {
    emails: [email, ...others.map((other) => other.email)],
    isLive: provider.mode === "live",
  });
  // Even if later notes keep the customer, the address must go.
  if (!isStillNeeded && !next) await tx.delete(customers).where(eq(customers.id, id));
}
