import { and, eq, isNull, or, sql } from "drizzle-orm";
import * as v from "valibot";
import { addressLines } from "../../domain/address/address-format.ts";
import type { CheckoutRequest } from "../../domain/checkout/checkout.ts";
import { type Payable, payableSchema } from "../../domain/drafts/draft.ts";
import { joinAddress } from "../../domain/orders/order.ts";
import { countryName } from "../../domain/shared/country.ts";
import { dataEnvelope, ok, route } from "../api-row.ts";
import type { PricedQuote } from "../cart/quote.ts";
import { startCheckout } from "../checkout/commands.ts";
import type { CheckoutInput, CheckoutResult } from "../checkout/input.ts";
import type { ShopContext } from "../context.ts";
import { cancelUnpaidNow } from "../payments/cancellation/close.ts";
import {
  isPaymentLinkValid,
  linkToken,
  nothingToPay,
  paymentLinkRow,
  providerProblem,
} from "../payments/payment-link.ts";
import { networkPrefix } from "../platform/http/client-address.ts";
import { type Problem, problem, rateLimited } from "../platform/http/problem.ts";
import { signToken } from "../platform/http/signed-token.ts";
import {
  agreedPrices,
  type DraftRecord,
  draftProblems,
  draftStatus,
  findDraft,
  findDraftDiscount,
  priceDraft,
  readDraft,
} from "./queries.ts";
import { orderDrafts } from "./tables.ts";

export const payApi = [
  route("GET /api/pay/:id", {
    ...paymentLinkRow,
    summary: "The draft behind a payment link; the link contains `token`",
    query: v.object({ token: v.optional(linkToken, "") }),
    response: dataEnvelope(payableSchema),
    responses: { 200: "Lines, totals and address", 404: "No such link" },
    handle: async (ctx, { params: { id }, query }) => {
      const payable = (await isLinkValid(ctx, id, query.token)) ? await readPayable(ctx, id) : null;
      return payable ? ok(payable) : problem("not_found", nothingToPay);
    },
  }),
  route("POST /api/pay/:id", {
    ...paymentLinkRow,
    summary: "Place the order of a payment link, and open its payment on the provider’s page",
    body: v.object({
      token: linkToken,
      total: v.pipe(v.number("Must be a number of cents"), v.integer("Must be whole cents")),
    }),
    response: dataEnvelope(v.object({ url: v.string(), orderId: v.string() })),
    responses: {
      200: "Address of the payment page, and the order: the same for everybody who opens the link",
      404: "No such link",
      409: "`price_changed` with the right `total`, `out_of_stock`, or `invalid_state`: paid already, or expired",
      502: "The payment provider is unavailable",
    },
    handle: async (ctx, call) => {
      const { id } = call.params;
      if (!(await isLinkValid(ctx, id, call.body.token))) return problem("not_found", nothingToPay);
      const caller = { visitorId: call.visitor(), buyerNetwork: networkPrefix(call.address) };
      const result = await openDraft(ctx, { id, total: call.body.total, ...caller });
      return result.ok ? ok({ url: result.url, orderId: result.orderId }) : openDraftProblem(result);
    },
  }),
];

function openDraftProblem(result: Extract<Awaited<ReturnType<typeof openDraft>>, { ok: false }>): Problem {
  switch (result.reason) {
    case "gone":
      return problem("not_found", nothingToPay);
    case "price_changed":
      return problem("price_changed", "The price has changed. Please check the new total.", {
        total: result.total,
      });
    case "out_of_stock":
      return problem("out_of_stock", "There isn’t enough in stock for this order. Please write to us.", {
        available: result.available,
      });
    case "too_many_declines":
      return rateLimited(
        "Too many payments were declined. Please try again later, or ask your bank.",
        result.waitSeconds,
      );
    case "provider_unavailable":
    case "provider_refused":
      return providerProblem(result.reason);
    default:
      return problem(
        "invalid_state",
        "This can no longer be paid with the link. Please ask us for a new one.",
      );
  }
}

async function isLinkValid(ctx: ShopContext, id: string, token: string): Promise<boolean> {
  const entry = await findDraft(ctx.db, id);
  return entry !== null && isPaymentLinkValid(ctx, entry.draft, token);
}

/** The draft behind a payment link; null if it was deleted. */
async function readPayable(ctx: ShopContext, id: string): Promise<Payable | null> {
  const draft = await readDraft(ctx, id);
  if (!draft) return null;
  const { status, customerName, shipping, quote, problems } = draft;
  const option = quote.shippingOptions.find((shippingOption) => shippingOption.id === quote.shippingOption);
  return {
    status,
    customerName,
    addressLines: addressLines({ customerName, shipping, shippingAddress: "" }),
    shippingOption: option?.name ?? null,
    quote,
    canBePaid: Object.keys(problems).length === 0,
  };
}

type Refusal = { ok: false; reason: "gone" | "closed" } | Extract<CheckoutResult, { ok: false }>;

/**
 * Creates the order of a draft and opens its payment on the provider's page, as checkout does: with reserved units and a time
 * limit. Everybody who opens the link gets the same order. `total` is the amount that the payer was shown, in cents.
 */
async function openDraft(
  ctx: ShopContext,
  { id, total, ...caller }: { id: string; total: number } & Pick<CheckoutInput, "visitorId" | "buyerNetwork">,
): Promise<{ ok: true; url: string; orderId: string } | Refusal> {
  const entry = await findDraft(ctx.db, id);
  if (!entry) return { ok: false, reason: "gone" };
  const { draft } = entry;
  const status = draftStatus(entry, ctx.now());
  if (status === "paid" || status === "processing" || status === "expired") {
    return { ok: false, reason: "closed" };
  }
  // If the previous order expired or was abandoned, the next order needs a new idempotency key.
  const current = entry.order?.status === "cancelled" ? await nextRevision(ctx, draft) : draft;
  // A concurrent request has advanced, edited or deleted the draft.
  if (current === null) return openDraft(ctx, { id, total, ...caller });
  const priced = await priceDraft(ctx, current);
  if (Object.keys(draftProblems(entry, priced)).length > 0) return { ok: false, reason: "closed" };
  if (priced.quote.totals.total !== total) {
    return { ok: false, reason: "price_changed", total: priced.quote.totals.total };
  }
  const result = await startCheckout(ctx, { ...(await draftCheckout(ctx, current, priced)), ...caller });
  if (!result.ok && result.reason === "key_reused" && entry.order !== null) {
    // The price has changed since the unpaid order was created.
    const reason = { actor: "system", note: "The price changed before it was paid" } as const;
    await cancelUnpaidNow(ctx, entry.order.id, reason);
    const after = await findDraft(ctx.db, id);
    if (after?.order?.status === "cancelled") return openDraft(ctx, { id, total, ...caller });
  }
  if (!result.ok) return result;
  const isCurrent = await recordOrder(ctx, current, result.order.id);
  if (!isCurrent) {
    await cancelUnpaidNow(ctx, result.order.id, {
      actor: "system",
      note: "The shop changed what was to be paid",
    });
    return { ok: false, reason: "closed" };
  }
  if (result.payment.kind !== "session" || result.payment.session.url === null) {
    return { ok: false, reason: "closed" };
  }
  return { ok: true, url: result.payment.session.url, orderId: result.order.id };
}

/** Advances the draft to its next revision. Null if it has changed since it was read. */
async function nextRevision(
  { db }: ShopContext,
  { id, revision, orderId }: DraftRecord,
): Promise<DraftRecord | null> {
  const [next] = await db
    .update(orderDrafts)
    .set({ revision: revision + 1, orderId: null })
    .where(and(isRevision({ id, revision }), isOrder(orderId)))
    .returning();
  return next ?? null;
}

/** Records the order to which the link leads. False if the draft was edited, paid or deleted concurrently. */
async function recordOrder(
  { db }: ShopContext,
  { id, revision }: DraftRecord,
  orderId: string,
): Promise<boolean> {
  const updatedRows = await db
    .update(orderDrafts)
    .set({ orderId })
    .where(and(isRevision({ id, revision }), or(isNull(orderDrafts.orderId), isOrder(orderId))))
    .returning({ id: orderDrafts.id });
  return updatedRows.length > 0;
}

const isRevision = ({ id, revision }: Pick<DraftRecord, "id" | "revision">) =>
  and(eq(orderDrafts.id, id), eq(orderDrafts.revision, revision));
const isOrder = (orderId: string | null) => sql`${orderDrafts.orderId} is not distinct from ${orderId}`;

/**
 * A draft as a checkout request, with an idempotency key that cannot be guessed. Payments outside the shop have a different key
 * from the link's, so that neither is mistaken for a repetition of the other.
 */
export async function draftCheckout(
  ctx: ShopContext,
  draft: DraftRecord,
  { quote }: PricedQuote,
  paidBy: "link" | "outside" = "link",
): Promise<Omit<CheckoutInput, "visitorId" | "buyerNetwork">> {
  const { email, customerName, phone, shipping, discountCode } = draft;
  const request: CheckoutRequest = {
    amount: quote.totals.total,
    orderItems: quote.items.map(({ productId, quantity, price }) => ({ productId, quantity, price })),
    metadata: {
      email,
      customerName,
      phone,
      country: null,
      shippingAddress: joinAddress(shipping, countryName(shipping.country) ?? ""),
    },
    shipping,
    shippingOption: quote.shippingOption,
    discountCode,
  };
  const subject = `${draft.id}:${draft.revision}${paidBy === "link" ? "" : `:${paidBy}`}`;
  const key = signToken(ctx.secret, { purpose: "draft-order", subject, expiresAt: draft.createdAt });
  const discount = discountCode === null ? await findDraftDiscount(ctx, draft) : null;
  return {
    // Callers without a cookie share their keys, so every browser that opens the link gets the same order.
    isKnownVisitor: false,
    idempotencyKey: `draft-${key}`,
    kind: "session",
    request,
    ...(discount && { discount }),
    agreed: agreedPrices(draft),
  };
}
