import { lt, sql } from "drizzle-orm";
import { viewHours } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { isLoopback, networkOf } from "../platform/http/client-address.ts";
import { productViews } from "./tables.ts";

/**
 * Counts one view per product, viewer and hour; the shop's hourly count includes each viewer once. The limit `viewer`
 * caps the number of new viewers per network that count in an hour. Ignores unpublished products.
 */
export async function countView(
  { db, now, limits }: Pick<ShopContext, "db" | "now" | "limits">,
  input: { slug: string; viewerKey: string; address: string },
): Promise<void> {
  const hour = new Date(now());
  hour.setUTCMinutes(0, 0, 0);
  // Exempt: a local proxy that forwards no client address would use up the limit for all visitors.
  if (!isLoopback(input.address)) {
    const { rows } = await db.execute(sql`
      select from product_views where viewer_key = ${input.viewerKey} and hour = ${hour.toISOString()}::timestamptz limit 1`);
    const isNew = rows.length === 0;
    if (isNew && (await limits.take("viewer", networkOf(input.address))) !== null) return;
  }
  await db.execute(sql`
    with product as (
      select id from products where slug = ${input.slug} and published
    ), seen as (
      insert into product_views (product_id, viewer_key, hour)
      select id, ${input.viewerKey}, ${hour.toISOString()}::timestamptz from product
      on conflict do nothing returning product_id
    ), counted as (
      update products set view_count = view_count + 1 where id in (select product_id from seen)
    ), counted_by_hour as (
      insert into product_view_hours as hours (hour, product_id, views)
      select ${hour.toISOString()}::timestamptz, product_id, 1 from seen where not exists (
        select from products as other join product_views as view on view.product_id = other.id
        where view.viewer_key = ${input.viewerKey} and view.hour = ${hour.toISOString()}::timestamptz)
      on conflict (hour, product_id) do update set views = hours.views + 1
    )
    select`);
}

/** Deletes views whose hour ended more than `viewHours` ago. */
export async function purgeViews({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - viewHours * 60 * 60 * 1000);
  await deleteInBatches(db, productViews, lt(productViews.hour, before));
}
