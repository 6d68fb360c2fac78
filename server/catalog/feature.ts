import * as v from "valibot";
import { productSchema } from "../../domain/catalog/product.ts";
import { dataOf, ok, route } from "../api-row.ts";
import type { Feature } from "../feature.ts";
import { problem } from "../platform/http/problem.ts";
import { adminCatalogApi } from "./admin-api.ts";
import { bundlesApi } from "./bundles/api.ts";
import { familiesApi } from "./families/api.ts";
import { productLifecycleApi } from "./lifecycle-api.ts";
import { picturesApi } from "./pictures/api.ts";
import { makePictureTasks, purgePictures } from "./pictures/jobs.ts";
import { countView, purgeViews } from "./views.ts";

const shared = { tag: "Catalogue", access: "anyone" } as const;
/** Topics of the change feed that make a cached answer stale. */
const cacheTopics = ["catalog", "stock", "views", "reviews"] as const;
const params = v.object({ slug: v.pipe(v.string(), v.maxLength(200)) });

/** The catalogue for shoppers. A product is also found by a former address. */
const catalogApi = [
  route("GET /api/products", {
    ...shared,
    summary: "Published products",
    limit: "none",
    response: dataOf(v.array(productSchema)),
    cache: cacheTopics,
    answers: { 200: "A list of products" },
    handle: async ({ products }) => ok(await products.list()),
  }),
  route("GET /api/products/:slug", {
    ...shared,
    summary: "One product",
    limit: "none",
    params,
    // Ignored: callers that want an uncached answer send a new value each time.
    query: v.object({ _t: v.optional(v.string()) }),
    response: dataOf(productSchema),
    cache: cacheTopics,
    answers: { 200: "The product", 404: "No such published product" },
    handle: async ({ products }, { params }) => {
      const product = await products.find(params.slug);
      return product ? ok(product) : notFound();
    },
  }),
  route("POST /api/products/:slug/views", {
    ...shared,
    summary: "Count a view, once per visitor and hour",
    limit: "write",
    params,
    answers: {
      204: "The view was counted, or is not counted: a repeated view, or too many visitors from one network",
      404: "No such published product",
    },
    handle: async (ctx, { params, visitor, address }) => {
      const product = await ctx.products.find(params.slug);
      if (!product) return notFound();
      await countView(ctx, { slug: product.slug, viewerKey: visitor(), address });
      return { status: 204 };
    },
  }),
];

function notFound() {
  return problem("not_found", "There is no such product.");
}

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
