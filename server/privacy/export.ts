import * as v from "valibot";
import type { ShopContext } from "../context.ts";
import type { ExportList } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { buyerHooks } from "./person.ts";

/** Maximum number of entries of each list; more than any real buyer has. */
const maxEntries = 1_000;

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

/** Keys and entries have a fixed order, so that the same data gives the same text. */
export async function exportPerson(ctx: ShopContext, db: Db, address: string): Promise<PersonalData> {
  const now = ctx.now();
  const email = address.toLowerCase();
  const person = { email, ...(await buyerHooks(ctx).find(db, { email, until: now, limit: maxEntries })) };
  const readList = async (name: ExportList) => {
    const read = ctx.personalData.find(({ lists }) => lists?.[name])?.lists?.[name];
    if (!read) throw new Error(`no feature gives the list ${name} of personal data`);
    return read(db, person, maxEntries, ctx);
  };
  const lists = {
    orders: await readList("orders"),
    invoices: await readList("invoices"),
    reviews: await readList("reviews"),
    questions: await readList("questions"),
    helpfulVotes: await readList("helpfulVotes"),
    contactMessages: await readList("contactMessages"),
    emails: await readList("emails"),
    carts: await readList("carts"),
    cartReminders: await readList("cartReminders"),
    refillReminders: await readList("refillReminders"),
    stockAlerts: await readList("stockAlerts"),
    drafts: await readList("drafts"),
    newsletter: await readList("newsletter"),
    newsletters: await readList("newsletters"),
    customer: await readList("customer"),
    links: await readList("links"),
  };
  const unsubscribedFrom: string[] = [];
  for (const { optouts } of ctx.personalData) unsubscribedFrom.push(...((await optouts?.(db, email)) ?? []));
  const isComplete = Object.values(lists).every(({ length }) => length < maxEntries);
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
