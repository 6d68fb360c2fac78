import { eq, sql } from "drizzle-orm";
import { products } from "../catalog/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { reviews } from "../reviews/tables.ts";

/** When the contents of products' pages (by slug) and of the reviews page last changed. */
export type LastChanges = { products: ReadonlyMap<string, Date>; reviews: Date | null };

export async function readLastChanges(db: Db): Promise<LastChanges> {
  // Sorted by id, so that an index finds the newest review immediately.
  const newestReview = sql<Date | null>`(select ${reviews.createdAt} from ${reviews}
    where ${reviews.productId} = ${products.id} and ${reviews.status} = 'published'
    order by ${reviews.id} desc limit 1)`.mapWith(reviews.createdAt);
  const rows = await db
    .select({ slug: products.slug, updatedAt: products.updatedAt, newestReview })
    .from(products)
    .where(eq(products.published, true));
  const reviewTimes = rows.flatMap(({ newestReview }) => newestReview ?? []);
  return {
    products: new Map(rows.map(({ slug, ...row }) => [slug, latestTime([row.updatedAt, row.newestReview])])),
    reviews: reviewTimes.length === 0 ? null : latestTime(reviewTimes),
  };
}

function latestTime(times: readonly (Date | null)[]): Date {
  return new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)));
}
