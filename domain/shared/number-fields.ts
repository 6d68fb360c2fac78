import * as v from "valibot";

/** A whole number from `min` to `max`, with the messages for one that is too small or too large. */
export function wholeNumber(min: number, tooSmall: string, max: number, tooLarge: string) {
  return v.pipe(
    v.number("Must be a number"),
    v.integer("Must be a whole number"),
    v.minValue(min, tooSmall),
    v.maxValue(max, tooLarge),
  );
}

/** An amount in cents, with the parameters of `wholeNumber`. */
export function wholeCents(min: number, tooSmall: string, max: number, tooLarge: string) {
  return v.pipe(
    v.number("Must be a number of cents"),
    v.integer("Must be a whole number of cents"),
    v.minValue(min, tooSmall),
    v.maxValue(max, tooLarge),
  );
}

/** Whether a list of units names no product twice. */
export function areProductsUnique(units: readonly { productId: number }[]): boolean {
  return new Set(units.map(({ productId }) => productId)).size === units.length;
}

export const productIdSchema = wholeNumber(1, "Must be 1 or more", 2_147_483_647, "Too large");

/** Entries of a number of units of a product, in calls of the panel. */
export const unitsOfProduct = {
  productId: productIdSchema,
  quantity: wholeNumber(1, "Must be 1 or more", 99, "Must be 99 or less"),
};
