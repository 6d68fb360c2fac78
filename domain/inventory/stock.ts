import * as v from "valibot";
import { oneLine } from "../shared/required-text.ts";
import { changeIdSchema } from "../shared/uuid.ts";
import { isDate } from "../shared/zoned-days.ts";

/** Why the owner changed what is on the shelf; `expired` is the shop's own: units past their date leave the sale. */
export const stockReasons = [
  "received",
  "counted",
  "damaged",
  "lost",
  "sample",
  "returned",
  "expired",
  "other",
] as const;
export type StockReason = (typeof stockReasons)[number];

export const stockReasonLabels: Record<StockReason, string> = {
  received: "Delivery received",
  counted: "Counted again",
  damaged: "Damaged",
  lost: "Lost",
  sample: "Sample or gift",
  returned: "Came back",
  expired: "Past best before",
  other: "Other",
};

/** More than any shelf of this shop holds: a slip of the finger is caught. */
export const unitsMax = 1_000_000;
/** A list of batches does not count further: some went to very many orders. */
export const batchOrdersCounted = 1_000;
/** Days before its best-before date at which a batch is pointed out. */
const bestBeforeWarningDays = 90;

export const batchSchema = v.object({
  id: v.number(),
  code: v.string(),
  bestBefore: v.string(),
  receivedAt: v.string(),
  received: v.number(),
  remaining: v.number(),
  note: v.nullable(v.string()),
  /** Orders that units of it went to, counted up to `batchOrdersCounted` and one more. */
  orders: v.number(),
});
export type Batch = v.InferOutput<typeof batchSchema>;

const stockMovementSchema = v.object({
  id: v.number(),
  at: v.string(),
  kind: v.picklist(["sold", "returned", "adjusted"]),
  /** Units added, or taken where it is negative. */
  change: v.number(),
  reason: v.nullable(v.picklist(stockReasons)),
  note: v.nullable(v.string()),
  batchCode: v.nullable(v.string()),
  order: v.nullable(v.object({ id: v.string(), number: v.number() })),
});
export type StockMovement = v.InferOutput<typeof stockMovementSchema>;

/** What the owner sees of a product's stock. Times ISO 8601 UTC, dates `YYYY-MM-DD`. */
export const productStockSchema = v.object({
  product: v.object({ id: v.number(), name: v.string() }),
  onHand: v.number(),
  /** Promised to orders that are being paid. */
  reserved: v.number(),
  free: v.number(),
  /** On hand and in no batch. */
  unbatched: v.number(),
  lowStockAt: v.number(),
  /** Shoppers who wait for an e-mail when it is back in stock. */
  waiting: v.number(),
  /** By which dates are past or near. */
  today: v.string(),
  /** What is left first, the next to be sold on top; then those sold out. */
  batches: v.array(batchSchema),
  /** One page of the history, newest first. */
  movements: v.array(stockMovementSchema),
  nextCursor: v.nullable(v.string()),
});
export type ProductStock = v.InferOutput<typeof productStockSchema>;

const recallOrderSchema = v.object({
  orderId: v.string(),
  number: v.number(),
  /** When it was paid. */
  date: v.string(),
  /** Null where the buyer's data was deleted. */
  customerName: v.nullable(v.string()),
  email: v.nullable(v.string()),
  quantity: v.number(),
  returned: v.number(),
  shippedAt: v.nullable(v.string()),
});
export type RecallOrder = v.InferOutput<typeof recallOrderSchema>;

/** Whom to write to in a recall. */
export const batchRecallSchema = v.object({
  batch: v.object({ ...batchSchema.entries, productId: v.number(), productName: v.string() }),
  /** Of all its orders. `units`: sold and not come back; `nameless`: the buyer's data was deleted. */
  totals: v.object({ orders: v.number(), units: v.number(), unshipped: v.number(), nameless: v.number() }),
  /** Numbers of orders that have not left the house yet, the first of them. */
  unshipped: v.array(v.number()),
  /** One page, oldest first. */
  orders: v.array(recallOrderSchema),
  nextCursor: v.nullable(v.string()),
});
export type BatchRecall = v.InferOutput<typeof batchRecallSchema>;

const units = (min: number) =>
  v.pipe(
    v.number("Must be a whole number"),
    v.integer("Must be a whole number"),
    v.minValue(min, min === 0 ? "Must not be negative" : `At least ${min}`),
    v.maxValue(unitsMax, `At most ${unitsMax}`),
  );

const note = v.optional(
  v.nullable(
    v.pipe(
      v.string("Must be text"),
      v.trim(),
      v.maxLength(200, "Use at most 200 characters"),
      v.transform((text) => text || null),
    ),
  ),
  null,
);

const day = v.pipe(v.string("Must be a date"), v.check(isDate, "Must be a date like 2027-04-30"));

const ownReasons = stockReasons.filter((reason) => reason !== "expired");

/** `change`: units added or taken; `onHand`: what was counted. One of the two. */
export const stockChangeSchema = v.pipe(
  v.object({
    id: changeIdSchema,
    change: v.optional(units(-unitsMax)),
    onHand: v.optional(units(0)),
    reason: v.picklist(ownReasons, "Choose a reason"),
    note,
    batchId: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))), null),
  }),
  v.check(
    ({ change, onHand }) => (change === undefined) !== (onHand === undefined),
    "Send either change or onHand",
  ),
  v.check(({ change }) => change !== 0, "Nothing would change"),
  v.check(({ onHand, batchId }) => onHand === undefined || batchId === null, "A batch takes a change"),
);

/** A batch as it comes in. `fromUnbatched`: its units stand on the shelf already, and in no batch. */
export const newBatchSchema = v.object({
  code: v.pipe(
    v.string("Must be text"),
    v.trim(),
    v.minLength(1, "Enter the code printed on the bottles"),
    v.maxLength(40, "Use at most 40 characters"),
    oneLine,
  ),
  bestBefore: day,
  quantity: units(1),
  note,
  fromUnbatched: v.optional(v.boolean("Must be true or false"), false),
});
export type NewBatch = v.InferOutput<typeof newBatchSchema>;

export const batchChangeSchema = v.pipe(
  v.object({ bestBefore: v.optional(day), note: v.optional(note.wrapped) }),
  v.check(({ bestBefore, note }) => bestBefore !== undefined || note !== undefined, "Nothing would change"),
);
export type BatchChange = v.InferOutput<typeof batchChangeSchema>;

/** Where a batch stands on a day: past its date, near it, or fine. Both `YYYY-MM-DD`. */
export function batchAge(bestBefore: string, today: string): "over" | "soon" | "fine" {
  const days = (Date.parse(bestBefore) - Date.parse(today)) / 86_400_000;
  return days < 0 ? "over" : days < bestBeforeWarningDays ? "soon" : "fine";
}

/** "1 unit", "12 units" */
export function unitsText(count: number): string {
  return `${count.toLocaleString("en-US")} ${Math.abs(count) === 1 ? "unit" : "units"}`;
}
