import {
  and,
  arrayContains,
  desc,
  eq,
  exists,
  gte,
  inArray,
  isNotNull,
  isNull,
  like,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type {
  CustomerKind,
  CustomerPage,
  CustomerRow,
  CustomerSort,
} from "../../domain/customers/customer.ts";
import { phoneSearchTerms } from "../../domain/shared/phone-search.ts";
import { pick } from "../../domain/shared/pick.ts";
import { subscribers } from "../newsletter/tables.ts";
import { orders } from "../orders/tables.ts";
import { emailOptouts } from "../outbox/tables.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { distinctValues, patternsFor, withCustomPlans } from "../platform/database/search.ts";
import { cutPage } from "../platform/http/params.ts";
import { customerChanges, customerEmails, customers } from "./tables.ts";

export type CustomerSelection = {
  sort: CustomerSort;
  kind: CustomerKind;
  tag: string | null;
  /** ISO 3166. */
  country: string | null;
  /** Part of a name, address, city or phone number; an order's number. */
  q: string | null;
  limit: number;
  /** The id of the last customer of the previous page. */
  cursor: number | null;
};

const sortColumns = { last: customers.lastOrderAt, value: customers.valueCents, orders: customers.orders };
const maxListedTags = 200;
const maxListedCountries = 300;

export const customerColumns = {
  ...pick(
    customers,
    "id",
    "name",
    "email",
    "phone",
    "city",
    "country",
    "tags",
    "orders",
    "valueCents",
    "firstOrderAt",
    "lastOrderAt",
  ),
  otherEmails: sql<number>`(select count(*)::int - 1 from ${customerEmails} where ${customerEmails.customerId} = ${customers.id})`,
};

export async function listCustomers(db: Database, selection: CustomerSelection): Promise<CustomerPage> {
  return withCustomPlans(db, async (tx) => {
    const page = await readCustomerPage(tx, selection);
    const tags = await tx.execute<{ tag: string }>(sql`
      select distinct unnest(tags) as tag from ${customers} where tags <> '{}' order by tag limit ${maxListedTags}`);
    const countries = await distinctValues(tx, sql`country`, sql`${customers}`, maxListedCountries);
    // Orders that the recurring job has not yet added to their customers.
    const pendingChanges = await tx.select({ id: customerChanges.id }).from(customerChanges).limit(1);
    return {
      ...page,
      tags: tags.rows.map(({ tag }) => tag),
      countries,
      isBuilding: pendingChanges.length > 0,
    };
  });
}

/** One page. An unknown cursor returns an empty page. */
export async function readCustomerPage(
  tx: Db,
  { sort, kind, tag, country, q, limit, cursor }: CustomerSelection,
): Promise<Pick<CustomerPage, "data" | "nextCursor">> {
  const column = sortColumns[sort];
  const rows = await tx
    .select(customerColumns)
    .from(customers)
    .where(
      and(
        kind === "returning" ? gte(customers.orders, 2) : undefined,
        kind === "newsletter" ? isSubscribed(tx) : undefined,
        tag === null ? undefined : arrayContains(customers.tags, [tag]),
        country === null ? undefined : eq(customers.country, country),
        q === null ? undefined : await matchesSearch(tx, q),
        cursor === null
          ? undefined
          : sql`(${column}, ${customers.id}) < ((select ${sql.identifier(column.name)} from ${customers} c where c.id = ${cursor}), ${cursor}::int)`,
      ),
    )
    .orderBy(desc(column), desc(customers.id))
    .limit(limit + 1);
  const { page, nextCursor } = cutPage(rows, limit, ({ id }) => String(id));
  return { data: page.map(toRow), nextCursor };
}

export function toRow(
  row: Omit<CustomerRow, "firstOrderAt" | "lastOrderAt"> & { firstOrderAt: Date | null; lastOrderAt: Date },
): CustomerRow {
  return {
    ...row,
    firstOrderAt: row.firstOrderAt?.toISOString() ?? null,
    // For a customer without orders, the column has its default value, which only serves for sorting.
    lastOrderAt: row.firstOrderAt === null ? null : row.lastOrderAt.toISOString(),
  };
}

function isSubscribed(tx: Db): SQL {
  const matchesOptOut = and(
    eq(emailOptouts.emailHash, subscribers.emailHash),
    eq(emailOptouts.kind, "newsletter"),
  );
  return inArray(
    customers.id,
    tx
      .select({ id: customerEmails.customerId })
      .from(subscribers)
      .innerJoin(customerEmails, eq(customerEmails.email, sql`lower(${subscribers.email})`))
      .leftJoin(emailOptouts, matchesOptOut)
      .where(and(isNotNull(subscribers.confirmedAt), isNull(emailOptouts.at))),
  );
}

/** A complete e-mail address matches only its customer, "#1042" only that of the order. */
async function matchesSearch(tx: Db, q: string): Promise<SQL> {
  const text = q.trim().replace(/\s+/g, " ").toLowerCase();
  const byEmail = eq(customerEmails.customerId, customers.id);
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) {
    const [match] = await tx
      .select({ id: customerEmails.customerId })
      .from(customerEmails)
      .where(eq(customerEmails.email, text));
    if (match) return eq(customers.id, match.id);
  }
  const number = /^#\s*(\d{1,9})$/.exec(text)?.[1];
  if (number !== undefined) {
    const orderRows = tx
      .select({ one: sql`1` })
      .from(customerEmails)
      .innerJoin(orders, eq(sql`lower(${orders.email})`, customerEmails.email))
      .where(and(byEmail, eq(orders.number, Number(number))));
    return exists(orderRows);
  }
  const patterns = [...patternsFor(text), ...phoneSearchTerms(text).map((digits) => `%${digits}%`)];
  return or(...patterns.map((pattern) => like(customers.search, pattern))) ?? sql`false`;
}
