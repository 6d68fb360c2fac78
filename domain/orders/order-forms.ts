import * as v from "valibot";
import { recipientSchema, shippingAddressSchema } from "../checkout/checkout.ts";
import { emailSchema } from "../shared/email-address.ts";
import { optionalText } from "../shared/required-text.ts";
import { maxOrderTagLength, maxOrderTags } from "./order-limits.ts";

const oneLine = (max: number) =>
  v.pipe(
    v.string("Must be text"),
    v.trim(),
    v.minLength(1, "Write something"),
    v.maxLength(max, `Use at most ${max} characters`),
    v.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "Use one line"),
  );

/** Lower case, so that tags do not differ by capitals. */
const orderTagSchema = v.pipe(oneLine(maxOrderTagLength), v.toLowerCase());

const tagsSchema = v.pipe(
  v.array(orderTagSchema, "Must be a list"),
  v.maxLength(maxOrderTags, `At most ${maxOrderTags} tags`),
);

export const tagChangeSchema = v.object({
  add: v.optional(tagsSchema, []),
  remove: v.optional(tagsSchema, []),
});

export const holdSchema = v.object({
  held: v.boolean("Must be true or false"),
  reason: optionalText(200),
});

/** A packer's report of a problem. */
export const packingProblemSchema = v.object({ reason: oneLine(200) });

/**
 * Recipient and address of an order. `version` is that of the order on which the change is based. `waiveDifference`: changes the
 * address without charging or refunding a difference in shipping or tax.
 */
export const contactChangeSchema = v.object({
  ...recipientSchema.entries,
  email: emailSchema,
  /** Null if the address is unchanged. */
  shipping: v.optional(v.nullable(shippingAddressSchema), null),
  version: v.pipe(v.string("Must be text"), v.maxLength(64)),
  waiveDifference: v.optional(v.boolean("Must be true or false"), false),
});
export type ContactChange = v.InferOutput<typeof contactChangeSchema>;
