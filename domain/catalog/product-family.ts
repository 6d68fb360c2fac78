import * as v from "valibot";
import { productIdSchema } from "../shared/number-fields.ts";
import { oneLine } from "../shared/required-text.ts";
import { newProductSchema, productLimits } from "./product-admin.ts";

const size = v.pipe(
  v.string("Enter a size"),
  v.trim(),
  v.minLength(1, "Enter a size"),
  v.maxLength(productLimits.size, `At most ${productLimits.size} characters`),
  oneLine,
);

/** A new size of a product; all other fields are copied from the product it is added to. */
export const newSizeSchema = v.object({
  ...v.pick(newProductSchema, [
    "price",
    "compareAtPrice",
    "cost",
    "sku",
    "gtin",
    "weightGrams",
    "stock",
    "published",
  ]).entries,
  size,
  /** Whether to copy the pictures. */
  pictures: v.optional(v.boolean("Must be true or false"), true),
});
export type NewSize = v.InferOutput<typeof newSizeSchema>;

/** All sizes of a product in the order shown on the product page. */
export const sizeOrderSchema = v.object({ order: v.pipe(v.array(productIdSchema), v.maxLength(100)) });

/** Makes a product a size of another. `size`: its new size label. */
export const joinFamilySchema = v.object({ productId: productIdSchema, size: v.optional(size) });
