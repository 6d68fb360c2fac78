import * as v from "valibot";
import {
  adminImageSchema,
  pictureChangeSchema,
  productLimits,
  uploadSchema,
} from "../../../domain/catalog/product-admin.ts";
import { uploadLimits } from "../../../domain/catalog/upload-limits.ts";
import { created, dataOf, ok, route } from "../../api-row.ts";
import { idText } from "../../platform/http/id-params.ts";
import { type Problem, problem } from "../../platform/http/problem.ts";
import { findAdminImage, findAdminProduct } from "../admin-queries.ts";
import { unknownProduct } from "../refusal.ts";
import { addPicture, changePicture, type PictureRow, removePicture } from "./commands.ts";

const shared = { tag: "Catalogue", access: "admin" } as const;
const params = v.object({ id: idText, imageId: idText });

/** Uploading, describing, sorting and deleting pictures of a product. */
export const picturesApi = [
  route("POST /api/admin/products/:id/images", {
    ...shared,
    roles: ["staff"],
    summary: "Upload a picture; shoppers see it once its sizes are made, which takes some seconds",
    limit: "write",
    params: v.object({ id: idText }),
    upload: { field: "image", bytesMax: uploadLimits.bytes },
    body: uploadSchema,
    response: dataOf(adminImageSchema),
    answers: {
      201: "The picture; `status` turns from `processing` to `ready` or `failed`",
      404: "No such product",
      409: `\`invalid_state\`: the product has ${productLimits.images} pictures already`,
    },
    async handle(ctx, { params, file, body, log }) {
      const product = await findAdminProduct(ctx.db, params.id);
      if (!product) return unknownProduct();
      if (product.images.length >= productLimits.images) return galleryFull();
      if (!file) throw new Error("an upload without a file");
      const checked = await ctx.pictures.check(file.bytes);
      if (!checked.ok) return unfit(checked.reason);
      const { type, width, height } = checked;
      const picture = { bytes: file.bytes, type, width, height };
      const added = await addPicture(ctx, { productId: product.id, picture, alt: body.alt });
      if (!added.ok) return added.reason === "full" ? galleryFull() : unknownProduct();
      log({
        subject: `product:${product.id}`,
        summary: `Picture ${product.images.length + 1} added to ${product.name}: “${body.alt}”`,
        after: { image: added.imageId, alt: body.alt },
      });
      const image = await findAdminImage(ctx.db, product.id, added.imageId);
      return image ? created(image) : unknownImage();
    },
  }),
  route("PATCH /api/admin/products/:id/images/:imageId", {
    ...shared,
    roles: ["staff"],
    summary: "Say what is in a picture, or move it; position 0 is the thumbnail",
    limit: "none",
    params,
    body: pictureChangeSchema,
    response: dataOf(adminImageSchema),
    answers: { 200: "The picture", 404: "No such picture" },
    async handle(ctx, { params: { id: productId, imageId }, body, log }) {
      const changed = await changePicture(ctx, { productId, imageId, ...body });
      if (!changed) return unknownImage();
      const { before, after } = changed;
      const isMoved = before.position !== after.position;
      const isRenamed = before.alt !== after.alt;
      const differing = ({ alt, position }: PictureRow) => ({
        ...(isRenamed ? { alt } : {}),
        ...(isMoved ? { position } : {}),
      });
      const changes = [
        ...(isMoved ? [`moved from place ${before.position + 1} to ${after.position + 1}`] : []),
        ...(isRenamed ? ["described anew"] : []),
      ];
      log({
        subject: `product:${productId}`,
        summary: `Picture “${before.alt}” ${changes.join(" and ") || "saved as it was"}`,
        before: differing(before),
        after: differing(after),
      });
      const image = await findAdminImage(ctx.db, productId, imageId);
      return image ? ok(image) : unknownImage();
    },
  }),
  route("DELETE /api/admin/products/:id/images/:imageId", {
    ...shared,
    roles: ["staff"],
    summary: "Take a picture out of a product’s gallery, for good",
    limit: "none",
    params,
    response: dataOf(v.object({ id: v.number() })),
    answers: { 200: "Taken out", 404: "No such picture" },
    async handle(ctx, { params: { id: productId, imageId }, log }) {
      const removed = await removePicture(ctx, { productId, imageId });
      if (!removed) return unknownImage();
      log({
        subject: `product:${productId}`,
        summary: `Picture “${removed.alt}” deleted`,
        before: { image: removed.id, alt: removed.alt, position: removed.position, file: removed.file },
      });
      return ok({ id: removed.id });
    },
  }),
];

function unfit(reason: string): Problem {
  return problem("validation_failed", reason, { fields: { image: reason } });
}

function galleryFull(): Problem {
  return problem(
    "invalid_state",
    `A product has at most ${productLimits.images} pictures. Delete one before you add another.`,
  );
}

function unknownImage(): Problem {
  return problem("not_found", "There is no such picture.");
}
