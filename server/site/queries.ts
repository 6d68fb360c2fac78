import { eq, sql } from "drizzle-orm";
import { products } from "../catalog/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { reviews } from "../reviews/tables.ts";

/** When what the pages of products (by slug) and of all reviews show last changed, as far as is known. */
export type LastChanges = { products: ReadonlyMap<string, Date>; reviews: Date | null };

export async function readLastChanges(db: Db): Promise<LastChanges> {
  // By id: the index finds the newest at once, however many there are.
  const newestReview = sql<Date | null>`(select ${reviews.createdAt} from ${reviews}
    where ${reviews.productId} = ${products.id} and ${reviews.status} = 'published'
    order by ${reviews.id} desc limit 1)`.mapWith(reviews.createdAt);
  const rows = await db
    .select({ slug: products.slug, updatedAt: products.updatedAt, newestReview })
    .from(products)
    .where(eq(products.published, true));
  const reviewed = rows.flatMap(({ newestReview }) => newestReview ?? []);
  return {
    products: new Map(rows.map(({ slug, ...row }) => [slug, latest([row.updatedAt, row.newestReview])])),
    reviews: reviewed.length === 0 ? null : latest(reviewed),
  };
}

function latest(times: readonly (Date | null)[]): Date {
  return new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)));
}
