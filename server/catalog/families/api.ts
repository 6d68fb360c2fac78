import * as v from "valibot";
import { adminProductSchema } from "../../../domain/catalog/product-admin.ts";
import { joinFamilySchema, newSizeSchema, sizeOrderSchema } from "../../../domain/catalog/product-family.ts";
import { created, dataEnvelope, ok, okOrNotFound, route } from "../../api-row.ts";
import { idParams } from "../../platform/http/params.ts";
import { notFoundProblem } from "../../platform/http/problem.ts";
import { findAdminProduct } from "../admin-queries.ts";
import { editProblem } from "../product-edit.ts";
import { addSize, copyTexts, joinFamily, leaveFamily, sortSizes } from "./families.ts";

const shared = {
  tag: "Catalogue",
  access: "admin",
  roles: ["staff"],
  params: idParams,
  response: dataEnvelope(adminProductSchema),
} as const;

/** Products that are sizes of one another. Each keeps its own price, stock, pictures and page. */
export const familiesApi = [
  route("POST /api/admin/products/:id/sizes", {
    ...shared,
    summary:
      "Add a size of a product, with copies of its texts, and of its pictures unless `pictures` is false",
    body: newSizeSchema,
    responses: {
      201: "The new size",
      404: "There is no such product",
      409: "`invalid_state`: the product is archived, or has no size itself",
    },
    handle: async (ctx, { params, body, log }) => {
      const result = await addSize(ctx, { productId: params.id, ...body });
      if (!result.ok) return editProblem(ctx, result, params.id);
      log({
        subject: `product:${result.productId}`,
        summary: `${result.name} added as a size`,
        after: result.after,
      });
      const product = await findAdminProduct(ctx.db, result.productId);
      return product ? created(product) : notFoundProblem("product");
    },
  }),
  route("PUT /api/admin/products/:id/sizes", {
    ...shared,
    summary: "Set the order of a product’s sizes; links to the product lead to the first published one",
    body: sizeOrderSchema,
    responses: {
      200: "The product",
      404: "There is no such product",
      409: "`invalid_state`: the list does not match the product’s current sizes; `current` has the product",
    },
    handle: async (ctx, { params, body, log }) => {
      const result = await sortSizes(ctx, { productId: params.id, ...body });
      if (!result.ok) return editProblem(ctx, result, params.id);
      const { name, before, after } = result;
      log({ summary: `Sizes of ${name} reordered`, before, after });
      return okOrNotFound("product", await findAdminProduct(ctx.db, params.id));
    },
  }),
  route("POST /api/admin/products/:id/sizes/texts", {
    ...shared,
    summary:
      "Copy the texts and the video of this product to its other sizes, which keep names, sizes and pictures",
    response: dataEnvelope(v.object({ changed: v.array(v.string()) })),
    responses: {
      200: "`changed`: the sizes whose texts differed",
      404: "There is no such product, or it has no other sizes",
    },
    handle: async (ctx, { params, log }) => {
      const result = await copyTexts(ctx, params.id);
      if (!result.ok) return notFoundProblem("product");
      const { name, changed } = result;
      log(
        `Texts of ${name} copied to ${changed.length === 0 ? "no other size: they are the same" : changed.join("; ")}`,
      );
      return ok({ changed });
    },
  }),
  route("PUT /api/admin/products/:id/family", {
    ...shared,
    summary: "Make a product a size of another, whose name it takes",
    body: joinFamilySchema,
    responses: {
      200: "The product, as a size",
      404: "There is no such product",
      409: "`invalid_state`: it is a size of another already, or the other one is archived or has no size",
    },
    handle: async (ctx, { params, body: { productId, size }, log }) => {
      const result = await joinFamily(ctx, { productId: params.id, to: productId, size });
      if (!result.ok) return editProblem(ctx, result, params.id);
      const { before, after } = result;
      const summary = `${result.name} made a size: ${after.name}`;
      log({ summary, before, after });
      return okOrNotFound("product", await findAdminProduct(ctx.db, params.id));
    },
  }),
  route("DELETE /api/admin/products/:id/family", {
    ...shared,
    summary: "Make a size a separate product; if only one size remains, its name no longer includes the size",
    responses: {
      200: "The product",
      404: "There is no such product",
      409: "`invalid_state`: it is not a size of another product, or no longer; `current` has the product",
    },
    handle: async (ctx, { params, log }) => {
      const result = await leaveFamily(ctx, params.id);
      if (!result.ok) return editProblem(ctx, result, params.id);
      log(`${result.name} made a separate product`);
      return okOrNotFound("product", await findAdminProduct(ctx.db, params.id));
    },
  }),
];
