import { inArray } from "drizzle-orm";
import { uploadedHash } from "../../../domain/catalog/product-image.ts";
import type { Db } from "../../platform/database/database.ts";
import { productImages } from "../tables.ts";
import { pictureSizes, thumbnailOf } from "./sizes.ts";

/**
 * Stored pictures -> paths for e-mails: JPEG, which every mail program shows, or else, of one that is no product's any
 * more, the smallest size there is.
 */
export async function mailPictures(db: Db, files: readonly string[]): Promise<Map<string, string>> {
  const uploaded = files.filter((file) => uploadedHash(file) !== null);
  const known =
    uploaded.length === 0
      ? []
      : await db
          .select({ file: productImages.file, width: productImages.width, height: productImages.height })
          .from(productImages)
          .where(inArray(productImages.file, uploaded));
  const sizes = new Map(known.map((one) => [one.file, one]));
  return new Map(
    files.map((file) => {
      const picture = sizes.get(file) ?? { file, width: null, height: null };
      const isUnknown = uploadedHash(file) !== null && picture.width === null;
      return [file, isUnknown ? thumbnailOf(file) : pictureSizes({ ...picture, alt: "" }).url];
    }),
  );
}

export async function mailPicture(db: Db, file: string | null): Promise<string | null> {
  return file === null ? null : ((await mailPictures(db, [file])).get(file) ?? null);
}
