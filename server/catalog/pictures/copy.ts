import { randomBytes } from "node:crypto";
import { and, asc, eq, ne, sql } from "drizzle-orm";
import type { Db } from "../../platform/database/database.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { productImages } from "../tables.ts";
import { makePictureJob } from "./jobs.ts";

/** Copies the pictures of a product to another one. Uploaded ones get new files, so that each gallery is independent. */
export async function copyPictures(tx: Db, { from, to, now }: { from: number; to: number; now: Date }) {
  const gallery = await tx
    .select()
    .from(productImages)
    .where(and(eq(productImages.productId, from), ne(productImages.status, "failed")))
    .orderBy(asc(productImages.position));
  let position = 0;
  for (const { id: _, file: original, ...image } of gallery) {
    const isUploaded = original.startsWith("u-");
    const file = isUploaded ? `u-${randomBytes(8).toString("hex")}.jpg` : original;
    if (isUploaded) {
      const { rowCount } = await tx.execute(sql`
        insert into picture_originals (file, bytes, sha256, size, type, width, height, created_at)
        select ${file}, bytes, sha256, size, type, width, height, ${now.toISOString()}::timestamptz
        from picture_originals where file = ${original}`);
      if (rowCount === 0) continue;
    }
    const status = isUploaded ? ("processing" as const) : image.status;
    const [row] = await tx
      .insert(productImages)
      .values({ ...image, productId: to, file, position, status })
      .returning({ id: productImages.id });
    position += 1;
    if (row && isUploaded) await addJob(tx, makePictureJob, { imageId: row.id });
  }
}
