import { and, asc, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { contactReference } from "../../domain/contact/contact.ts";
import { type Customer, maxCustomerListLength } from "../../domain/customers/customer.ts";
import { pick } from "../../domain/shared/pick.ts";
import { products } from "../catalog/tables.ts";
import { contactMessages } from "../contact/tables.ts";
import { findSubscribers } from "../newsletter/queries.ts";
import { followUpColumn } from "../order-desk/follow-up-column.ts";
import { orderLines, orders } from "../orders/tables.ts";
import { hashEmail } from "../outbox/optouts.ts";
import { emailOptouts } from "../outbox/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { questions } from "../questions/tables.ts";
import { refillReminders } from "../refill-reminders/tables.ts";
import { reviews } from "../reviews/tables.ts";
import { customerColumns, toRow } from "./list.ts";
import { customerEmails, customerMerges, customerNotes, customers } from "./tables.ts";

/**
 * A customer with all records of its addresses. Also found by the id of a customer merged into it. Null if there is no such
 * customer.
 */
export async function readCustomer(db: Db, id: number): Promise<Customer | null> {
  const customer = await findCustomer(db, id);
  if (customer === null) return null;
  const { refundedCents, revision, ...row } = customer;
  const emails = await readEmails(db, row);
  const isOwnOrder = inArray(sql`lower(${orders.email})`, emails);
  const [
    recentOrders,
    messages,
    writtenReviews,
    askedQuestions,
    subscriptions,
    unsubscribed,
    reminders,
    notes,
    merges,
  ] = await Promise.all([
    db
      .select({
        ...pick(orders, "id", "number", "status", "refundedCents", "createdAt"),
        items: sql<string[]>`coalesce((
            select json_agg(quantity || ' × ' || name order by position) from ${orderLines} where order_id = ${orders.id}), '[]')`,
        totalCents: orders.payableCents,
        followUp: followUpColumn,
      })
      .from(orders)
      .where(isOwnOrder)
      .orderBy(desc(orders.createdAt), desc(orders.id))
      .limit(maxCustomerListLength),
    db
      .select()
      .from(contactMessages)
      .where(inArray(sql`lower(${contactMessages.email})`, emails))
      .orderBy(desc(contactMessages.number))
      .limit(maxCustomerListLength),
    db
      .select({
        ...pick(reviews, "id", "rating", "comment", "status", "createdAt"),
        productName: products.name,
      })
      .from(reviews)
      .innerJoin(products, eq(products.id, reviews.productId))
      .where(inArray(reviews.orderId, db.select({ id: orders.id }).from(orders).where(isOwnOrder)))
      .orderBy(desc(reviews.id))
      .limit(maxCustomerListLength),
    db
      .select({
        id: questions.id,
        productName: products.name,
        question: questions.question,
        status: questions.status,
        askedAt: questions.createdAt,
      })
      .from(questions)
      .innerJoin(products, eq(products.id, questions.productId))
      .where(inArray(sql`lower(${questions.email})`, emails))
      .orderBy(desc(questions.id))
      .limit(maxCustomerListLength),
    findSubscribers(db, emails),
    readOptOuts(db, emails),
    db
      .select({ orderId: orders.id, number: orders.number, askedAt: refillReminders.askedAt })
      .from(refillReminders)
      .innerJoin(orders, eq(orders.id, refillReminders.orderId))
      .where(isOwnOrder)
      .orderBy(desc(refillReminders.askedAt))
      .limit(maxCustomerListLength),
    db
      .select({ id: customerNotes.id, at: customerNotes.at, text: customerNotes.text })
      .from(customerNotes)
      .where(eq(customerNotes.customerId, row.id))
      .orderBy(desc(customerNotes.id)),
    db
      .select(pick(customerMerges, "id", "at", "name", "emails"))
      .from(customerMerges)
      .where(eq(customerMerges.customerId, row.id))
      .orderBy(desc(customerMerges.id)),
  ]);
  return {
    ...toRow(row),
    emails,
    refundedCents,
    revision,
    recentOrders: recentOrders.map((order) => ({ ...order, createdAt: order.createdAt.toISOString() })),
    messages: messages.map(({ id, number, subject, message, status, createdAt }) => ({
      id,
      reference: contactReference(number),
      subject,
      message,
      status,
      createdAt: createdAt.toISOString(),
    })),
    reviews: writtenReviews.map((review) => ({ ...review, createdAt: review.createdAt.toISOString() })),
    questions: askedQuestions.map((question) => ({ ...question, askedAt: question.askedAt.toISOString() })),
    subscriptions,
    unsubscribed,
    refillReminders: reminders.map((reminder) => ({ ...reminder, askedAt: reminder.askedAt.toISOString() })),
    notes: notes.map((note) => ({ ...note, at: note.at.toISOString() })),
    merges: merges.map((merge) => ({ ...merge, at: merge.at.toISOString() })),
  };
}

async function findCustomer(db: Db, id: number) {
  const find = async (id: number) => {
    const [row] = await db
      .select({ ...customerColumns, refundedCents: customers.refundedCents, revision: customers.revision })
      .from(customers)
      .where(eq(customers.id, id));
    return row ?? null;
  };
  const customer = await find(id);
  if (customer !== null) return customer;
  const [merge] = await db
    .select({ into: customerMerges.customerId })
    .from(customerMerges)
    .where(eq(customerMerges.mergedId, id));
  return merge ? find(merge.into) : null;
}

/** A customer's addresses, the main one first. */
export async function readEmails(db: Db, { id, email }: { id: number; email: string }): Promise<string[]> {
  const rows = await db
    .select({ email: customerEmails.email })
    .from(customerEmails)
    .where(eq(customerEmails.customerId, id))
    .orderBy(asc(customerEmails.email));
  return [email, ...rows.map((row) => row.email).filter((other) => other !== email)];
}

async function readOptOuts(db: Db, emails: string[]): Promise<Customer["unsubscribed"]> {
  const hashes = emails.map((email) => hashEmail(email));
  const byHash = new Map(hashes.map((hash, index) => [hash.toString("hex"), emails[index]]));
  const rows = await db
    .select()
    .from(emailOptouts)
    .where(and(inArray(emailOptouts.emailHash, hashes), isNotNull(emailOptouts.at)))
    .orderBy(desc(emailOptouts.at));
  return rows.map(({ emailHash, kind, at }) => ({
    email: byHash.get(emailHash.toString("hex")) ?? "",
    kind,
    at: at.toISOString(),
  }));
}

/** The customer with this address; null if the address has no paid order. */
export async function findCustomerByEmail(db: Db, email: string) {
  const { id, name, orders, valueCents } = customers;
  const [customer] = await db
    .select({ id, email: customers.email, name, orders, valueCents })
    .from(customerEmails)
    .innerJoin(customers, eq(customers.id, customerEmails.customerId))
    .where(eq(customerEmails.email, email.toLowerCase()));
  return customer ?? null;
}
