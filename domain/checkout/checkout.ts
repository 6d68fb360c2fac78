import * as v from "valibot";
import { missingParts, missingText } from "../address/address-format.ts";
import { maxCartLines, maxQuantity } from "../cart/cart-limits.ts";
import { giftRequestSchema } from "../orders/gift.ts";
import { sourceRequestSchema } from "../orders/source.ts";
import { paymentProviders } from "../payments/providers.ts";
import { countryName, stateCode } from "../shared/country.ts";
import { emailSchema } from "../shared/email-address.ts";
import { productIdSchema, wholeNumber } from "../shared/number-fields.ts";
import { requiredLine, requiredText } from "../shared/required-text.ts";
import { uuidSchema } from "../shared/uuid.ts";
import { totalsSchema } from "./totals.ts";

const optionalText = (max: number) =>
  v.optional(
    v.pipe(
      v.nullable(v.string()),
      v.transform((value) => value?.trim() || null),
      v.nullable(v.pipe(v.string(), v.maxLength(max, `At most ${max} characters`))),
    ),
    null,
  );

/** Missing and null become ""; whether the country requires it is checked later. */
const textOrEmpty = (max: number) =>
  v.optional(
    v.pipe(
      v.nullable(v.string("Must be text")),
      v.transform((value) => value?.trim() ?? ""),
      v.maxLength(max, `At most ${max} characters`),
    ),
    "",
  );

export const quantitySchema = wholeNumber(1, "Must be 1 or more", maxQuantity, `At most ${maxQuantity}`);
export const countrySchema = v.pipe(
  v.string("Choose a country"),
  v.trim(),
  v.toUpperCase(),
  v.check((code) => countryName(code) !== null, "Choose a country from the list"),
);

const addressPartsSchema = v.object({
  line1: requiredText(200, "Enter your street address"),
  line2: optionalText(200),
  city: textOrEmpty(100),
  state: textOrEmpty(100),
  postalCode: textOrEmpty(20),
  country: countrySchema,
});

/** A state's name becomes its code, so that tax rates match. Required parts depend on the country. */
export const shippingAddressSchema = v.pipe(
  addressPartsSchema,
  v.transform((address) => ({ ...address, state: stateCode(address.country, address.state) })),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    for (const key of missingParts(value.country, value)) {
      const path = { type: "object", origin: "value", input: value, key, value: value[key] } as const;
      addIssue({ message: missingText(key, value.country), path: [path] });
    }
  }),
);

export const recipientSchema = v.object({
  customerName: requiredLine(200, "Enter your name"),
  phone: optionalText(40),
});

const amountSchema = v.pipe(
  v.number("Must be a number"),
  v.integer("Must be whole cents"),
  v.minValue(0, "Must not be negative"),
);

/** Body of `POST /api/stripe/create-payment-intent` and `/create-checkout-session`. Amounts in cents. */
export const checkoutRequestSchema = v.object({
  amount: amountSchema,
  orderItems: v.pipe(
    v.array(
      v.object({
        productId: productIdSchema,
        quantity: quantitySchema,
        price: amountSchema,
      }),
      "Must be a list",
    ),
    v.minLength(1, "The cart is empty"),
    v.maxLength(maxCartLines, `At most ${maxCartLines} lines`),
  ),
  metadata: v.object({
    email: emailSchema,
    ...recipientSchema.entries,
    shippingAddress: requiredText(1000, "Enter your address"),
    country: optionalText(100),
  }),
  shipping: v.optional(v.nullable(shippingAddressSchema), null),
  shippingOption: v.optional(
    v.nullable(v.pipe(v.string("Must be text"), v.maxLength(40, "At most 40 characters"))),
    null,
  ),
  discountCode: optionalText(40),
  /** Missing or null if it is no gift; a repeated call must then omit it as well. */
  gift: v.exactOptional(v.nullable(giftRequestSchema)),
  /** Where the buyer came from, as the browser reports it; unreadable parts are left out. A repeated call may differ in it. */
  source: v.exactOptional(sourceRequestSchema),
  /** The address comes from a wallet's sheet, which also sends it to the payment provider. */
  wallet: v.exactOptional(v.boolean("Must be true or false")),
  /** From `POST /api/cart/quote`: the carriers' prices that the buyer was shown. */
  rateQuoteId: v.exactOptional(uuidSchema),
});
export type CheckoutRequest = v.InferOutput<typeof checkoutRequestSchema>;

export const checkoutStartedSchema = v.object({
  clientSecret: v.string(),
  paymentIntentId: v.string(),
  /** The provider's status of the payment; a repeated call may find it `succeeded` or `processing`. */
  status: v.string(),
  payment: v.picklist(["unpaid", "processing", "paid"]),
  orderId: v.string(),
  orderNumber: v.number(),
  totals: totalsSchema,
  publishableKey: v.nullable(v.string()),
  provider: v.picklist(paymentProviders),
});
export type CheckoutStarted = v.InferOutput<typeof checkoutStartedSchema>;
