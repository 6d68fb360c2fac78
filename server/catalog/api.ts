import * as v from "valibot";
import type { Product } from "../../domain/catalog/product.ts";
import { type AnyApiRow, ok, route } from "../http/api-row.ts";
import type { Database } from "../platform/database.ts";
import { problem } from "../platform/problem.ts";
import { adminCatalogApi } from "./admin-api.ts";
import type { Shelf } from "./commands.ts";
import { pictureApi } from "./pictures/api.ts";
import type { PictureStore } from "./pictures/store.ts";
import { countView } from "./views.ts";

const slugParams = v.object({ slug: v.pipe(v.string(), v.maxLength(200)) });

export type CatalogParts = {
  db: Database;
  products(): Promise<Product[]>;
  /** Also by an address that it had before. */
  findProduct(slug: string): Promise<Product | null>;
  store: PictureStore;
  shelf: Shelf;
  now(): Date;
};

export function catalogApi(parts: CatalogParts): AnyApiRow[] {
  return [
    route("GET /api/products", {
      tag: "Catalogue",
      summary: "Products on show",
      access: "anyone",
      limit: "none",
      answers: { 200: "A list of products" },
      handle: async () => ok(await parts.products()),
    }),
    route("GET /api/products/:slug", {
      tag: "Catalogue",
      summary: "One product",
      access: "anyone",
      limit: "none",
      params: slugParams,
      answers: { 200: "The product", 404: "No such product on show" },
      handle: async (_ctx, { params }) => {
        const product = await parts.findProduct(params.slug);
        return product ? ok(product) : notFound();
      },
    }),
    route("POST /api/products/:slug/views", {
      tag: "Catalogue",
      summary: "Count a view, once per visitor and hour",
      access: "anyone",
      limit: "write",
      params: slugParams,
      answers: { 204: "Counted, or counted before", 404: "No such product on show" },
      handle: async (_ctx, { params, visitor }) => {
        const product = await parts.findProduct(params.slug);
        if (!product) return notFound();
        await countView(parts.db, { slug: product.slug, viewerKey: visitor(), now: parts.now() });
        return { status: 204 };
      },
    }),
    ...adminCatalogApi(parts),
    ...pictureApi(parts),
  ];
}

function notFound() {
  return problem("not_found", "There is no such product.");
}
