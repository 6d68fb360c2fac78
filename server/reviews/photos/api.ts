import * as v from "valibot";
import { uploadLimits } from "../../../domain/catalog/upload-limits.ts";
import { photoStatuses, sentPhotoSchema } from "../../../domain/reviews/review.ts";
import { photoIdSchema } from "../../../domain/reviews/review-form.ts";
import { created, dataEnvelope, ok, route } from "../../api-row.ts";
import { notFoundProblem, problem, rateLimited } from "../../platform/http/problem.ts";
import { toSentPhoto } from "../queries.ts";
import { addPhoto, deletePhoto, findPhotoFor, moderatePhoto, removeUnsentPhoto } from "./commands.ts";

const tag = "Reviews";
const params = v.object({ id: photoIdSchema });

/** Photos of reviews: uploaded one by one before the review, which then lists them. */
export const photosApi = [
  route("POST /api/reviews/photos", {
    tag,
    summary: "Upload a photo for a review; the review then names it in `photos`",
    access: "anyone",
    limit: "photo",
    upload: { field: "photo", maxBytes: uploadLimits.bytes },
    // The photo is the only field.
    body: v.object({}),
    response: dataEnvelope(sentPhotoSchema),
    responses: { 201: "The photo, `held` until the owner approves it; deleted after a day without a review" },
    async handle(ctx, { file, visitor }) {
      if (!file) throw new Error("an upload without a file");
      const visitorId = visitor();
      const waitS = await ctx.limits.take("photographer", visitorId);
      if (waitS !== null) return rateLimited("You have added many photos. Please try again later.", waitS);
      const result = await addPhoto(ctx, { visitorId, bytes: file.bytes });
      if (result.ok) return created(toSentPhoto(result.photo));
      return problem("validation_failed", result.reason, { fields: { photo: result.reason } });
    },
  }),
  route("GET /api/reviews/photos/:id", {
    tag,
    summary: "A photo of a review, for its writer and the owner, even while it waits for approval",
    access: "anyone",
    limit: "write",
    params,
    file: ["image/webp"],
    responses: { 200: "The picture as WebP", 404: "There is no such photo, or it belongs to somebody else" },
    async handle(ctx, { params: { id }, viewer }) {
      const photo = await findPhotoFor(ctx.db, viewer, id);
      const bytes = photo && (await ctx.pictures.preview(photo.file));
      if (!bytes) return notFoundProblem("photo");
      return {
        status: 200,
        stream: new Blob([new Uint8Array(bytes)]).stream(),
        headers: { "Content-Type": "image/webp", "Cache-Control": "private, max-age=3600" },
      };
    },
  }),
  route("DELETE /api/reviews/photos/:id", {
    tag,
    summary: "Delete one’s own photo before its review is sent",
    access: "anyone",
    limit: "write",
    params,
    response: dataEnvelope(v.object({ id: v.string() })),
    responses: { 200: "Deleted", 404: "There is no such photo, or it belongs to a review already" },
    async handle(ctx, { params: { id: photoId }, viewer: { visitorId } }) {
      const isRemoved = await removeUnsentPhoto(ctx.db, { visitorId, photoId });
      return isRemoved ? ok({ id: photoId }) : notFoundProblem("photo");
    },
  }),
  route("PATCH /api/admin/reviews/photos/:id", {
    tag,
    summary: "Approve a photo of a review, or hold it back",
    access: "admin",
    roles: ["staff"],
    limit: "write",
    params,
    body: v.object({ status: v.picklist(photoStatuses, `One of ${photoStatuses.join(", ")}`) }),
    response: dataEnvelope(sentPhotoSchema),
    responses: { 200: "The photo", 404: "There is no such photo of a review" },
    async handle(ctx, { params: { id: photoId }, body: { status }, log }) {
      const change = await moderatePhoto(ctx, { photoId, status });
      if (!change) return notFoundProblem("photo");
      const { before, after } = change;
      const decisionText = { shown: "Approved", held: "Held back" }[status];
      log({
        subject: `review:${after.reviewId}`,
        summary:
          before.status === status
            ? "Left a photo of a review as it was"
            : `${decisionText} a photo of a review`,
        ...(before.status === status ? {} : { before: { photo: before.status }, after: { photo: status } }),
      });
      return ok(toSentPhoto(after));
    },
  }),
  route("DELETE /api/admin/reviews/photos/:id", {
    tag,
    summary: "Delete a photo of a review permanently",
    access: "admin",
    roles: ["staff"],
    limit: "write",
    params,
    response: dataEnvelope(v.object({ id: v.string() })),
    responses: { 200: "Deleted", 404: "There is no such photo of a review" },
    async handle(ctx, { params: { id: photoId }, log }) {
      const photo = await deletePhoto(ctx, photoId);
      if (!photo) return notFoundProblem("photo");
      log({
        subject: `review:${photo.reviewId}`,
        summary: "Deleted a photo of a review",
        before: { photo: photo.status },
      });
      return ok({ id: photoId });
    },
  }),
];
