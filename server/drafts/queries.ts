import { and, desc, eq, sql } from "drizzle-orm";
import type { Draft, DraftPreview, DraftRow, DraftStatus } from "../../domain/drafts/draft.ts";
import { formatCents, maxOrderTotalCents, minOrderTotalCents } from "../../domain/shared/money.ts";
import { pick } from "../../domain/shared/pick.ts";
import { type AgreedPrices, type PricedQuote, quoteCart } from "../cart/quote.ts";
import { findSellableForLines } from "../catalog/queries.ts";
import type { ShopContext } from "../context.ts";
import { lookUpDiscount } from "../discounts/queries.ts";
import { discountUses } from "../discounts/tables.ts";
import { isProcessing } from "../orders/queries.ts";
import { orders } from "../orders/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { cutPage } from "../platform/http/params.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { orderDrafts } from "./tables.ts";

export type DraftRecord = typeof orderDrafts.$inferSelect;
type DraftOrder = { id: string; number: number; status: string; isProcessing: boolean } | null;
/** The part of a draft on which its price depends. */
export type DraftToPrice = Pick<
  DraftRecord,
  "items" | "shippingOption" | "shippingCents" | "discountCode" | "discountCents" | "orderId"
> & { shipping: Pick<DraftRecord["shipping"], "country" | "state"> };
export type DraftEntry = { draft: DraftRecord; order: DraftOrder };

const entryColumns = {
  draft: orderDrafts,
  orderNumber: orders.number,
  orderStatus: orders.status,
  isProcessing: sql<boolean>`coalesce(${isProcessing}, false)`,
};

export async function findDraft(db: Db, id: string): Promise<DraftEntry | null> {
  const [row] = await db
    .select(entryColumns)
    .from(orderDrafts)
    .leftJoin(orders, eq(orders.id, orderDrafts.orderId))
    .where(eq(orderDrafts.id, id));
  return row ? toEntry(row) : null;
}

function toEntry(row: {
  draft: DraftRecord;
  orderNumber: number | null;
  orderStatus: string | null;
  isProcessing: boolean;
}): DraftEntry {
  const { draft, orderNumber: number, orderStatus: status, isProcessing: processing } = row;
  const order =
    draft.orderId === null || number === null || status === null
      ? null
      : { id: draft.orderId, number, status, isProcessing: processing };
  return { draft, order };
}

export function draftStatus({ draft, order }: DraftEntry, now: Date): DraftStatus {
  if (order !== null && order.status !== "cancelled") {
    if (order.status !== "pending") return "paid";
    return order.isProcessing ? "processing" : "opened";
  }
  if (draft.expiresAt <= now) return "expired";
  return draft.sentAt === null ? "open" : "sent";
}

/** Drafts, newest first. `cursor` is the id of the last draft on the previous page. */
export async function listDrafts(
  { db, now }: ShopContext,
  { limit, cursor }: { limit: number; cursor: string | null },
): Promise<{ data: DraftRow[]; nextCursor: string | null }> {
  const rows = await db
    .select(entryColumns)
    .from(orderDrafts)
    .leftJoin(orders, eq(orders.id, orderDrafts.orderId))
    .where(
      cursor === null
        ? undefined
        : sql`(${orderDrafts.createdAt}, ${orderDrafts.id}) < ((select created_at from order_drafts d where d.id = ${cursor}), ${cursor}::uuid)`,
    )
    .orderBy(desc(orderDrafts.createdAt), desc(orderDrafts.id))
    .limit(limit + 1);
  const { page, nextCursor } = cutPage(rows.map(toEntry), limit, ({ draft }) => draft.id);
  return {
    data: page.map((entry) => ({
      ...draftFields(entry, now()),
      units: entry.draft.items.reduce((sum, { quantity }) => sum + quantity, 0),
    })),
    nextCursor,
  };
}

function draftFields(entry: DraftEntry, now: Date) {
  const { draft, order } = entry;
  return {
    ...pick(draft, "id", "revision", "email", "customerName"),
    status: draftStatus(entry, now),
    createdAt: draft.createdAt.toISOString(),
    changedAt: draft.changedAt.toISOString(),
    sentAt: draft.sentAt?.toISOString() ?? null,
    expiresAt: draft.expiresAt.toISOString(),
    order: order && { id: order.id, number: order.number },
  };
}

/** A draft with its current price. */
export async function readDraft(ctx: ShopContext, id: string): Promise<Draft | null> {
  const entry = await findDraft(ctx.db, id);
  if (!entry) return null;
  const { draft } = entry;
  const { phone, shipping, shippingOption, shippingCents, items, discountCode, discountCents, note } = draft;
  return {
    ...draftFields(entry, ctx.now()),
    phone,
    shipping,
    shippingOption,
    shippingCents,
    items: items.map(({ price = null, ...item }) => ({ ...item, price })),
    discountCode,
    discountCents,
    note,
    ...(await previewDraft(ctx, entry)),
  };
}

/** The price of a draft, which need not be saved yet. */
export async function previewDraft(
  ctx: ShopContext,
  { draft, order }: { draft: DraftToPrice; order: DraftOrder },
): Promise<DraftPreview> {
  const priced = await priceDraft(ctx, draft);
  return {
    quote: priced.quote,
    takenOff: priced.takenOff,
    problems: draftProblems({ draft, order }, priced),
  };
}

/** Prices a draft as checkout does, at its agreed prices. `takenOff`: see `Draft`. */
export async function priceDraft(
  ctx: ShopContext,
  draft: DraftToPrice,
): Promise<PricedQuote & { takenOff: number }> {
  const [products, settings, discount] = await Promise.all([
    findSellableForLines(ctx.db, draft.items),
    ctx.settings(),
    findDraftDiscount(ctx, draft),
  ]);
  const { country, state } = draft.shipping;
  const input = { items: draft.items, country, state: state || null, shippingOptionId: draft.shippingOption };
  const price = (terms: { discount: typeof discount; agreed?: AgreedPrices }) =>
    quoteCart({ ...input, ...terms }, products, settings);
  const agreed = agreedPrices(draft);
  const shopQuote = price({ discount: null }).quote;
  const agreedQuote = price({ discount: null, agreed }).quote;
  const reduction = (shopCents: number, agreedCents = shopCents) => Math.max(0, shopCents - agreedCents);
  const takenOff = shopQuote.items.reduce(
    (sum, { total }, index) => sum + reduction(total, agreedQuote.items[index]?.total),
    draft.discountCents + reduction(shopQuote.totals.shipping, agreedQuote.totals.shipping),
  );
  return { ...price({ discount, agreed }), takenOff };
}

export function agreedPrices({ items, shippingCents }: DraftToPrice): AgreedPrices {
  const units = new Map(
    items.flatMap(({ productId, price }) => (typeof price === "number" ? [[productId, price]] : [])),
  );
  return { units, shippingCents };
}

/** The draft's discount: a code, or an amount set by the owner; null if it has neither. */
export async function findDraftDiscount(
  ctx: ShopContext,
  { discountCode, discountCents, orderId }: Pick<DraftRecord, "discountCode" | "discountCents" | "orderId">,
) {
  if (discountCode !== null) {
    const discount = await lookUpDiscount(ctx, { code: discountCode, visitorId: null });
    if (discount.id === null || orderId === null) return discount;
    // The use held by the draft's own order does not count against it.
    const isOwn = and(eq(discountUses.orderId, orderId), eq(discountUses.discountId, discount.id));
    return { ...discount, used: discount.used - (await ctx.db.$count(discountUses, isOwn)) };
  }
  if (discountCents === 0) return null;
  return {
    id: null,
    terms: {
      code: "from the shop",
      automatic: false,
      productIds: [],
      productNames: [],
      minimumUnits: 0,
      kind: "amount" as const,
      value: discountCents,
      minimumSubtotal: 0,
      startsAt: null,
      endsAt: null,
      limitTotal: null,
      limitPerCustomer: null,
      firstOrderOnly: false,
      active: true,
    },
    used: 0,
    now: ctx.now(),
    timeZone: await ownerTimeZone(ctx),
  };
}

/** Problems that prevent the payment of a draft, by field. */
export function draftProblems(
  { draft, order }: { draft: DraftToPrice; order: DraftOrder },
  { quote, option }: PricedQuote,
): Record<string, string> {
  const problems: Record<string, string> = {};
  if (quote.items.length < draft.items.length) problems.items = "A product of this draft is no longer sold.";
  // Units reserved by the draft's own unpaid order are available to it.
  const shortLine =
    order?.status === "pending"
      ? undefined
      : quote.items.find(({ available, quantity }) => available < quantity);
  if (shortLine) problems.items = `Only ${shortLine.available} of ${shortLine.name} can be sold now.`;
  if (option === null) problems.shippingOption = "This shipping is not offered for the address.";
  if (quote.discountProblem !== null) problems.discountCode = quote.discountProblem;
  if (quote.totals.total < minOrderTotalCents) {
    problems.items = `At least ${formatCents(minOrderTotalCents)} must be left to pay.`;
  }
  if (quote.totals.total === 0) problems.items = "There is nothing to pay.";
  if (quote.totals.total > maxOrderTotalCents) problems.items = "The total is too large for one payment.";
  return problems;
}
