import { and, eq, isNull, or, sql } from "drizzle-orm";
import { addressLines } from "../../domain/address/address-format.ts";
import type { CheckoutRequest } from "../../domain/checkout/checkout.ts";
import type { Payable } from "../../domain/drafts/draft.ts";
import { joinAddress } from "../../domain/orders/order.ts";
import { countryName } from "../../domain/shared/country.ts";
import type { PricedQuote } from "../cart/quote.ts";
import { startCheckout } from "../checkout/commands.ts";
import type { CheckoutInput, CheckoutResult } from "../checkout/input.ts";
import type { ShopContext } from "../context.ts";
import { cancelUnpaidNow } from "../payments/cancellation/close.ts";
import { signToken } from "../platform/http/signed-token.ts";
import {
  type DraftRecord,
  discountOf,
  findDraft,
  priceDraft,
  problemsOf,
  readDraft,
  statusOf,
} from "./queries.ts";
import { orderDrafts } from "./tables.ts";

/** What a payment link shows; null: there is no such draft any more. */
export async function readPayable(ctx: ShopContext, id: string): Promise<Payable | null> {
  const draft = await readDraft(ctx, id);
  if (!draft) return null;
  const { status, customerName, shipping, quote, problems } = draft;
  const option = quote.shippingOptions.find(({ id: each }) => each === quote.shippingOption);
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
 * Makes the order of a draft and opens its payment on a page of the provider, exactly as checkout does: with its units
 * reserved and its own time to pay. However many open the link, they come to the same order. `total`: what whoever pays has
 * seen, in cents.
 */
export async function openDraft(
  ctx: ShopContext,
  { id, total, ...caller }: { id: string; total: number } & Pick<CheckoutInput, "visitorId" | "buyerNetwork">,
): Promise<{ ok: true; url: string; orderId: string } | Refusal> {
  const found = await findDraft(ctx.db, id);
  if (!found) return { ok: false, reason: "gone" };
  const { draft } = found;
  const status = statusOf(found, ctx.now());
  if (status === "paid" || status === "processing" || status === "expired") {
    return { ok: false, reason: "closed" };
  }
  // Its time to pay was over, or whoever opened it has given up: the next order needs a key of its own.
  const current = found.order?.status === "cancelled" ? await nextRevision(ctx, draft) : draft;
  // Somebody else has begun the next one, or has changed or deleted the draft.
  if (current === null) return openDraft(ctx, { id, total, ...caller });
  const priced = await priceDraft(ctx, current);
  if (Object.keys(problemsOf(found, priced)).length > 0) return { ok: false, reason: "closed" };
  if (priced.quote.totals.total !== total) {
    return { ok: false, reason: "price_changed", total: priced.quote.totals.total };
  }
  const result = await startCheckout(ctx, { ...(await checkoutOf(ctx, current, priced)), ...caller });
  if (!result.ok && result.reason === "key_reused" && found.order !== null) {
    // It costs another amount than when its unpaid order was made.
    const why = { actor: "system", note: "The price changed before it was paid" } as const;
    await cancelUnpaidNow(ctx, found.order.id, why);
    const after = await findDraft(ctx.db, id);
    if (after?.order?.status === "cancelled") return openDraft(ctx, { id, total, ...caller });
  }
  if (!result.ok) return result;
  const isCurrent = await keepOrder(ctx, current, result.order.id);
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

/** Null: the draft is not as it was read any more. */
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

/** Notes the order that the link leads to. False: the draft was changed, paid or deleted meanwhile. */
async function keepOrder(
  { db }: ShopContext,
  { id, revision }: DraftRecord,
  orderId: string,
): Promise<boolean> {
  const kept = await db
    .update(orderDrafts)
    .set({ orderId })
    .where(and(isRevision({ id, revision }), or(isNull(orderDrafts.orderId), isOrder(orderId))))
    .returning({ id: orderDrafts.id });
  return kept.length > 0;
}

const isRevision = ({ id, revision }: Pick<DraftRecord, "id" | "revision">) =>
  and(eq(orderDrafts.id, id), eq(orderDrafts.revision, revision));
const isOrder = (orderId: string | null) => sql`${orderDrafts.orderId} is not distinct from ${orderId}`;

/**
 * A draft as a request of checkout: at the shop's prices, under a key that nobody else can know. What is paid outside has another
 * than what its link leads to: neither is ever taken for the other.
 */
export async function checkoutOf(
  ctx: ShopContext,
  draft: DraftRecord,
  { quote }: PricedQuote,
  way: "link" | "outside" = "link",
): Promise<Omit<CheckoutInput, "visitorId" | "buyerNetwork">> {
  const { email, customerName, phone, shipping, discountCode } = draft;
  const request: CheckoutRequest = {
    amount: quote.totals.total,
    orderItems: quote.items.map(({ productId, quantity, price }) => ({ productId, quantity, price })),
    metadata: {
      ...{ email, customerName, phone, country: null },
      shippingAddress: joinAddress(shipping, countryName(shipping.country) ?? ""),
    },
    shipping,
    shippingOption: quote.shippingOption,
    discountCode,
  };
  const subject = `${draft.id}:${draft.revision}${way === "link" ? "" : `:${way}`}`;
  const key = signToken(ctx.secret, { purpose: "draft-order", subject, expiresAt: draft.createdAt });
  const discount = discountCode === null ? await discountOf(ctx, draft) : null;
  return {
    // Keys of callers without a cookie are shared: whichever browser opens the link comes to the same order.
    isKnownVisitor: false,
    idempotencyKey: `draft-${key}`,
    kind: "session",
    request,
    ...(discount && { discount }),
  };
}
