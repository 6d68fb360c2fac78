import * as v from "valibot";
import { maxCartLines } from "../cart/cart-limits.ts";
import { areProductsUnique, unitsOfProduct } from "../shared/number-fields.ts";
import { optionalText } from "../shared/required-text.ts";

/** Why units are sent again at no charge. */
export const replacementReasons = {
  lost: "Lost on the way",
  damaged: "Damaged",
  wrong: "Wrong item",
} as const;
export type ReplacementReason = keyof typeof replacementReasons;

const units = v.pipe(
  v.array(v.object(unitsOfProduct), "Must be a list"),
  v.minLength(1, "Choose at least one product"),
  v.maxLength(maxCartLines, `At most ${maxCartLines} lines`),
  v.check((lines) => areProductsUnique(lines), "List each product only once"),
);
const note = optionalText(500);

export const replacementReasonSchema = v.picklist(["lost", "damaged", "wrong"], "Choose what happened");

export const replacementRequestSchema = v.object({
  items: units,
  reason: replacementReasonSchema,
  /** Sent to the buyer in the e-mail. */
  note,
});
export type ReplacementRequest = v.InferOutput<typeof replacementRequestSchema>;

export const exchangeRequestSchema = v.object({
  returned: units,
  items: units,
  /** Sent to the buyer in the e-mail. */
  note,
  /** Where to send the parcel; null for the text in `sendTo` of `exchangePreviewSchema`. */
  sendTo: note,
});
export type ExchangeRequest = v.InferOutput<typeof exchangeRequestSchema>;

/**
 * `settled`: the new order is paid, by the returned units and any difference, and can ship. `ended`: it was never paid, because
 * the time ran out or the exchanged order was refunded, cancelled, disputed or erased.
 */
const exchangeStatusSchema = v.picklist(["waits_for_payment", "waits_for_return", "settled", "ended"]);
export type ExchangeStatus = v.InferOutput<typeof exchangeStatusSchema>;

/** `orderId`: the new order. `difference` in cents: paid by the buyer, or if negative, refunded once the return has arrived. */
export const exchangeSchema = v.object({
  id: v.string(),
  orderId: v.string(),
  difference: v.number(),
  status: exchangeStatusSchema,
});
export type Exchange = v.InferOutput<typeof exchangeSchema>;

export const exchangePreviewSchema = v.object({
  /** Price paid for the returned units, and price of the new ones, including tax. Cents. */
  returned: v.number(),
  items: v.number(),
  difference: v.number(),
  /** Return address in the buyer’s e-mail, unless the request has one. */
  sendTo: v.string(),
});

export const linkedOrderSchema = v.object({ id: v.string(), number: v.number() });

/** A follow-up order's kind, and the number of the original order. */
export const followUpSchema = v.object({
  kind: v.picklist(["replacement", "exchange"]),
  number: v.number(),
});
export type FollowUp = v.InferOutput<typeof followUpSchema>;

/** "Replaces #1001" */
export function followUpText({ kind, number }: FollowUp): string {
  return kind === "replacement" ? `Replaces #${number}` : `Exchange of #${number}`;
}

/** The original order, from the links `replaces` and `exchangeOf` of a follow-up order. */
export function findFollowUp({
  replaces,
  exchangeOf,
}: {
  replaces: { number: number } | null;
  exchangeOf: { of: { number: number } } | null;
}): FollowUp | null {
  if (replaces) return { kind: "replacement", number: replaces.number };
  return exchangeOf && { kind: "exchange", number: exchangeOf.of.number };
}

/** The reason for the refund of a difference in the buyer's favor. */
export const leftOverReason = "Left over from the exchange";

/** An exchange as both of its orders show it. */
export const linkedExchangeSchema = v.object({
  ...exchangeSchema.entries,
  number: v.number(),
  returnId: v.string(),
  returned: v.array(v.object({ productId: v.number(), name: v.string(), quantity: v.number() })),
  /** Price paid for the returned units, in cents. */
  value: v.number(),
  receivedAt: v.nullable(v.string()),
  /** Whether the new order was paid and then cancelled. */
  isCancelled: v.boolean(),
});
export type LinkedExchange = v.InferOutput<typeof linkedExchangeSchema>;
