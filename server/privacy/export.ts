import * as v from "valibot";
import type { ShopContext } from "../context.ts";
import type { ExportList } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { buyerOf } from "./person.ts";

/** Maximum number of entries of each list; more than any real buyer has. */
const entriesMax = 1_000;

const listSchema = v.array(v.record(v.string(), v.unknown()));

/**
 * All personal data that the shop stores about an e-mail address. Version 1, described in
 * docs/decisions/0026-personal-data.md.
 */
export const personalDataSchema = v.object({
  format: v.string(),
  version: v.number(),
  email: v.string(),
  madeAt: v.string(),
  /** False if a list was cut off. */
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
  newsletters: listSchema,
  customer: listSchema,
  links: listSchema,
  unsubscribedFrom: v.array(v.unknown()),
});
type PersonalData = v.InferOutput<typeof personalDataSchema>;

/** The same data gives the same text: keys and entries have a fixed order. */
export async function exportPerson(ctx: ShopContext, db: Db, address: string): Promise<PersonalData> {
  const now = ctx.now();
  const email = address.toLowerCase();
  const person = { email, ...(await buyerOf(ctx).find(db, { email, until: now, limit: entriesMax })) };
  const listOf = async (name: ExportList) => {
    const read = ctx.personalData.find(({ lists }) => lists?.[name])?.lists?.[name];
    if (!read) throw new Error(`no feature gives the list ${name} of personal data`);
    return read(db, person, entriesMax, ctx);
  };
  const lists = {
    orders: await listOf("orders"),
    invoices: await listOf("invoices"),
    reviews: await listOf("reviews"),
    questions: await listOf("questions"),
    helpfulVotes: await listOf("helpfulVotes"),
    contactMessages: await listOf("contactMessages"),
    emails: await listOf("emails"),
    carts: await listOf("carts"),
    cartReminders: await listOf("cartReminders"),
    refillReminders: await listOf("refillReminders"),
    stockAlerts: await listOf("stockAlerts"),
    drafts: await listOf("drafts"),
    newsletter: await listOf("newsletter"),
    newsletters: await listOf("newsletters"),
    customer: await listOf("customer"),
    links: await listOf("links"),
  };
  const unsubscribedFrom: string[] = [];
  for (const { optouts } of ctx.personalData) unsubscribedFrom.push(...((await optouts?.(db, email)) ?? []));
  const isComplete = Object.values(lists).every(({ length }) => length < entriesMax);
  return {
    format: "palmira-personal-data",
    version: 1,
    email: address,
    madeAt: now.toISOString(),
    isComplete,
    ...lists,
    unsubscribedFrom,
  };
}
