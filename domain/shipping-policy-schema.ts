import * as v from "valibot";

// Apart from what pages compute with a policy: browsers never parse one, and the schema library weighs more than that.

const cents = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(99_999_999));
const days = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(365));
const id = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,40}$/, "Use small letters, digits and hyphens"));

const shippingOptionSchema = v.object({
  id,
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60)),
  price: cents,
  /** Subtotal in cents from which this option costs nothing; null: never. */
  freeFrom: v.nullable(cents),
  /** Business days to deliver, [least, most]. */
  days: v.tuple([days, days]),
});

export const shippingPolicySchema = v.object({
  zones: v.pipe(
    v.array(
      v.object({
        id,
        countries: v.union([v.literal("*"), v.array(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)))]),
        options: v.pipe(v.array(shippingOptionSchema), v.minLength(1), v.maxLength(10)),
      }),
    ),
    v.minLength(1),
    v.maxLength(50),
  ),
});

export type ShippingOption = v.InferOutput<typeof shippingOptionSchema>;
export type ShippingPolicy = v.InferOutput<typeof shippingPolicySchema>;
