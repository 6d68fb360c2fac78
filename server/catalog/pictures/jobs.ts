import { and, eq, inArray, sql } from "drizzle-orm";
import * as v from "valibot";
import type { ShopContext } from "../../context.ts";
import { orderLines } from "../../orders/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { addJob, defineJob, type Task, task } from "../../platform/jobs/jobs.ts";
import { productImages } from "../tables.ts";

/** Makes the sizes of an uploaded picture, after which shoppers see it. */
export const makePictureJob = defineJob({
  name: "make_picture",
  payload: v.object({ imageId: v.number() }),
  lane: "upkeep",
  // The owner waits for it.
  priority: 0,
  maxAttempts: 4,
});

export function makePictureTask({ db, pictures }: ShopContext): Task {
  return task(makePictureJob, async ({ imageId }, { isLastAttempt }) => {
    const [image] = await db
      .select({ file: productImages.file, status: productImages.status })
      .from(productImages)
      .where(eq(productImages.id, imageId));
    if (image?.status !== "processing") return;
    try {
      const made = await pictures.makeSizes(image.file);
      await settle(db, imageId, made.ok ? null : made.reason);
    } catch (error) {
      if (isLastAttempt)
        await settle(db, imageId, "Its sizes could not be made. Delete it and upload it again.");
      throw error;
    }
  });
}

async function settle(db: Db, imageId: number, problem: string | null): Promise<void> {
  await db
    .update(productImages)
    .set({ status: problem === null ? "ready" : "failed", problem })
    .where(and(eq(productImages.id, imageId), eq(productImages.status, "processing")));
}

/** A page or an order under way may still name a picture that was taken out just now. */
const unusedDays = 7;

/**
 * Deletes the files of pictures that no product and no order names any more, and has the sizes made again that are gone
 * while their original is there, as after a backup that left them out.
 */
export async function tidyPictureFiles({
  db,
  now,
  pictures,
}: Pick<ShopContext, "db" | "now" | "pictures">): Promise<void> {
  const before = new Date(now().getTime() - unusedDays * 24 * 60 * 60 * 1000);
  const used = await db
    .select({ id: productImages.id, file: productImages.file, status: productImages.status })
    .from(productImages)
    .where(sql`${productImages.file} like 'u-%'`);
  const inUse = new Set(used.map(({ file }) => file));
  const unused = (await pictures.untouchedSince(before)).filter((file) => !inUse.has(file));
  if (unused.length > 0) {
    const ordered = await db
      .selectDistinct({ file: orderLines.image })
      .from(orderLines)
      .where(inArray(orderLines.image, unused));
    const named = new Set(ordered.map(({ file }) => file));
    for (const file of unused) if (!named.has(file)) await pictures.remove(file);
  }
  for (const { id, file, status } of used) {
    if (status !== "ready" || !(await pictures.isUnmade(file))) continue;
    await db.update(productImages).set({ status: "processing" }).where(eq(productImages.id, id));
    await addJob(db, makePictureJob, { imageId: id });
  }
}
