import { and, eq } from "drizzle-orm";
import * as v from "valibot";
import type { ShopContext } from "../../context.ts";
import type { Db } from "../../platform/database/database.ts";
import { defineJob, type Task, task } from "../../platform/jobs/jobs.ts";
import { productImages } from "../tables.ts";
import { purgeOriginals } from "./originals.ts";

/** Makes the sizes of an uploaded picture, after which shoppers see it. */
export const makePictureJob = defineJob({
  name: "make_picture_sizes",
  payload: v.object({ imageId: v.number() }),
  lane: "upkeep",
  // The owner waits for the result.
  priority: 0,
  maxAttempts: 4,
});

export function makePictureTasks({ db, pictures }: ShopContext): Task[] {
  const run: Parameters<typeof task<typeof makePictureJob.payload>>[1] = async (
    { imageId },
    { isLastAttempt },
  ) => {
    const [image] = await db
      .select({ file: productImages.file, status: productImages.status })
      .from(productImages)
      .where(eq(productImages.id, imageId));
    if (image?.status !== "processing") return;
    try {
      const sizes = await pictures.makeSizes(image.file);
      await setPictureStatus(db, imageId, sizes.ok ? null : sizes.reason);
    } catch (error) {
      if (isLastAttempt)
        await setPictureStatus(db, imageId, "Its sizes could not be made. Delete it and upload it again.");
      throw error;
    }
  };
  return [task(makePictureJob, run)];
}

async function setPictureStatus(db: Db, imageId: number, problem: string | null): Promise<void> {
  await db
    .update(productImages)
    .set({ status: problem === null ? "ready" : "failed", problem })
    .where(and(eq(productImages.id, imageId), eq(productImages.status, "processing")));
}

/** Pages already sent and new orders may still refer to a removed picture for a while. */
const unusedDays = 7;

/** Deletes pictures that no product or order uses. The change feed then makes every server delete its files of these pictures. */
export async function purgePictures({ db, now, pictures }: ShopContext): Promise<void> {
  await purgeOriginals(db, new Date(now().getTime() - unusedDays * 24 * 60 * 60 * 1000));
  await pictures.deleteOrphanSizes();
}
