import { lt, sql } from "drizzle-orm";
import * as v from "valibot";
import { productSchema } from "../../domain/catalog/product.ts";
import { viewHours } from "../../domain/privacy/retention.ts";
import { dataEnvelope, ok, okOrNotFound, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { isLoopback, networkPrefix } from "../platform/http/client-address.ts";
import { notFoundProblem } from "../platform/http/problem.ts";
import { adminCatalogApi } from "./admin-api.ts";
import { bundlesApi } from "./bundles/api.ts";
import { familiesApi } from "./families/api.ts";
import { productLifecycleApi } from "./lifecycle-api.ts";
import { picturesApi } from "./pictures/api.ts";
import { makePictureTasks, purgePictures } from "./pictures/jobs.ts";
import { productViews } from "./tables.ts";

const shared = { tag: "Catalogue", access: "anyone" } as const;
/** Topics of the change feed that make a cached response stale. */
const cacheTopics = ["catalog", "stock", "views", "reviews"] as const;
const params = v.object({ slug: v.pipe(v.string(), v.maxLength(200)) });

/** The catalog for shoppers. A product is also found by a former slug. */
const catalogApi = [
  route("GET /api/products", {
    ...shared,
    summary: "Published products",
    limit: "none",
    response: dataEnvelope(v.array(productSchema)),
    cache: cacheTopics,
    responses: { 200: "A list of products" },
    handle: async ({ products }) => ok(await products.list()),
  }),
  route("GET /api/products/:slug", {
    ...shared,
    summary: "One product",
    limit: "none",
    params,
    // The value is ignored: callers that want an uncached response send a new one each time.
    query: v.object({ _t: v.optional(v.string()) }),
    response: dataEnvelope(productSchema),
    cache: cacheTopics,
    responses: { 200: "The product", 404: "There is no such published product" },
    handle: async ({ products }, { params }) => okOrNotFound("product", await products.find(params.slug)),
  }),
  route("POST /api/products/:slug/views", {
    ...shared,
    summary: "Count a view, once per visitor and hour",
    limit: "write",
    params,
    responses: {
      204: "The view was counted, unless it was repeated or too many visitors came from its network",
      404: "There is no such published product",
    },
    handle: async (ctx, { params, visitor, address }) => {
      const product = await ctx.products.find(params.slug);
      if (!product) return notFoundProblem("product");
      await countView(ctx, { slug: product.slug, viewerKey: visitor(), address });
      return { status: 204 };
    },
  }),
];

export const catalogFeature = {
  api: [
    ...catalogApi,
    ...adminCatalogApi,
    ...bundlesApi,
    ...picturesApi,
    ...productLifecycleApi,
    ...familiesApi,
  ],
  tasks: (ctx) => makePictureTasks(ctx),
  async atStart({ changes, pictures }) {
    changes.watch("picture_originals", () => pictures.deleteOrphanSizes());
  },
  purges: [purgeViews, purgePictures],
} satisfies Feature;

/**
 * Counts one view per product, viewer and hour; the shop's hourly count includes each viewer once. The limit `viewer`
 * caps the number of new viewers per network that count in an hour. Ignores unpublished products.
 */
async function countView(
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
    if (isNew && (await limits.take("viewer", networkPrefix(input.address))) !== null) return;
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
async function purgeViews({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - viewHours * 60 * 60 * 1000);
  await deleteInBatches(db, productViews, lt(productViews.hour, before));
}
