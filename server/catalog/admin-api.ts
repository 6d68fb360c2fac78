import * as v from "valibot";
import {
  adminProductSchema,
  newProductSchema,
  priceSchema,
  productChangeSchema,
} from "../../domain/catalog/product-admin.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { created, dataEnvelope, ok, okOrNotFound, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { LoggedChange } from "../platform/http/api-response.ts";
import { idParams } from "../platform/http/params.ts";
import { notFoundProblem } from "../platform/http/problem.ts";
import { findAdminProduct, listAdminProducts } from "./admin-queries.ts";
import { changePrice, changeProduct, createProduct } from "./commands.ts";
import { editProblem, type ProductEdit } from "./product-edit.ts";

const shared = { tag: "Catalogue", access: "admin", roles: ["staff"] } as const;
const response = dataEnvelope(adminProductSchema);
const changeResponses = {
  200: "The product",
  404: "There is no such product",
  409: "`invalid_state`: changed since the `revision` sent along; `current` has the product",
};

/** Reading and editing products in the panel. Pictures: pictures/api.ts. */
export const adminCatalogApi = [
  route("PUT /api/products/:id/price", {
    ...shared,
    summary: "Set a product’s price, in cents",
    params: idParams,
    body: priceSchema,
    response,
    responses: changeResponses,
    async handle(ctx, { params, body, log }) {
      const result = await changePrice(ctx, { productId: params.id, ...body });
      if (!result.ok) return editProblem(ctx, result, params.id);
      log(describePrice(result, body.price));
      return respondWithProduct(ctx, params.id);
    },
  }),
  route("GET /api/admin/products", {
    ...shared,
    summary: "All products, published or not",
    response: dataEnvelope(v.array(adminProductSchema)),
    responses: { 200: "A list of products; `stock`: units available for sale" },
    handle: async ({ db }) => ok(await listAdminProducts(db)),
  }),
  route("POST /api/admin/products", {
    ...shared,
    summary: "Add a product; without a `slug` its address is made from the name",
    body: newProductSchema,
    response,
    responses: { 201: "The product" },
    async handle(ctx, { body, log }) {
      const result = await createProduct(ctx, body);
      if (!result.ok) return editProblem(ctx, result, 0);
      log(describeChange(result, "added"));
      const product = await findAdminProduct(ctx.db, result.productId);
      return product ? created(product) : notFoundProblem("product");
    },
  }),
  route("GET /api/admin/products/:id", {
    ...shared,
    summary: "One product, published or not",
    params: idParams,
    response,
    responses: { 200: "The product", 404: "There is no such product" },
    handle: (ctx, { params }) => respondWithProduct(ctx, params.id),
  }),
  route("PATCH /api/admin/products/:id", {
    ...shared,
    summary: "Change any fields of a product; `stock` sets the number of units available for sale",
    params: idParams,
    body: productChangeSchema,
    response,
    responses: changeResponses,
    async handle(ctx, { params, body, log }) {
      const result = await changeProduct(ctx, { productId: params.id, ...body });
      if (!result.ok) return editProblem(ctx, result, params.id);
      log(describeChange(result));
      return respondWithProduct(ctx, params.id);
    },
  }),
];

async function respondWithProduct({ db }: ShopContext, productId: number) {
  return okOrNotFound("product", await findAdminProduct(db, productId));
}

/** "Price of Pure Batana Oil: $29.95 → $31.95" */
function describePrice({ productId, name, before, after }: ProductEdit, price: number): LoggedChange {
  const isSame = before.price === undefined;
  const summary = isSame
    ? `Price of ${name} stays ${formatCents(price)}`
    : `Price of ${name}: ${formatCents(Number(before.price))} → ${formatCents(price)}`;
  return { subject: `product:${productId}`, summary, before, after };
}

/** "Pure Batana Oil: description and benefits changed; hidden" */
function describeChange(
  { productId, name, before, after }: ProductEdit,
  what: "added" | "changed" = "changed",
): LoggedChange {
  const subject = `product:${productId}`;
  if (what === "added") return { subject, summary: `${name} added`, after };
  const fields = Object.keys(after).flatMap((key) => fieldNames[key] ?? []);
  const changes = [
    ...(fields.length > 0 ? [`${new Intl.ListFormat("en-GB").format(fields)} changed`] : []),
    ...(after.published === undefined ? [] : [after.published ? "published" : "hidden"]),
    ...(after.onHand === undefined ? [] : [`on hand ${before.onHand} → ${after.onHand}`]),
  ];
  return { subject, summary: `${name}: ${changes.join("; ") || "saved without changes"}`, before, after };
}

const fieldNames: Record<string, string> = {
  name: "name",
  slug: "address",
  size: "size",
  shortDescription: "short description",
  description: "description",
  benefits: "benefits",
  usage: "how to use",
  gtin: "bar code",
  mpn: "part number",
  scent: "scent",
  lasts: "how long it lasts",
  videoUrl: "video",
  sku: "SKU",
  weightGrams: "weight",
  hsCode: "HS code",
  originCountry: "country of origin",
  cost: "cost",
  compareAtPrice: "compare-at price",
  isBestseller: "Bestseller badge",
  isNew: "New badge",
};
