import * as v from "valibot";
import { oneLine, optionalText } from "../shared/required-text.ts";
import { changeIdSchema } from "../shared/uuid.ts";
import { isDate } from "../shared/zoned-days.ts";

/** Reasons for stock changes; the shop itself uses `expired`, for units past their date. */
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

/** Catches typing mistakes: no shop stocks more. */
export const maxUnits = 1_000_000;
/** Lists count a batch's orders up to this number. */
export const maxBatchOrders = 1_000;
/** A batch is highlighted this many days before its best-before date. */
const bestBeforeWarningDays = 90;

const batchSchema = v.object({
  id: v.number(),
  code: v.string(),
  bestBefore: v.string(),
  receivedAt: v.string(),
  received: v.number(),
  remaining: v.number(),
  note: v.nullable(v.string()),
  /** Orders with units of it, counted up to `maxBatchOrders` + 1. */
  orders: v.number(),
});
export type Batch = v.InferOutput<typeof batchSchema>;

const stockMovementSchema = v.object({
  id: v.number(),
  at: v.string(),
  kind: v.picklist(["sold", "returned", "adjusted"]),
  /** Number of units added, negative if they were removed. */
  change: v.number(),
  reason: v.nullable(v.picklist(stockReasons)),
  note: v.nullable(v.string()),
  batchCode: v.nullable(v.string()),
  order: v.nullable(v.object({ id: v.string(), number: v.number() })),
});
export type StockMovement = v.InferOutput<typeof stockMovementSchema>;

/** A product's stock in the panel. Times ISO 8601 UTC, dates `YYYY-MM-DD`. */
export const productStockSchema = v.object({
  product: v.object({ id: v.number(), name: v.string() }),
  onHand: v.number(),
  /** Units reserved for orders that are being paid. */
  reserved: v.number(),
  free: v.number(),
  /** Units on hand that belong to no batch. */
  unbatched: v.number(),
  lowStockAt: v.number(),
  /** Shoppers with a stock alert for it. */
  waiting: v.number(),
  /** The date that best-before dates are compared with. */
  today: v.string(),
  /** First the batches in stock, in the order of sale, then those sold out. */
  batches: v.array(batchSchema),
  /** One page of the history, newest first. */
  movements: v.array(stockMovementSchema),
  nextCursor: v.nullable(v.string()),
});
export type ProductStock = v.InferOutput<typeof productStockSchema>;

const recallOrderSchema = v.object({
  orderId: v.string(),
  number: v.number(),
  /** When the order was paid. */
  date: v.string(),
  /** Null if the buyer's data was erased. */
  customerName: v.nullable(v.string()),
  email: v.nullable(v.string()),
  quantity: v.number(),
  returned: v.number(),
  shippedAt: v.nullable(v.string()),
});
export type RecallOrder = v.InferOutput<typeof recallOrderSchema>;

/** Orders with units of a recalled batch. */
export const batchRecallSchema = v.object({
  batch: v.object({ ...batchSchema.entries, productId: v.number(), productName: v.string() }),
  /** Over all orders of the batch. `units`: sold and not returned; `erased`: orders whose buyer's data was erased. */
  totals: v.object({ orders: v.number(), units: v.number(), unshipped: v.number(), erased: v.number() }),
  /** Numbers of the first orders that have not shipped. */
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
    v.maxValue(maxUnits, `At most ${maxUnits}`),
  );

const note = optionalText(200);

const day = v.pipe(v.string("Must be a date"), v.check(isDate, "Must be a date like 2027-04-30"));

const selectableReasons = stockReasons.filter((reason) => reason !== "expired");

/** Exactly one of `change`, units added or removed, and `onHand`, the units counted. */
export const stockChangeSchema = v.pipe(
  v.object({
    id: changeIdSchema,
    change: v.optional(units(-maxUnits)),
    onHand: v.optional(units(0)),
    reason: v.picklist(selectableReasons, "Choose a reason"),
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

/** A received batch. `fromUnbatched`: its units are already in stock, outside batches. */
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

/** Whether a batch is past its date on a day, near it, or neither. Both `YYYY-MM-DD`. */
export function bestBeforeStatus(bestBefore: string, today: string): "over" | "soon" | "fine" {
  const days = (Date.parse(bestBefore) - Date.parse(today)) / 86_400_000;
  return days < 0 ? "over" : days < bestBeforeWarningDays ? "soon" : "fine";
}

/** "1 unit", "12 units" */
export function unitsText(count: number): string {
  return `${count.toLocaleString("en-US")} ${Math.abs(count) === 1 ? "unit" : "units"}`;
}
