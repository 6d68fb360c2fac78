import * as v from "valibot";
import { adminProductSchema, archivedSchema } from "../../domain/catalog/product-admin.ts";
import { created, dataOf, ok, route } from "../api-row.ts";
import { idText } from "../platform/http/id-params.ts";
import { problem } from "../platform/http/problem.ts";
import { findAdminProduct } from "./admin-queries.ts";
import { deleteProduct, duplicateProduct, setArchived } from "./lifecycle.ts";
import { unknownProduct } from "./refusal.ts";

const shared = {
  tag: "Catalogue",
  access: "admin",
  limit: "none",
  roles: ["staff"],
  params: v.object({ id: idText }),
} as const;

/** Duplicating, archiving and deleting products. */
export const productLifecycleApi = [
  route("POST /api/admin/products/:id/duplicate", {
    ...shared,
    summary: "Add a product like this one, not on show and without stock",
    response: dataOf(adminProductSchema),
    answers: { 201: "The new product", 404: "No such product" },
    handle: async (ctx, { params, log }) => {
      const copy = await duplicateProduct(ctx, params.id);
      const product = copy && (await findAdminProduct(ctx.db, copy.productId));
      if (!copy || !product) return unknownProduct();
      log({ subject: `product:${copy.productId}`, summary: `${copy.name} added as a copy of ${copy.from}` });
      return created(product);
    },
  }),
  route("PUT /api/admin/products/:id/archived", {
    ...shared,
    summary: "Archive a product, which takes it off the shop, or take it back, not on show",
    body: archivedSchema,
    response: dataOf(adminProductSchema),
    answers: { 200: "The product", 404: "No such product" },
    handle: async (ctx, { params, body: { archived }, log }) => {
      const result = await setArchived(ctx, { productId: params.id, archived });
      const product = result && (await findAdminProduct(ctx.db, params.id));
      if (!result || !product) return unknownProduct();
      const what = archived ? "archived" : "taken back from the archive";
      log({
        subject: `product:${params.id}`,
        summary: `${result.name} ${result.isChanged ? what : "stays as it was"}`,
        after: { archived },
      });
      return ok(product);
    },
  }),
  route("DELETE /api/admin/products/:id", {
    ...shared,
    summary: "Delete a product that was never ordered, reviewed, asked about or received in batches",
    response: dataOf(v.null()),
    answers: {
      200: "Deleted",
      404: "No such product",
      409: "`invalid_state`: something names it, as the message says, or it is on show",
    },
    handle: async (ctx, { params, log }) => {
      const result = await deleteProduct(ctx, params.id);
      if (!result) return unknownProduct();
      if (!result.ok) return problem("invalid_state", result.message);
      log({ subject: `product:${params.id}`, summary: `${result.name} deleted` });
      return ok(null);
    },
  }),
];
