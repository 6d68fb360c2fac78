import * as v from "valibot";
import type { AdminProduct } from "../../domain/catalog/product-admin.ts";
import { type AnyApiRow, ok, route } from "../http/api-row.ts";
import { idText } from "../platform/id-params.ts";
import { type Problem, problem } from "../platform/problem.ts";
import { findAdminProduct, listAdminProducts } from "./admin-queries.ts";
import { describeChange, describePrice } from "./changes.ts";
import {
  type CatalogWriter,
  type Changed,
  changePrice,
  changeProduct,
  createProduct,
  type NotChanged,
} from "./commands.ts";
import { newProductSchema, priceSchema, productChangeSchema } from "./form.ts";

const tag = "Catalogue";
export const productParams = v.object({ id: idText });
export const imageParams = v.object({ id: idText, imageId: idText });

/** What the owner changes of products. Pictures: picture-api.ts. */
export function adminCatalogApi(parts: CatalogWriter): AnyApiRow[] {
  const { db } = parts;
  const answer = async (result: Changed | NotChanged, productId: number): Promise<AdminProduct | Problem> => {
    if (!result.ok && result.reason === "unknown") return unknownProduct();
    if (!result.ok && result.reason === "invalid") {
      return problem("validation_failed", "Please check the highlighted fields.", { fields: result.fields });
    }
    if (!result.ok && result.reason === "impossible") return problem("invalid_state", result.message);
    const product = await findAdminProduct(db, productId);
    if (!product) return unknownProduct();
    return result.ok
      ? product
      : problem(
          "invalid_state",
          `${product.name} was changed meanwhile, in another window or by somebody else. Nothing was saved.`,
          { current: product },
        );
  };
  return [
    route("PUT /api/products/:id/price", {
      tag,
      summary: "Set a product’s price, in cents",
      access: "admin",
      limit: "none",
      params: productParams,
      body: priceSchema,
      answers: {
        200: "The product",
        404: "No such product",
        409: "`invalid_state`: changed since the `revision` sent along; `current` has the product",
      },
      async handle(_ctx, { params, body, log }) {
        const result = await changePrice(parts, params.id, body);
        if (result.ok) log(describePrice(result, body.price));
        const product = await answer(result, params.id);
        return "problem" in product ? product : ok(product);
      },
    }),
    route("GET /api/admin/products", {
      tag,
      summary: "All products, on show or not",
      access: "admin",
      limit: "none",
      answers: { 200: "A list of products; `stock` is what is free to sell" },
      handle: async () => ok(await listAdminProducts(db)),
    }),
    route("POST /api/admin/products", {
      tag,
      summary: "Add a product; without a `slug` its address is made from the name",
      access: "admin",
      limit: "none",
      body: newProductSchema,
      answers: { 201: "The product" },
      async handle(_ctx, { body, log }) {
        const result = await createProduct(parts, body);
        if (result.ok) log(describeChange(result, "added"));
        const product = await answer(result, result.ok ? result.productId : 0);
        return "problem" in product ? product : { status: 201, body: { success: true, data: product } };
      },
    }),
    route("GET /api/admin/products/:id", {
      tag,
      summary: "One product, on show or not",
      access: "admin",
      limit: "none",
      params: productParams,
      answers: { 200: "The product", 404: "No such product" },
      async handle(_ctx, { params }) {
        const product = await findAdminProduct(db, params.id);
        return product ? ok(product) : unknownProduct();
      },
    }),
    route("PATCH /api/admin/products/:id", {
      tag,
      summary: "Change any part of a product; `stock` is set so that this much is free to sell",
      access: "admin",
      limit: "none",
      params: productParams,
      body: productChangeSchema,
      answers: {
        200: "The product",
        404: "No such product",
        409: "`invalid_state`: changed since the `revision` sent along; `current` has the product",
      },
      async handle(_ctx, { params, body, log }) {
        const result = await changeProduct(parts, params.id, body);
        if (result.ok) log(describeChange(result));
        const product = await answer(result, params.id);
        return "problem" in product ? product : ok(product);
      },
    }),
  ];
}

export function unknownProduct(): Problem {
  return problem("not_found", "There is no such product.");
}
