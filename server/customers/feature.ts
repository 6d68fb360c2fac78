import { and, arrayOverlaps, eq, isNotNull, lte, ne, sql } from "drizzle-orm";
import * as v from "valibot";
import { eraseCustomerSchema, erasureSchema } from "../../domain/customers/customer.ts";
import { eraseActivity } from "../admin/activity.ts";
import { accepted, dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { idParams } from "../platform/http/params.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import { requestDeletion } from "../privacy/deletion.ts";
import { exportPerson, personalDataSchema } from "../privacy/export.ts";
import { customersApi } from "./api.ts";
import { purgeImportedCustomers } from "./import.ts";
import { readCustomer, readEmails } from "./read.ts";
import { lockCustomers, recomputeCustomers, refreshCustomersTask } from "./refresh.ts";
import { customerChanges, customerEmails, customerMerges, customerNotes, customers } from "./tables.ts";

const shared = { tag: "Customers", access: "admin" } as const;

/** Exports and erasures that customers request by phone or letter. */
const customerPrivacyApi = [
  route("GET /api/admin/customers/:id/data", {
    ...shared,
    summary: "All data stored about a customer, one document per address",
    downloads: true,
    confirm: "A customer’s data is downloaded",
    params: idParams,
    response: dataEnvelope(v.array(personalDataSchema)),
    responses: {
      200: "For each address, the same as `POST /api/account/export/use`",
      404: "There is no such customer",
    },
    handle: async (ctx, { params: { id }, log }) => {
      const customer = await readCustomer(ctx.db, id);
      if (customer === null) return notFoundProblem("customer");
      const data = [];
      for (const email of customer.emails) data.push(await exportPerson(ctx, ctx.db, email));
      log(`Personal data of customer ${id} downloaded`);
      return ok(data);
    },
  }),
  route("POST /api/admin/customers/:id/erase", {
    ...shared,
    summary: "Delete the data stored about a customer; orders keep their amounts",
    confirm: "A customer’s data is deleted",
    params: idParams,
    body: eraseCustomerSchema,
    response: dataEnvelope(erasureSchema),
    responses: {
      202: "The deletion is queued. `{kept: [{number, because}]}`: orders that still need their buyer’s data, and why",
      404: "There is no such customer",
      422: "`email` is not the customer’s main address",
    },
    handle: async (ctx, { params: { id }, body, log }) => {
      const customer = await readCustomer(ctx.db, id);
      if (customer === null) return notFoundProblem("customer");
      if (body.email.toLowerCase() !== customer.email) {
        const message = "This is not the customer’s email address.";
        return problem("validation_failed", message, { fields: { email: message } });
      }
      const keptOrders = await ctx.db.transaction(async (tx) => {
        const ordersToKeep = [];
        for (const email of await readEmails(tx, customer))
          ordersToKeep.push(...(await requestDeletion(ctx, tx, email)));
        return ordersToKeep;
      });
      log(`Deletion of customer ${id} requested`);
      return accepted({ kept: keptOrders });
    },
  }),
];

/** Customers, computed from orders: the list, and a page for each. */
export const customersFeature = {
  api: [...customersApi, ...customerPrivacyApi],
  cron: (ctx) => [refreshCustomersTask(ctx)],
  purges: [purgeImportedCustomers],
  personalData: {
    knownAddress: findImportedAddress,
    lists: { customer: exportCustomer },
    erase: eraseCustomer,
  },
} satisfies Feature;

/** The address of an imported customer, who may have no orders. */
async function findImportedAddress(db: Db, email: string): Promise<string | null> {
  const [row] = await db
    .select({ email: customerEmails.email })
    .from(customerEmails)
    .innerJoin(customers, eq(customers.id, customerEmails.customerId))
    .where(and(eq(customerEmails.email, email), isNotNull(customers.imported)));
  return row?.email ?? null;
}

/** Tags, notes and imported details of the customer with this address (in lower case). */
async function exportCustomer(db: Db, { email }: Person) {
  const { id, tags, imported, importedAt } = customers;
  const rows = await db
    .select({ id, tags, imported, importedAt })
    .from(customerEmails)
    .innerJoin(customers, eq(customers.id, customerEmails.customerId))
    .where(eq(customerEmails.email, email));
  const result = [];
  for (const { id, ...record } of rows) {
    const notes = await db
      .select({ text: customerNotes.text, at: customerNotes.at })
      .from(customerNotes)
      .where(eq(customerNotes.customerId, id))
      .orderBy(customerNotes.id);
    result.push({ ...record, notes });
  }
  return result;
}

/**
 * Deletes the customer's tags, and notes up to a time, and recomputes the customer without the orders that this transaction has
 * erased. An address without orders is removed, too.
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
  const merges = await tx
    .select({ mergedId: customerMerges.mergedId })
    .from(customerMerges)
    .where(eq(customerMerges.customerId, id));
  await tx
    .delete(customerMerges)
    .where(and(eq(customerMerges.customerId, id), arrayOverlaps(customerMerges.emails, [email])));
  await eraseActivity(
    tx,
    [id, ...merges.map(({ mergedId }) => mergedId)].map((customerId) => `customer:${customerId}`),
  );
  await tx
    .update(customers)
    .set({ tags: [], name: "", imported: null, importedAt: null, revision: sql`revision + 1` })
    .where(eq(customers.id, id));
  const { rowCount: orderCount } = await tx.execute(
    sql`select 1 from orders where lower(email) = ${email} and paid_at is not null and erased_at is null limit 1`,
  );
  const otherAddresses = await tx
    .select({ email: customerEmails.email })
    .from(customerEmails)
    .where(and(eq(customerEmails.customerId, id), ne(customerEmails.email, email)))
    .orderBy(customerEmails.email);
  const [nextAddress] = otherAddresses;
  if (!orderCount && nextAddress) {
    await tx.delete(customerEmails).where(eq(customerEmails.email, email));
    if (customer.main === email)
      await tx.update(customers).set({ email: nextAddress.email }).where(eq(customers.id, id));
  }
  await recomputeCustomers(tx, {
    emails: [email, ...otherAddresses.map((address) => address.email)],
    isLive: provider.mode === "live",
  });
  // Even if later notes keep the customer, the address must go.
  if (!orderCount && !nextAddress) await tx.delete(customers).where(eq(customers.id, id));
}
