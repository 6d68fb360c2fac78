import { productLimits, uploadLimits } from "../../../domain/catalog/product-admin.ts";
import { type AnyApiRow, ok, route } from "../../http/api-row.ts";
import type { Database } from "../../platform/database.ts";
import { type Problem, problem } from "../../platform/problem.ts";
import { imageParams, productParams, unknownProduct } from "../admin-api.ts";
import { findAdminImage, findAdminProduct } from "../admin-queries.ts";
import { pictureChangeSchema, uploadSchema } from "../form.ts";
import { addPicture, changePicture, isUploaded, type PictureRow, removePicture } from "./commands.ts";
import type { PictureStore } from "./store.ts";

export type PictureParts = { db: Database; store: PictureStore; now(): Date };

const tag = "Catalogue";

/** A product's pictures: uploaded, described, put in order, taken out. */
export function pictureApi({ db, store, now }: PictureParts): AnyApiRow[] {
  return [
    route("POST /api/admin/products/:id/images", {
      tag,
      summary: "Upload a picture; shoppers see it once its sizes are made, which takes some seconds",
      access: "admin",
      limit: "write",
      params: productParams,
      upload: { field: "image", bytesMax: uploadLimits.bytes },
      body: uploadSchema,
      answers: {
        201: "The picture; `status` turns from `processing` to `ready` or `failed`",
        404: "No such product",
        409: `\`invalid_state\`: the product has ${productLimits.images} pictures already`,
      },
      async handle(_ctx, { params, file, body, log }) {
        const product = await findAdminProduct(db, params.id);
        if (!product) return unknownProduct();
        if (product.images.length >= productLimits.images) return galleryFull();
        if (!file) throw new Error("an upload without a file");
        const checked = await store.keep(file.bytes);
        if (!checked.ok) return unfit(checked.reason);
        const added = await addPicture(db, product.id, { ...checked.kept, alt: body.alt }, now());
        if (!added.ok) {
          await store.remove(checked.kept.file);
          return added.reason === "full" ? galleryFull() : unknownProduct();
        }
        log({
          subject: `product:${product.id}`,
          summary: `Picture ${product.images.length + 1} added to ${product.name}: “${body.alt}”`,
          after: { image: added.imageId, alt: body.alt },
        });
        const image = await findAdminImage(db, product.id, added.imageId);
        return image ? { status: 201, body: { success: true, data: image } } : unknownImage();
      },
    }),
    route("PATCH /api/admin/products/:id/images/:imageId", {
      tag,
      summary: "Say what is in a picture, or move it; position 0 is the thumbnail",
      access: "admin",
      limit: "none",
      params: imageParams,
      body: pictureChangeSchema,
      answers: { 200: "The picture", 404: "No such picture" },
      async handle(_ctx, { params, body, log }) {
        const changed = await changePicture(db, params.id, params.imageId, body, now());
        if (!changed) return unknownImage();
        const { before, after } = changed;
        const isMoved = before.position !== after.position;
        const isRenamed = before.alt !== after.alt;
        const differing = ({ alt, position }: PictureRow) => ({
          ...(isRenamed ? { alt } : {}),
          ...(isMoved ? { position } : {}),
        });
        const told = [
          ...(isMoved ? [`moved from place ${before.position + 1} to ${after.position + 1}`] : []),
          ...(isRenamed ? ["described anew"] : []),
        ];
        log({
          subject: `product:${params.id}`,
          summary: `Picture “${before.alt}” ${told.join(" and ") || "saved as it was"}`,
          before: differing(before),
          after: differing(after),
        });
        const image = await findAdminImage(db, params.id, params.imageId);
        return image ? ok(image) : unknownImage();
      },
    }),
    route("DELETE /api/admin/products/:id/images/:imageId", {
      tag,
      summary: "Take a picture out of a product’s gallery, for good",
      access: "admin",
      limit: "none",
      params: imageParams,
      answers: { 200: "Taken out", 404: "No such picture" },
      async handle(_ctx, { params, log }) {
        const gone = await removePicture(db, params.id, params.imageId, now());
        if (!gone) return unknownImage();
        if (isUploaded(gone)) await store.retire(gone.file);
        log({
          subject: `product:${params.id}`,
          summary: `Picture “${gone.alt}” deleted`,
          before: { image: gone.id, alt: gone.alt, position: gone.position, file: gone.file },
        });
        return ok({ id: gone.id });
      },
    }),
  ];
}

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
