import * as v from "valibot";
import { emailSchema } from "../shared/email-address.ts";
import { oneLine } from "../shared/required-text.ts";
import type { Refund } from "./order.ts";
import { isCounted } from "./refund.ts";
import type { LinkedExchange } from "./replacement.ts";

/** `return`: by the shop's policy. `withdrawal`: by the right of withdrawal of the EU, the EEA and the UK. */
const returnKindSchema = v.picklist(["return", "withdrawal"]);
export type ReturnKind = v.InferOutput<typeof returnKindSchema>;
export const returnStatusSchema = v.picklist(["requested", "approved", "declined", "closed"]);
export type ReturnStatus = v.InferOutput<typeof returnStatusSchema>;

/** A buyer's request to send an order back. Times ISO 8601 UTC. */
export const orderReturnSchema = v.object({
  id: v.string(),
  kind: returnKindSchema,
  status: returnStatusSchema,
  reason: v.nullable(v.string()),
  requestedAt: v.string(),
  decidedAt: v.nullable(v.string()),
  answer: v.nullable(v.string()),
  /** Whether the shop has provided a label, which the buyer can print. */
  hasLabel: v.boolean(),
});
export type OrderReturn = v.InferOutput<typeof orderReturnSchema>;

/** Whether the buyer is to send the parcel now: an approved return, or a withdrawal, which needs no approval. */
export function isParcelExpected({ kind, status }: Pick<OrderReturn, "kind" | "status">): boolean {
  return status === "approved" || (kind === "withdrawal" && status === "requested");
}

export function isOpen({ status }: Pick<OrderReturn, "status">): boolean {
  return status === "requested" || status === "approved";
}

type ReturnsOfOrder = {
  returns: readonly Pick<OrderReturn, "id" | "status" | "reason" | "requestedAt" | "decidedAt">[];
  exchanges: readonly Pick<LinkedExchange, "number" | "returnId" | "status" | "receivedAt">[];
  refunds: readonly Pick<Refund, "status" | "createdAt" | "tooLate" | "isCredit">[];
};

/** The reason for a return that the shop itself opens for an exchange. */
export function exchangeReason(number: number): string {
  return `Exchange for order #${number}`;
}

/** Whether the shop itself opened the return, for an exchange; otherwise the buyer requested it. */
export function isOpenedForExchange(
  { id, reason }: Pick<OrderReturn, "id" | "reason">,
  { exchanges }: Pick<ReturnsOfOrder, "exchanges">,
): boolean {
  return exchanges.some(({ returnId, number }) => returnId === id && reason === exchangeReason(number));
}

/** Whether the return was closed with a refund. */
export function isRefunded(
  { status, requestedAt, decidedAt }: Pick<OrderReturn, "status" | "requestedAt" | "decidedAt">,
  { refunds }: Pick<ReturnsOfOrder, "refunds">,
): boolean {
  if (status !== "closed" || decidedAt === null) return false;
  return refunds.some(
    (refund) =>
      isCounted(refund) &&
      !refund.isCredit &&
      refund.createdAt >= requestedAt &&
      refund.createdAt <= decidedAt,
  );
}

/**
 * Whether the order's goods are to come back for a refund, or have come back; a request counts until it is declined. A return
 * for an exchange counts once its goods have arrived: until then the buyer may still be waiting for the order, and keeps it if the
 * exchange ends.
 */
export function isGoingBack(order: ReturnsOfOrder): boolean {
  return order.returns.some((request) => {
    if (request.status === "declined") return false;
    const exchanges = order.exchanges.filter(({ returnId }) => returnId === request.id);
    if (exchanges.some(({ receivedAt }) => receivedAt !== null)) return true;
    const isAwaited = exchanges.some(({ status }) => status !== "ended");
    return !isAwaited && (!isOpenedForExchange(request, order) || isRefunded(request, order));
  });
}

const tooLong = "Use at most 1,000 characters";

export const returnRequestSchema = v.object({
  reason: v.pipe(
    v.string("Please tell us why"),
    v.trim(),
    v.minLength(1, "Please tell us why"),
    v.maxLength(1000, tooLong),
  ),
});

const line = v.pipe(v.string("Must be text"), v.trim(), oneLine);

/** The declaration that the law requires: who withdraws, and where the acknowledgement is sent. */
export const withdrawalSchema = v.object({
  name: v.optional(
    v.pipe(line, v.minLength(1, "Please enter your name"), v.maxLength(120, "Use at most 120 characters")),
  ),
  email: v.optional(emailSchema),
  confirm: v.literal(true, "Please confirm the withdrawal"),
});

/**
 * The owner's decision on a request. `answer` is sent to the buyer and required: the return address, or the reason for
 * declining. Without `status` the answer is sent, and the request stays open. `restock`: when the return is closed, the units
 * of its exchanges go back to stock. A return without an exchange does not name its units: a refund or restock of the order does.
 */
export const returnDecisionSchema = v.pipe(
  v.object({
    status: v.optional(
      v.picklist(["approved", "declined", "closed"], "Must be approved, declined or closed"),
    ),
    answer: v.optional(
      v.nullable(v.pipe(v.string("Must be text"), v.trim(), v.maxLength(1000, tooLong))),
      null,
    ),
    restock: v.optional(v.boolean("Must be true or false"), false),
  }),
  v.forward(
    v.check(
      ({ status, restock }) => !restock || status === "closed",
      "Units go back to stock only when the return is closed",
    ),
    ["restock"],
  ),
  v.forward(
    v.check(({ status, answer }) => status !== "approved" || Boolean(answer), "Say where the package goes"),
    ["answer"],
  ),
  v.forward(
    v.check(({ status, answer }) => status !== "declined" || Boolean(answer), "Say why it is declined"),
    ["answer"],
  ),
  v.forward(
    v.check(({ status, answer }) => status !== undefined || Boolean(answer), "Write something to the buyer"),
    ["answer"],
  ),
);
export type ReturnDecision = v.InferOutput<typeof returnDecisionSchema>;
