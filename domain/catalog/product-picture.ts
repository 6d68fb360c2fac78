import * as v from "valibot";

/** A picture's attributes for `<picture>`. `srcset` values are complete attribute strings. */
export const productImageSchema = v.object({
  url: v.string(),
  alt: v.string(),
  width: v.number(),
  height: v.number(),
  srcset: v.object({ avif: v.string(), webp: v.string() }),
});
export type ProductImage = v.InferOutput<typeof productImageSchema>;
