import * as v from "valibot";
import { quoteSchema } from "../cart/cart.ts";
import { maxCartLines } from "../cart/cart-limits.ts";
import {
  countrySchema,
  quantitySchema,
  recipientSchema,
  shippingAddressSchema,
} from "../checkout/checkout.ts";
import { emailSchema } from "../shared/email-address.ts";
import { maxOrderTotalCents } from "../shared/money.ts";
import { areProductsUnique, productIdSchema, wholeCents, wholeNumber } from "../shared/number-fields.ts";
import { optionalText } from "../shared/required-text.ts";
import { uuidSchema } from "../shared/uuid.ts";

/** Days for which a payment link can be used, from the draft's last change or sending. */
export const draftDays = 14;

const centsSchema = wholeCents(0, "Must not be negative", maxOrderTotalCents, "Is more than any order");

/** The fields that the price of a draft order depends on. */
const pricedEntries = {
  shippingOption: optionalText(40),
  /** The agreed price of the shipping, in cents; null for the price of the shipping policy. */
  shippingCents: v.optional(v.nullable(centsSchema), null),
  items: v.pipe(
    v.array(
      v.object({
        productId: productIdSchema,
        quantity: quantitySchema,
        /** The agreed price of one unit, in cents; null for the shop's price, with its bundles. */
        price: v.optional(v.nullable(centsSchema), null),
      }),
      "Must be a list",
    ),
    v.minLength(1, "Choose at least one product"),
    v.maxLength(maxCartLines, `At most ${maxCartLines} lines`),
    v.check((units) => areProductsUnique(units), "List each product only once"),
  ),
  discountCode: optionalText(40),
  /** The owner's discount on the goods, instead of a code. Cents. */
  discountCents: v.optional(centsSchema, 0),
};

/** A draft order as the owner typed it. */
export const draftRequestSchema = v.object({
  email: emailSchema,
  ...recipientSchema.entries,
  shipping: shippingAddressSchema,
  ...pricedEntries,
  note: optionalText(2000),
});
export type DraftRequest = v.InferOutput<typeof draftRequestSchema>;

/** An unfinished draft to be priced. `id`: the draft that is being edited; null for a new one. */
export const draftPreviewRequestSchema = v.object({
  ...pricedEntries,
  id: v.optional(v.nullable(uuidSchema), null),
  shipping: v.object({ country: countrySchema, state: v.optional(v.pipe(v.string(), v.maxLength(100)), "") }),
});

/** The revision that a change is based on. */
export const draftRevisionSchema = wholeNumber(1, "Must be 1 or more", 2_147_483_646, "Is no revision");

/**
 * `open`: the link has not been sent. `opened`: there is an unpaid order. `expired`: the link can no longer be used; saving or
 * sending the draft again renews it.
 */
const draftStatusSchema = v.picklist(["open", "sent", "opened", "processing", "paid", "expired"]);
export type DraftStatus = v.InferOutput<typeof draftStatusSchema>;

const storedSchema = v.object({
  id: v.string(),
  /** Incremented with each change; a change names the revision it is based on. */
  revision: v.number(),
  status: draftStatusSchema,
  email: v.string(),
  customerName: v.string(),
  createdAt: v.string(),
  changedAt: v.string(),
  sentAt: v.nullable(v.string()),
  expiresAt: v.string(),
  /** The resulting order, once the link was opened for payment or the draft was marked as paid outside. */
  order: v.nullable(v.object({ id: v.string(), number: v.number() })),
});

export const draftRowSchema = v.object({ ...storedSchema.entries, units: v.number() });
export type DraftRow = v.InferOutput<typeof draftRowSchema>;

const draftPriceSchema = v.object({
  /** Priced as checkout would now, at the agreed prices. */
  quote: quoteSchema,
  /** How much agreed prices and the owner's discount take off the shop's prices, in cents; a code does not count. */
  takenOff: v.number(),
  /** Problems that prevent payment, by field. */
  problems: v.record(v.string(), v.string()),
});
export const draftPreviewSchema = draftPriceSchema;
export type DraftPreview = v.InferOutput<typeof draftPreviewSchema>;

export const draftSchema = v.object({
  ...storedSchema.entries,
  phone: v.nullable(v.string()),
  shipping: v.object({
    line1: v.string(),
    line2: v.nullable(v.string()),
    city: v.string(),
    state: v.string(),
    postalCode: v.string(),
    country: v.string(),
  }),
  shippingOption: v.nullable(v.string()),
  shippingCents: v.nullable(v.number()),
  items: v.array(v.object({ productId: v.number(), quantity: v.number(), price: v.nullable(v.number()) })),
  discountCode: v.nullable(v.string()),
  discountCents: v.number(),
  note: v.nullable(v.string()),
  ...draftPriceSchema.entries,
});
export type Draft = v.InferOutput<typeof draftSchema>;

export const draftEditSchema = v.object({ ...draftRequestSchema.entries, revision: draftRevisionSchema });

export const offlinePaymentMethods = {
  cash: "Cash",
  bank: "Bank transfer",
  other: "Paid outside the shop",
} as const;

/** Whether an order's `paidWith` stands for a payment outside the shop. */
export function isPaidOutside(paidWith: string | null): boolean {
  return Object.values<string | null>(offlinePaymentMethods).includes(paidWith);
}

export const paidOutsideSchema = v.object({
  revision: draftRevisionSchema,
  method: v.picklist(["cash", "bank", "other"], "Choose how it was paid"),
  reason: v.pipe(
    v.string("Must be text"),
    v.trim(),
    v.minLength(1, "Say who took the money, and where it is"),
    v.maxLength(500, "Use at most 500 characters"),
  ),
  /** The amount paid in cents; must equal the total, as a safeguard. */
  amount: v.pipe(
    v.number("Must be a number of cents"),
    v.integer("Must be a whole number of cents"),
    v.minValue(0, "Must not be negative"),
  ),
});

/** The page behind a payment link. */
export const payableSchema = v.object({
  status: draftStatusSchema,
  customerName: v.string(),
  addressLines: v.array(v.string()),
  shippingOption: v.nullable(v.string()),
  quote: quoteSchema,
  /** False if an item can no longer be sold; the shop then has to change the draft. */
  canBePaid: v.boolean(),
});
export type Payable = v.InferOutput<typeof payableSchema>;
