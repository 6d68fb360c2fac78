import * as v from "valibot";
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

/** What the owner sees of a product's stock. Times ISO 8601 UTC, dates `YYYY-MM-DD`. */
export type ProductStock = {
  product: { id: number; name: string };
  onHand: number;
  /** Promised to orders that are being paid. */
  reserved: number;
  free: number;
  /** On hand and in no batch. */
  unbatched: number;
  lowStockAt: number;
  /** By which dates are past or near. */
  today: string;
  /** What is left first, the next to be sold on top; then those sold out. */
  batches: Batch[];
  /** One page of the history, newest first. */
  movements: StockMovement[];
  nextCursor: string | null;
};

export type Batch = {
  id: number;
  code: string;
  bestBefore: string;
  receivedAt: string;
  received: number;
  remaining: number;
  note: string | null;
  /** Orders that units of it went to, counted up to `batchOrdersCounted` and one more. */
  orders: number;
};

export type StockMovement = {
  id: number;
  at: string;
  kind: "sold" | "returned" | "adjusted";
  /** Units added, or taken where it is negative. */
  change: number;
  reason: StockReason | null;
  note: string | null;
  batchCode: string | null;
  order: { id: string; number: number } | null;
};

/** Whom to write to in a recall. */
export type BatchRecall = {
  batch: Batch & { productId: number; productName: string };
  /** Of all its orders. `units`: sold and not come back; `nameless`: the buyer's data was deleted. */
  totals: { orders: number; units: number; unshipped: number; nameless: number };
  /** Numbers of orders that have not left the house yet, the first of them. */
  unshipped: number[];
  /** One page, oldest first. */
  orders: RecallOrder[];
  nextCursor: string | null;
};

export type RecallOrder = {
  orderId: string;
  number: number;
  /** When it was paid. */
  date: string;
  /** Null where the buyer's data was deleted. */
  customerName: string | null;
  email: string | null;
  quantity: number;
  returned: number;
  shippedAt: string | null;
};

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
    v.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "Use one line"),
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
