import * as v from "valibot";
import { oneLine } from "../shared/required-text.ts";
import { newProductSchema, productLimits } from "./product-admin.ts";

const size = v.pipe(
  v.string("Enter a size"),
  v.trim(),
  v.minLength(1, "Enter a size"),
  v.maxLength(productLimits.size, `At most ${productLimits.size} characters`),
  oneLine,
);
const productId = v.pipe(v.number("Must be a number"), v.integer("Must be a number"), v.minValue(1));

/** Another size of a product: everything else is taken from the product that it is added to. */
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
  /** Whether it begins with the same pictures; false: with none. */
  pictures: v.optional(v.boolean("Must be true or false"), true),
});
export type NewSize = v.InferOutput<typeof newSizeSchema>;

/** All sizes of a product in the order that shoppers see. */
export const sizeOrderSchema = v.object({ order: v.pipe(v.array(productId), v.maxLength(100)) });

/** Makes a product one of the sizes of another. `size`: what its size is called, where that changes. */
export const joinFamilySchema = v.object({ productId, size: v.optional(size) });
