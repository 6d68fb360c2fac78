import * as v from "valibot";
import { wholeCents } from "../shared/number-fields.ts";
import { strictForm } from "../shared/strict-form.ts";

// Separate from shipping-policy.ts, so that shoppers' browsers do not load the schema library for it.

const cents = wholeCents(0, "At least $0.00", 99_999_999, "At most $999,999.99");
export const daysSchema = v.pipe(
  v.number("Must be a number of days"),
  v.integer("Must be a whole number of days"),
  v.minValue(0, "At least 0 days"),
  v.maxValue(365, "At most 365 days"),
);
const id = v.pipe(
  v.string("Must be text"),
  v.regex(/^[a-z0-9-]{1,40}$/, "Use lowercase letters, digits and hyphens"),
);

const shippingOptionSchema = strictForm({
  id,
  name: v.pipe(
    v.string("Must be text"),
    v.trim(),
    v.minLength(1, "Give this option a name"),
    v.maxLength(60, "At most 60 characters"),
  ),
  price: cents,
  /** Free from this subtotal (cents) on; null if it is never free. */
  freeFrom: v.nullable(cents),
  /** Business days to deliver, [least, most]. */
  days: v.strictTuple([daysSchema, daysSchema], "Give the least and the most days"),
});

export const shippingPolicySchema = strictForm({
  zones: v.pipe(
    v.array(
      strictForm({
        id,
        countries: v.union(
          [
            v.literal("*"),
            v.array(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, "Must be a two-letter country code"))),
          ],
          "Must be a list of countries, or * for all others",
        ),
        options: v.pipe(
          v.array(shippingOptionSchema, "Must be a list"),
          v.minLength(1, "Add at least one option"),
          v.maxLength(10, "At most 10 options"),
        ),
        /** Whether checkout asks carriers for their prices, which replace those of the options. */
        liveRates: v.exactOptional(v.boolean("Must be true or false")),
      }),
      "Must be a list",
    ),
    v.minLength(1, "Add at least one zone"),
    v.maxLength(50, "At most 50 zones"),
  ),
});

export type ShippingOption = v.InferOutput<typeof shippingOptionSchema>;
export type ShippingPolicy = v.InferOutput<typeof shippingPolicySchema>;
