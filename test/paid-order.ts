import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { products } from "../server/catalog/tables.ts";
import { orderLines, orders } from "../server/orders/tables.ts";
import type { Db } from "../server/platform/database/database.ts";
import { visitors } from "../server/visitors/tables.ts";

/** Inserts a paid order of one bottle, $35.90, directly into the tables; returns its id. */
export async function insertPaidOrder(
  db: Db,
  changes: Partial<typeof orders.$inferInsert> = {},
): Promise<string> {
  const visitorId = randomUUID();
  const orderId = randomUUID();
  await db.insert(products).values(bottle).onConflictDoNothing({ target: products.id });
  await db.insert(visitors).values({ id: visitorId, tokenHash: Buffer.from(visitorId) });
  await db.insert(orders).values({
    id: orderId,
    visitorId,
    status: "completed",
    currency: "USD",
    email: "ada@example.com",
    customerName: "Ada Obi",
    shippingAddress: "1 Main St, Austin, TX 78701, United States",
    shipping: {
      line1: "1 Main St",
      line2: null,
      city: "Austin",
      state: "TX",
      postalCode: "78701",
      country: "US",
    },
    shippingOptionId: "us-standard",
    shippingOptionName: "Standard",
    subtotalCents: 2995,
    discountCents: 0,
    shippingCents: 595,
    taxCents: 0,
    totalCents: 3590,
    givingPercent: 20,
    requestHash: Buffer.alloc(32),
    expiresAt: sql`now()`,
    paidAt: sql`now()`,
    ...changes,
  } as typeof orders.$inferInsert);
  await db.insert(orderLines).values({
    orderId,
    position: 0,
    productId: bottle.id,
    name: bottle.name,
    quantity: 1,
    unitPriceCents: 2995,
    discountCents: 0,
    taxCents: 0,
  });
  return orderId;
}

const bottle = {
  id: 1,
  slug: "pure-batana-oil",
  name: "Pure Batana Oil",
  shortDescription: "Batana oil",
  description: "Batana oil",
  priceCents: 2995,
  size: "2 fl oz / 60 ml",
};
