import * as v from "valibot";
import { areProductsUnique, unitsOfProduct, wholeCents } from "../shared/number-fields.ts";
import { optionalText } from "../shared/required-text.ts";
import { refundedLineSchema } from "./line-refund.ts";

/** Days for which an order edit can be paid; its units are reserved in the meantime. */
export const editDays = 3;

const unitsSchema = v.pipe(
  v.array(v.object(unitsOfProduct), "Must be a list"),
  v.maxLength(50, "Name at most 50 products"),
  v.check((units) => areProductsUnique(units), "List each product only once"),
);

/** Units to add to a paid order and to remove. `shipping`: cents of shipping to charge in addition. */
export const requestedItemsSchema = v.pipe(
  v.object({
    add: v.optional(unitsSchema, []),
    remove: v.optional(unitsSchema, []),
    shipping: v.optional(wholeCents(0, "Must not be negative", 1_000_000, "Is more than shipping costs"), 0),
  }),
  v.forward(
    v.check(
      ({ add, remove }) =>
        !remove.some(({ productId }) => add.some((added) => added.productId === productId)),
      "Add a product or take it out, not both",
    ),
    ["add"],
  ),
);
export type RequestedItems = v.InferOutput<typeof requestedItemsSchema>;

/**
 * A request to edit an order. `version` of the order and `difference` (cents, negative for a refund) must be those of the
 * preview, so that no other amount is agreed to. `email`: whether to notify the buyer.
 */
export const orderEditRequestSchema = v.object({
  ...requestedItemsSchema.entries,
  version: v.pipe(v.string("Must be text"), v.maxLength(64)),
  difference: v.pipe(v.number("Must be a number of cents"), v.integer("Must be a whole number of cents")),
  note: optionalText(500),
  email: v.optional(v.boolean("Must be true or false"), true),
});
export type OrderEditRequest = v.InferOutput<typeof orderEditRequestSchema>;

/** Added units: price after bundles, including tax if prices do, and the tax. Cents. */
const addedSchema = v.object({
  productId: v.number(),
  name: v.string(),
  image: v.nullable(v.string()),
  quantity: v.number(),
  unitPrice: v.number(),
  total: v.number(),
  tax: v.number(),
});
const removedSchema = v.object({ ...refundedLineSchema.entries, name: v.string() });

/** Amounts of an edit in cents. `difference`: charged to the buyer, or refunded if negative. */
const sumsSchema = {
  added: v.array(addedSchema),
  removed: v.array(removedSchema),
  /** Goods, shipping and tax of the added units, and their sum. */
  goods: v.number(),
  shipping: v.number(),
  tax: v.number(),
  addedTotal: v.number(),
  removedTotal: v.number(),
  difference: v.number(),
  /** Name of a tax included in the order's prices; missing if tax is added to them. */
  taxIncluded: v.exactOptional(v.string()),
};

/**
 * `settlement` of the difference. `link`: the buyer pays by a link; `outside`: it was paid outside the shop, as the order was;
 * `refund`: it is refunded; `none`: it is zero.
 */
export const orderEditPreviewSchema = v.object({
  version: v.string(),
  ...sumsSchema,
  settlement: v.picklist(["link", "outside", "refund", "none"]),
});
export type OrderEditPreview = v.InferOutput<typeof orderEditPreviewSchema>;

const orderEditStatusSchema = v.picklist(["waiting", "applied", "withdrawn", "expired"]);

export const orderEditSchema = v.object({
  id: v.string(),
  status: orderEditStatusSchema,
  ...sumsSchema,
  note: v.nullable(v.string()),
  createdAt: v.string(),
  sentAt: v.nullable(v.string()),
  /** End of the time to pay; null if there is nothing to pay. */
  expiresAt: v.nullable(v.string()),
  endedAt: v.nullable(v.string()),
  /** The provider's payment of the difference. */
  intentId: v.nullable(v.string()),
  dashboardUrl: v.nullable(v.string()),
});
export type OrderEdit = v.InferOutput<typeof orderEditSchema>;

/** An order edit on the page of its payment link. */
export const payableEditSchema = v.object({
  /** The payment is the difference of an exchange, which adds and removes no items of an order. */
  isExchange: v.exactOptional(v.literal(true)),
  status: v.picklist(["waiting", "processing", "applied", "withdrawn", "expired"]),
  orderNumber: v.number(),
  customerName: v.string(),
  currency: v.string(),
  ...sumsSchema,
  note: v.nullable(v.string()),
  expiresAt: v.nullable(v.string()),
});
export type PayableEdit = v.InferOutput<typeof payableEditSchema>;

/** An order edit on the buyer's order page. */
export const ownEditSchema = v.object({ id: v.string(), ...payableEditSchema.entries });
export type OwnEdit = v.InferOutput<typeof ownEditSchema>;

/**
 * The rows that display an edit; they add up to `difference`. If prices include tax, so does each row, and `includedTax` is the sum;
 * otherwise tax has its own row. Cents, negative for a refund.
 */
export function editRows({
  added,
  removed,
  shipping,
  tax,
  taxIncluded,
}: Pick<OrderEditPreview, "added" | "removed" | "shipping" | "tax" | "taxIncluded">) {
  const isIncluded = taxIncluded !== undefined;
  const goodsTax = added.reduce((sum, line) => sum + line.tax, 0);
  const removedTax = removed.reduce((sum, { taxCents }) => sum + taxCents, 0);
  return {
    removed: removed.map((line) => ({
      ...line,
      total: line.goodsCents + (isIncluded ? line.taxCents : 0),
    })),
    shipping: shipping + (isIncluded ? tax - goodsTax : 0),
    tax: isIncluded ? 0 : tax - removedTax,
    includedTax: isIncluded ? tax - removedTax : 0,
  };
}

/** "2 × Pure Batana Oil, 1 × Comb" */
export function unitsText(units: readonly { quantity: number; name: string }[]): string {
  return units.map(({ quantity, name }) => `${quantity} × ${name}`).join(", ");
}

/** "Added: 2 × Oil. Removed: 1 × Comb." */
export function editText({
  added,
  removed,
}: {
  added: readonly { quantity: number; name: string }[];
  removed: readonly { quantity: number; name: string }[];
}): string {
  return [
    ...(added.length > 0 ? [`Added: ${unitsText(added)}.`] : []),
    ...(removed.length > 0 ? [`Removed: ${unitsText(removed)}.`] : []),
  ].join(" ");
}
