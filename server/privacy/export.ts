import * as v from "valibot";
import { exportInvoices } from "../books/personal-data.ts";
import { exportCarts } from "../cart/personal-data.ts";
import { exportReminders } from "../checkout/personal-data.ts";
import { exportContactMessages } from "../contact/personal-data.ts";
import type { ShopContext } from "../context.ts";
import { exportCustomer } from "../customers/personal-data.ts";
import { exportDrafts } from "../drafts/personal-data.ts";
import { exportSubscriptions } from "../newsletter/personal-data.ts";
import { redeemLookup } from "../orders/lookup.ts";
import { exportLookups, exportOrders, ordersWithAddress } from "../orders/personal-data.ts";
import { exportMessages, exportOptouts } from "../outbox/personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { exportQuestions } from "../questions/personal-data.ts";
import { exportRefillReminders } from "../refill-reminders/personal-data.ts";
import { exportReviews, exportVotes } from "../reviews/personal-data.ts";
import { exportStockAlerts } from "../stock-alerts/personal-data.ts";

/** Most entries of each list. Nobody buys or writes as often as that. */
const entriesMax = 1_000;

const listSchema = v.array(v.record(v.string(), v.unknown()));

/** What the shop stores about an address. Version 1; its parts are in docs/decisions/0026-personal-data.md. */
export const personalDataSchema = v.object({
  format: v.string(),
  version: v.number(),
  email: v.string(),
  madeAt: v.string(),
  /** False where a list was cut off. */
  isComplete: v.boolean(),
  orders: listSchema,
  invoices: listSchema,
  reviews: listSchema,
  helpfulVotes: listSchema,
  questions: listSchema,
  contactMessages: listSchema,
  emails: listSchema,
  carts: listSchema,
  cartReminders: listSchema,
  refillReminders: listSchema,
  stockAlerts: listSchema,
  drafts: listSchema,
  newsletter: listSchema,
  customer: listSchema,
  links: listSchema,
  unsubscribedFrom: v.array(v.unknown()),
});
type PersonalData = v.InferOutput<typeof personalDataSchema>;

/** Uses a link up and answers all that is stored about its address; null for a link that is spent or old. */
export async function redeemExportLink(
  { db, now: clock }: ShopContext,
  { token }: { token: string },
): Promise<PersonalData | null> {
  const now = clock();
  return db.transaction(async (tx) => {
    const email = await redeemLookup(tx, { token, purpose: "export", now });
    return email === null ? null : exportPerson(tx, email, now);
  });
}

/** The same data gives the same text: keys and entries have a fixed order. */
export async function exportPerson(db: Db, address: string, now: Date): Promise<PersonalData> {
  const email = address.toLowerCase();
  const { orderIds, visitorIds } = await ordersWithAddress(db, { email, until: now, limit: entriesMax });
  const lists = {
    orders: await exportOrders(db, orderIds),
    invoices: await exportInvoices(db, orderIds),
    reviews: await exportReviews(db, { orderIds, visitorIds }, entriesMax),
    questions: await exportQuestions(db, { email, visitorIds }, entriesMax),
    helpfulVotes: await exportVotes(db, visitorIds, entriesMax),
    contactMessages: await exportContactMessages(db, email, entriesMax),
    emails: await exportMessages(db, email, entriesMax),
    carts: await exportCarts(db, visitorIds, entriesMax),
    cartReminders: await exportReminders(db, email, entriesMax),
    refillReminders: await exportRefillReminders(db, orderIds, entriesMax),
    stockAlerts: await exportStockAlerts(db, email, entriesMax),
    drafts: await exportDrafts(db, email, entriesMax),
    newsletter: await exportSubscriptions(db, email),
    customer: await exportCustomer(db, email),
    links: await exportLookups(db, email),
    unsubscribedFrom: await exportOptouts(db, email),
  };
  const isComplete = Object.values(lists).every(({ length }) => length < entriesMax);
  return {
    format: "palmira-personal-data",
    version: 1,
    email: address,
    madeAt: now.toISOString(),
    isComplete,
    ...lists,
  };
}
