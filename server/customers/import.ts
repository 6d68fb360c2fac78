import { and, eq, lt, notExists, sql } from "drizzle-orm";
import { maxCustomerTags } from "../../domain/customers/customer.ts";
import { importedCustomerYears } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import { orders } from "../orders/tables.ts";
import { findOptoutReason } from "../outbox/optouts.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { lockCustomer } from "./commands.ts";
import { lockCustomers, recomputeCustomers } from "./refresh.ts";
import { customerEmails, customerMerges, customerNotes, customers, type ImportedDetails } from "./tables.ts";

type Context = Omit<ShopContext, "db"> & { db: Db };
/** `note`: empty if there is none. */
type CustomerToImport = { email: string; details: ImportedDetails; tags: string[]; note: string };
/** The values that an import replaced, for its undo; `before` is null if there was no such customer. */
export type CustomerImport = {
  id: number;
  revision: number;
  before: FormerValues | null;
  noteId: number | null;
};
type FormerValues = {
  name: string;
  tags: string[];
  imported: ImportedDetails | null;
  importedAt: string | null;
};

/**
 * Adds a customer, or details, tags and a note to the one with this address. `import` is null if nothing was new; `newDetails`:
 * the details that were added. The caller holds `lockCustomers`.
 */
export async function importCustomer(
  { db: tx, now, provider }: Context,
  { email, details, tags, note }: CustomerToImport,
): Promise<{ import: CustomerImport | null; newDetails: ImportedDetails } | "too_many_tags" | "erased"> {
  const address = email.toLowerCase();
  // Erasure is stored with the opt-out that it writes. It ends when the person signs up for the newsletter again.
  if ((await findOptoutReason(tx, address, "newsletter")) === "erased") return "erased";
  const [addressRow] = await tx
    .select({ id: customerEmails.customerId })
    .from(customerEmails)
    .where(eq(customerEmails.email, address));
  const customer = addressRow && (await lockCustomer(tx, addressRow.id));
  const allTags = [...new Set([...(customer?.tags ?? []), ...tags])].sort();
  if (allTags.length > maxCustomerTags) return "too_many_tags";
  const newDetails = customer ? missingDetails(customer, details) : details;
  const hasNote = customer ? await hasNoteWithText(tx, customer.id, note) : note === "";
  if (customer && Object.keys(newDetails).length === 0 && hasNote && allTags.length === customer.tags.length)
    return { import: null, newDetails };

  const isImported = customer === undefined || Object.keys(newDetails).length > 0;
  const values = {
    tags: allTags,
    ...(isImported && {
      imported: { ...customer?.imported, ...newDetails },
      importedAt: customer?.importedAt ?? now(),
    }),
    revision: (customer?.revision ?? 0) + 1,
  };
  const id = customer?.id ?? (await addCustomer(tx, address));
  await tx.update(customers).set(values).where(eq(customers.id, id));
  const [newNote] = hasNote
    ? []
    : await tx
        .insert(customerNotes)
        .values({ customerId: id, text: note, at: now() })
        .returning({ id: customerNotes.id });
  await recomputeCustomers(tx, { emails: [address], isLive: provider.mode === "live" });
  const before = customer
    ? {
        name: customer.name,
        tags: customer.tags,
        imported: customer.imported,
        importedAt: customer.importedAt?.toISOString() ?? null,
      }
    : null;
  return { import: { id, revision: values.revision, before, noteId: newNote?.id ?? null }, newDetails };
}

/**
 * Undoes an import. The customer is deleted too, unless an order, a note or an earlier import needs it. Returns a message if
 * it was changed since.
 */
export async function undoCustomerImport(
  { db: tx, provider }: Context,
  { id, revision, before, noteId }: CustomerImport,
): Promise<string | null> {
  await lockCustomers(tx);
  const customer = await lockCustomer(tx, id);
  if (!customer) return "It was deleted or merged since.";
  if (customer.revision !== revision) return "It was changed since.";
  if (noteId !== null) await tx.delete(customerNotes).where(eq(customerNotes.id, noteId));
  const formerValues = {
    name: before?.name ?? "",
    tags: before?.tags ?? [],
    imported: before?.imported ?? null,
    importedAt: before?.importedAt ? new Date(before.importedAt) : null,
  };
  await tx
    .update(customers)
    .set({ ...formerValues, revision: revision + 1 })
    .where(eq(customers.id, id));
  await recomputeCustomers(tx, { emails: [customer.email], isLive: provider.mode === "live" });
  return null;
}

/** Deletes imported customers who have bought nothing since, with tags and notes, and the imported details stored in merges. */
export async function purgeImportedCustomers({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now());
  before.setUTCFullYear(before.getUTCFullYear() - importedCustomerYears);
  // A purchase of the last minute may not be counted in `orders` yet.
  const hasOrders = db
    .select({ one: sql`1` })
    .from(customerEmails)
    .innerJoin(orders, eq(sql`lower(${orders.email})`, customerEmails.email))
    .where(eq(customerEmails.customerId, customers.id));
  await deleteInBatches(
    db,
    customers,
    and(eq(customers.orders, 0), lt(customers.importedAt, before), notExists(hasOrders)),
  );
  await db
    .update(customerMerges)
    .set({ imported: null, importedAt: null })
    .where(lt(customerMerges.importedAt, before));
}

/** The imported details that a customer lacks. Details from a buyer's orders are not replaced. */
function missingDetails(customer: typeof customers.$inferSelect, details: ImportedDetails): ImportedDetails {
  const isMissing = (field: keyof ImportedDetails) => {
    const [current, imported, value] = [customer[field], customer.imported?.[field], details[field]];
    return (
      current !== value && imported !== value && (customer.orders === 0 || !current || current === imported)
    );
  };
  return Object.fromEntries(
    Object.entries(details).filter(([field]) => isMissing(field as keyof ImportedDetails)),
  );
}

async function addCustomer(tx: Db, email: string): Promise<number> {
  const [customer] = await tx.insert(customers).values({ email }).returning({ id: customers.id });
  if (!customer) throw new Error("a customer was written without its id");
  await tx.insert(customerEmails).values({ email, customerId: customer.id });
  return customer.id;
}

async function hasNoteWithText(tx: Db, customerId: number, text: string): Promise<boolean> {
  if (text === "") return true;
  const isNote = and(eq(customerNotes.customerId, customerId), eq(customerNotes.text, text));
  return (await tx.$count(customerNotes, isNote)) > 0;
}
