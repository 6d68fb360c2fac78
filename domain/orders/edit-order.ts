import * as v from "valibot";
import { recipientSchema, shippingAddressSchema } from "../checkout/checkout.ts";
import { emailSchema } from "../shared/email-address.ts";
import { orderTagMax, orderTagsMax } from "./order-tags.ts";

const oneLine = (max: number) =>
  v.pipe(
    v.string("Must be text"),
    v.trim(),
    v.minLength(1, "Write something"),
    v.maxLength(max, `Use at most ${max} characters`),
    v.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "Use one line"),
  );

/** Lower case, so that a tag is one however it is typed. */
export const orderTagSchema = v.pipe(oneLine(orderTagMax), v.toLowerCase());

const tagsSchema = v.pipe(
  v.array(orderTagSchema, "Must be a list"),
  v.maxLength(orderTagsMax, `At most ${orderTagsMax} tags`),
);

/** Tags to add to an order and to take off it; the others stay. */
export const tagChangeSchema = v.object({
  add: v.optional(tagsSchema, []),
  remove: v.optional(tagsSchema, []),
});

/** Whether an order is held back, and why. */
export const holdSchema = v.object({
  held: v.boolean("Must be true or false"),
  reason: v.optional(
    v.nullable(
      v.pipe(
        v.string("Must be text"),
        v.trim(),
        v.maxLength(200, "Use at most 200 characters"),
        v.transform((text) => text || null),
      ),
    ),
    null,
  ),
});

/** What whoever packs an order has found wrong. */
export const packingProblemSchema = v.object({ reason: oneLine(200) });

/**
 * Whom an order is for, and where it goes. `version` is that of the order it was read with. `waiveDifference`: although
 * shipping or tax would cost a different amount there, nothing more is charged and nothing given back.
 */
export const contactChangeSchema = v.object({
  ...recipientSchema.entries,
  email: emailSchema,
  /** Null: where it goes stays as it is. */
  shipping: v.optional(v.nullable(shippingAddressSchema), null),
  version: v.pipe(v.string("Must be text"), v.maxLength(64)),
  waiveDifference: v.optional(v.boolean("Must be true or false"), false),
});
export type ContactChange = v.InferOutput<typeof contactChangeSchema>;
