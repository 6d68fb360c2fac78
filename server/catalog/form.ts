import * as v from "valibot";
import { productLimits as most } from "../../domain/catalog/product-admin.ts";

const text = (max: number) =>
  v.pipe(v.string("Must be text"), v.trim(), v.maxLength(max, `At most ${max} characters`));
const lines = (max: number) =>
  v.pipe(
    v.string("Must be text"),
    v.transform((typed) => typed.replaceAll("\r\n", "\n").trim()),
    v.maxLength(max, `At most ${max} characters`),
  );
const yesOrNo = v.boolean("Must be true or false");
const wholeNumber = (max: number) =>
  v.pipe(
    v.number("Must be a whole number"),
    v.integer("Must be a whole number"),
    v.minValue(0, "Must be 0 or more"),
    v.maxValue(max, `At most ${max}`),
  );

const name = v.pipe(text(most.name), v.minLength(1, "Enter a name"));
const price = v.pipe(
  v.number("Must be a whole number of cents"),
  v.integer("Must be a whole number of cents"),
  v.minValue(0, "Must be 0 or more"),
  v.maxValue(most.price, `At most ${most.price} cents`),
);
const alt = v.pipe(
  v.string("Say what is in the picture"),
  v.trim(),
  v.minLength(1, "Say what is in the picture"),
  v.maxLength(most.alt, `At most ${most.alt} characters`),
);

/** Whoever saves may say which revision they began from: then what somebody else has saved since is not overwritten. */
const revision = v.optional(wholeNumber(2_147_483_647));

const fields = {
  name: v.optional(name),
  slug: v.optional(
    v.pipe(
      text(most.slug),
      v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Small letters, digits and single hyphens between them"),
    ),
  ),
  size: v.optional(text(most.size)),
  shortDescription: v.optional(text(most.shortDescription)),
  description: v.optional(lines(most.description)),
  benefits: v.optional(
    v.pipe(
      v.array(
        v.pipe(text(most.benefit), v.minLength(1, "Write something, or remove the line")),
        "Must be a list",
      ),
      v.maxLength(most.benefits, `At most ${most.benefits} benefits`),
    ),
  ),
  usage: v.optional(lines(most.usage)),
  isBestseller: v.optional(yesOrNo),
  isNew: v.optional(yesOrNo),
  published: v.optional(yesOrNo),
  stock: v.optional(wholeNumber(most.stock)),
};

export const newProductSchema = v.object({ ...fields, name, price });
export const productChangeSchema = v.pipe(
  v.object({ ...fields, revision }),
  v.check(
    ({ revision: _, ...change }) => Object.values(change).some((value) => value !== undefined),
    "Send at least one field to change",
  ),
);
export const priceSchema = v.object({ price, revision });
export const uploadSchema = v.object({ alt });
export const pictureChangeSchema = v.pipe(
  v.object({ alt: v.optional(alt), position: v.optional(wholeNumber(most.images)) }),
  v.check(
    (change) => change.alt !== undefined || change.position !== undefined,
    "Send an alt text or a position",
  ),
);

export type NewProduct = v.InferOutput<typeof newProductSchema>;
export type ProductChange = v.InferOutput<typeof productChangeSchema>;
export type PictureChange = v.InferOutput<typeof pictureChangeSchema>;
