import { eq } from "drizzle-orm";
import * as v from "valibot";
import {
  adminImageSchema,
  pictureChangeSchema,
  productLimits,
  uploadSchema,
} from "../../../domain/catalog/product-admin.ts";
import { uploadLimits } from "../../../domain/catalog/upload-limits.ts";
import type { FounderPicture } from "../../../domain/settings/settings.ts";
import { settingsForms } from "../../../domain/settings/settings-schema.ts";
import { created, dataEnvelope, ok, okOrNotFound, route } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import { idParams, numericId } from "../../platform/http/params.ts";
import { notFoundProblem, type Problem, problem } from "../../platform/http/problem.ts";
import { writeSettings } from "../../settings/commands.ts";
import { findAdminImage, findAdminProduct } from "../admin-queries.ts";
import { pictureOriginals } from "../tables.ts";
import { addPicture, changePicture, type PictureRow, removePicture, storePicture } from "./commands.ts";

const shared = { tag: "Catalogue", access: "admin" } as const;
const params = v.object({ id: numericId, imageId: numericId });
const founderShared = { tag: "Settings", access: "admin" } as const;
const subject = "settings:founderPicture";

/** Pictures of a product, and the founder's photograph on the home page and the story page. */
export const picturesApi = [
  route("POST /api/admin/products/:id/images", {
    ...shared,
    roles: ["staff"],
    summary: "Upload a picture; shoppers see it once it is processed, which takes a few seconds",
    limit: "write",
    params: idParams,
    upload: { field: "image", maxBytes: uploadLimits.bytes },
    body: uploadSchema,
    response: dataEnvelope(adminImageSchema),
    responses: {
      201: "The picture; `status` turns from `processing` to `ready` or `failed`",
      404: "There is no such product",
      409: `\`invalid_state\`: the product has ${productLimits.images} pictures already`,
    },
    async handle(ctx, { params, file, body, log }) {
      const product = await findAdminProduct(ctx.db, params.id);
      if (!product) return notFoundProblem("product");
      if (product.images.length >= productLimits.images) return galleryFullProblem();
      if (!file) throw new Error("an upload without a file");
      const checkResult = await ctx.pictures.check(file.bytes);
      if (!checkResult.ok) return unsuitablePictureProblem(checkResult.reason);
      const { type, width, height } = checkResult;
      const picture = { bytes: file.bytes, type, width, height };
      const result = await addPicture(ctx, { productId: product.id, picture, alt: body.alt });
      if (!result.ok) return result.reason === "full" ? galleryFullProblem() : notFoundProblem("product");
      log({
        subject: `product:${product.id}`,
        summary: `Picture ${product.images.length + 1} added to ${product.name}: “${body.alt}”`,
        after: { image: result.imageId, alt: body.alt },
      });
      const image = await findAdminImage(ctx.db, product.id, result.imageId);
      return image ? created(image) : notFoundProblem("picture");
    },
  }),
  route("PATCH /api/admin/products/:id/images/:imageId", {
    ...shared,
    roles: ["staff"],
    summary: "Change a picture’s alternative text or its position; position 0 is the thumbnail",
    params,
    body: pictureChangeSchema,
    response: dataEnvelope(adminImageSchema),
    responses: { 200: "The picture", 404: "There is no such picture" },
    async handle(ctx, { params: { id: productId, imageId }, body, log }) {
      const change = await changePicture(ctx, { productId, imageId, ...body });
      if (!change) return notFoundProblem("picture");
      const { before, after } = change;
      const isMoved = before.position !== after.position;
      const isAltChanged = before.alt !== after.alt;
      const changedFields = ({ alt, position }: PictureRow) => ({
        ...(isAltChanged ? { alt } : {}),
        ...(isMoved ? { position } : {}),
      });
      const changes = [
        ...(isMoved ? [`moved from position ${before.position + 1} to ${after.position + 1}`] : []),
        ...(isAltChanged ? ["alternative text changed"] : []),
      ];
      log({
        summary: `Picture “${before.alt}” ${changes.join(" and ") || "saved without changes"}`,
        before: changedFields(before),
        after: changedFields(after),
      });
      return okOrNotFound("picture", await findAdminImage(ctx.db, productId, imageId));
    },
  }),
  route("DELETE /api/admin/products/:id/images/:imageId", {
    ...shared,
    roles: ["staff"],
    summary: "Delete a picture of a product permanently",
    params,
    response: dataEnvelope(v.object({ id: v.number() })),
    responses: { 200: "Deleted", 404: "There is no such picture" },
    async handle(ctx, { params: { id: productId, imageId }, log }) {
      const picture = await removePicture(ctx, { productId, imageId });
      if (!picture) return notFoundProblem("picture");
      log({
        summary: `Picture “${picture.alt}” deleted`,
        before: { image: picture.id, alt: picture.alt, position: picture.position, file: picture.file },
      });
      return ok({ id: picture.id });
    },
  }),
  route("POST /api/admin/founder-picture", {
    ...founderShared,
    summary: "Upload a photograph of the founder; pages show it once the call has returned",
    limit: "write",
    upload: { field: "image", maxBytes: uploadLimits.bytes },
    response: dataEnvelope(settingsForms.founderPicture),
    responses: { 201: "The new picture, which replaces the former one" },
    async handle(ctx, { file, log }) {
      if (!file) throw new Error("an upload without a file");
      const result = await storePicture(ctx, file.bytes);
      if (!result.ok) return unsuitablePictureProblem(result.reason);
      const { picture } = result;
      await setFounderPicture(ctx, picture);
      log({ subject, summary: "Photograph of the founder uploaded", after: { file: picture.file } });
      return created(picture);
    },
  }),
  route("DELETE /api/admin/founder-picture", {
    ...founderShared,
    summary: "Remove the founder’s photograph; pages then show a picture of the oil’s place of production",
    response: dataEnvelope(settingsForms.founderPicture),
    responses: { 200: "Null" },
    async handle(ctx, { log }) {
      await setFounderPicture(ctx, null);
      log({ subject, summary: "Photograph of the founder removed" });
      return ok(null);
    },
  }),
];

export function unsuitablePictureProblem(reason: string): Problem {
  return problem("validation_failed", reason, { fields: { image: reason } });
}

function galleryFullProblem(): Problem {
  return problem(
    "invalid_state",
    `A product has at most ${productLimits.images} pictures. Delete one before you add another.`,
  );
}

/** Stores the founder's picture. Keeps the original of the previous one for a week, because pages already sent may refer to it. */
async function setFounderPicture({ db, now }: ShopContext, picture: FounderPicture | null): Promise<void> {
  await db.transaction(async (tx) => {
    const result = await writeSettings(tx, { founderPicture: picture }, now());
    if (!result.ok) throw new Error("the settings rejected a founder picture that had passed the check");
    const before = result.before.founderPicture;
    if (before)
      await tx
        .update(pictureOriginals)
        .set({ retiredAt: now() })
        .where(eq(pictureOriginals.file, before.file));
  });
}
