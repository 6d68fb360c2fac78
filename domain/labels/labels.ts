import * as v from "valibot";
import { maxBulkShipments } from "../orders/admin-order.ts";
import { shippingAddressSchema } from "../orders/order.ts";
import { trackingStates } from "../orders/tracking.ts";
import { requiredText } from "../shared/required-text.ts";
import { uuidSchema } from "../shared/uuid.ts";

// Labels that carriers sell for the shop's parcels. Cents of US dollars; dates `YYYY-MM-DD`, times ISO 8601 UTC.

/** Missing for packers, who see no amounts. */
const amount = v.exactOptional(v.number());

/** Services that sell labels of many carriers. */
export const labelProviders = ["easypost", "shippo"] as const;
export type LabelProvider = (typeof labelProviders)[number];
/** The seller of a label: a provider, or the sandbox. */
export type CarrierName = LabelProvider | "sandbox";

/** A service for an order's parcel; the first one of a list is preselected. */
export const labelRateSchema = v.object({
  rateId: v.string(),
  carrier: v.string(),
  service: v.string(),
  amount,
  /** Null if the carrier names no day. */
  arrivesOn: v.nullable(v.string()),
});
export type LabelRate = v.InferOutput<typeof labelRateSchema>;

export const labelRatesFormSchema = v.object({
  /** The parcel's id in the settings; if missing, the first one. */
  parcelId: v.optional(v.string("Must be text")),
  /** The return whose parcel gets the label; if missing, the label is for the order's unshipped units. */
  returnId: v.optional(uuidSchema),
});

/** The carriers' check of an order's address. */
export const labelAddressSchema = v.object({
  /** Why they do not accept it; null if they accept it, or cannot check addresses there. */
  problem: v.nullable(v.string()),
  /** Their spelling of the address, if it differs in more than capitals, punctuation, accents and abbreviations. */
  correction: v.nullable(shippingAddressSchema),
  entered: v.nullable(shippingAddressSchema),
});
export type LabelAddress = v.InferOutput<typeof labelAddressSchema>;

export const labelPurchaseSchema = v.object({
  rateId: requiredText(100, "Name a rate"),
  /** Buys a label for an order on hold, with the reason. */
  force: v.optional(v.boolean("Must be true or false"), false),
  reason: v.optional(
    v.nullable(v.pipe(v.string("Must be text"), v.trim(), v.maxLength(500, "At most 500 characters"))),
    null,
  ),
});

export const boughtLabelSchema = v.object({
  labelId: v.string(),
  trackingNumber: v.string(),
  /** URL of the label's PDF in this shop. */
  labelUrl: v.string(),
  amount,
});
export type BoughtLabel = v.InferOutput<typeof boughtLabelSchema>;

/**
 * `buying`, `voiding`: the carrier's response is not known yet; the shop asks again automatically. `failed`: the carrier refused it,
 * and nothing was charged.
 */
const labelStates = ["buying", "bought", "failed", "voiding", "voided"] as const;
export type LabelState = (typeof labelStates)[number];

const orderLabelSchema = v.object({
  labelId: v.string(),
  /** The return whose parcel it is for; null for a parcel of the shop. */
  returnId: v.nullable(v.string()),
  state: v.picklist(labelStates),
  /** For a voided label: the carrier has not refunded its price yet, refuses to, or never responded. Null otherwise. */
  refund: v.nullable(v.picklist(["pending", "rejected", "unknown"])),
  carrier: v.string(),
  service: v.string(),
  amount,
  arrivesOn: v.nullable(v.string()),
  trackingNumber: v.nullable(v.string()),
  /** Null if there is no label to print. */
  labelUrl: v.nullable(v.string()),
  boughtAt: v.nullable(v.string()),
  printedAt: v.nullable(v.string()),
  /** Whether its parcel counts as shipped. */
  isShipped: v.boolean(),
  tracking: v.picklist(trackingStates),
  isTest: v.boolean(),
});
export type OrderLabel = v.InferOutput<typeof orderLabelSchema>;

export const orderLabelsSchema = v.object({
  labels: v.array(orderLabelSchema),
  /** Why no label can be bought for it now; null if one can. */
  problem: v.nullable(v.string()),
  /** The payer of return shipping in the settings; null if it is not set. */
  returnShipping: v.nullable(v.picklist(["shop", "buyer"])),
});
export type OrderLabelList = v.InferOutput<typeof orderLabelsSchema>;

export const bulkLabelsSchema = v.object({
  orderIds: v.pipe(
    v.array(v.pipe(v.string("Must be text"), v.maxLength(100, "Is no order id"))),
    v.minLength(1, "Name at least one order"),
    v.maxLength(maxBulkShipments, `Name at most ${maxBulkShipments} orders`),
  ),
});

/** Labels bought for several orders. `pdfUrl`: all labels so far in one file. */
export const labelJobSchema = v.object({
  status: v.picklist(["running", "done"]),
  rows: v.array(
    v.object({
      orderId: v.string(),
      number: v.nullable(v.number()),
      /** Also false while the order waits for its label; only then is there no `problem`. */
      ok: v.boolean(),
      labelId: v.exactOptional(v.string()),
      problem: v.exactOptional(v.string()),
    }),
  ),
  pdfUrl: v.exactOptional(v.string()),
});
export type LabelJob = v.InferOutput<typeof labelJobSchema>;

export const printedLabelsSchema = v.object({
  labelIds: v.pipe(
    v.array(uuidSchema),
    v.minLength(1, "Name at least one label"),
    v.maxLength(maxBulkShipments, `Name at most ${maxBulkShipments} labels`),
  ),
});
