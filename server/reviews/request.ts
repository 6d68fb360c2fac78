import { and, eq, exists, inArray, isNotNull, isNull, notExists, or, sql } from "drizzle-orm";
import * as v from "valibot";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import { orderReturns } from "../order-desk/tables.ts";
import { orderLines, orders } from "../orders/tables.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import { isOptedOut } from "../outbox/optouts.ts";
import type { Db } from "../platform/database/database.ts";
import { addJob, defineJob } from "../platform/jobs/jobs.ts";
import { provesPurchase } from "./proof.ts";
import { reviews } from "./tables.ts";

/** Asks the buyer of one order for a review. Runs after all other jobs of its lane. */
export const requestReviewJob = defineJob({
  name: "request_review",
  payload: v.object({ orderId: uuidSchema }),
  lane: "mail",
  priority: 20,
  maxAttempts: 12,
});

/** Schedules the review request of an order, replacing an earlier schedule. */
export async function scheduleReviewRequest(
  tx: Db,
  { orderId, runAt }: { orderId: string; runAt: Date },
): Promise<void> {
  await addJob(tx, requestReviewJob, { orderId }, { key: `review_request:${orderId}`, runAt });
}

/** Enqueues the e-mail that asks for a review, unless the order has become ineligible since it was scheduled. */
export async function requestReview({ db, provider }: ShopContext, orderId: string): Promise<void> {
  const [order] = await db
    .select({ email: orders.email })
    .from(orders)
    .where(
      and(
        eq(orders.id, orderId),
        provesPurchase(provider.mode),
        isNotNull(orders.shippedAt),
        // The buyer of a gift has not used the product.
        isNull(orders.gift),
        exists(publishedLines(db)),
        notExists(reviewsByBuyer(db)),
        notExists(openReturns(db)),
      ),
    );
  if (!order || (await isOptedOut(db, order.email, "review_request"))) return;
  const dedupeKey = `review_request:${orderId}`;
  await enqueueMessages(db, [{ kind: "review_request", dedupeKey, recipient: order.email, orderId }]);
}

function publishedLines(db: Db) {
  return db
    .select({ one: sql`1` })
    .from(orderLines)
    .innerJoin(products, eq(products.id, orderLines.productId))
    .where(and(eq(orderLines.orderId, orders.id), eq(products.published, true)));
}

/** Reviews of this order, or of its products by the browser that placed it. */
function reviewsByBuyer(db: Db) {
  return db
    .select({ one: sql`1` })
    .from(reviews)
    .innerJoin(orderLines, eq(orderLines.productId, reviews.productId))
    .where(
      and(
        eq(orderLines.orderId, orders.id),
        or(eq(reviews.orderId, orders.id), eq(reviews.visitorId, orders.visitorId)),
      ),
    );
}

function openReturns(db: Db) {
  return db
    .select({ one: sql`1` })
    .from(orderReturns)
    .where(and(eq(orderReturns.orderId, orders.id), inArray(orderReturns.status, ["requested", "approved"])));
}
