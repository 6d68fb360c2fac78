import * as v from "valibot";

/** Units of one line that a refund pays back: what was paid for them after bundles and discount, and their tax. Cents. */
export const refundedLineSchema = v.object({
  productId: v.number(),
  quantity: v.number(),
  goodsCents: v.number(),
  taxCents: v.number(),
});
export type RefundedLine = v.InferOutput<typeof refundedLineSchema>;
