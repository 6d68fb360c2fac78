import { eq } from "drizzle-orm";
import { offlinePaymentMethods } from "../../domain/drafts/draft.ts";
import { formatCents } from "../../domain/shared/money.ts";
import type { PricedQuote } from "../cart/quote.ts";
import { buildOrder } from "../checkout/new-order.ts";
import type { ShopContext } from "../context.ts";
import { type NewOrder, orderWriter } from "../orders/commands.ts";
import { completeIfInStock, lockOrder } from "../orders/lifecycle.ts";
import { enqueueOrderPaid } from "../orders/mail.ts";
import { manualPayment, manualPaymentValues } from "../payments/manual.ts";
import type { Db } from "../platform/database/database.ts";
import { today } from "../settings/today.ts";
import { changedMeanwhile, claimDraft, type Refused } from "./commands.ts";
import { draftCheckout } from "./pay.ts";
import { type DraftEntry, type DraftRecord, draftProblems, priceDraft } from "./queries.ts";
import { orderDrafts } from "./tables.ts";

type OutsidePayment = {
  id: string;
  revision: number;
  method: keyof typeof offlinePaymentMethods;
  reason: string;
  /** Cents. */
  amount: number;
};

/**
 * Creates the paid order of a draft that was paid outside the shop. Its payment is `manual`; otherwise it is like an order paid at
 * the provider. Order, payment and draft are written in one transaction, so that the draft's link never leads to an unpaid order.
 * Only one caller per revision succeeds. Null if there is no such draft.
 */
export async function payOutside(
  ctx: ShopContext,
  { id, revision, method, reason, amount }: OutsidePayment,
): Promise<{ ok: true; orderId: string } | Refused | null> {
  const check = (entry: DraftEntry) => priceForAmount(ctx, entry, amount);
  return claimDraft(ctx, { id, revision, check }, async (entry) => {
    const price = await check(entry);
    if (!price.ok) return price;
    const { draft } = entry;
    const { visitorId } = ctx.sessions.newVisitor();
    const checkout = await draftCheckout(ctx, draft, price.priced, "outside");
    const built = await buildOrder(ctx, { ...checkout, visitorId, buyerNetwork: "" });
    if (!built.ok) {
      const fields = built.reason === "invalid" ? Object.values(built.fields) : [];
      return refuse(fields[0] ?? "An item of this draft can no longer be sold. Reload the draft.");
    }
    const note = `${offlinePaymentMethods[method]}: ${reason}`;
    return (tx) => writePaid(ctx, tx, { draft, order: built.newOrder, method, note });
  });
}

/** The price of a draft, if it has no problems and its total is the amount that was paid. */
async function priceForAmount(
  ctx: ShopContext,
  entry: DraftEntry,
  amount: number,
): Promise<{ ok: true; priced: PricedQuote } | Refused> {
  const priced = await priceDraft(ctx, entry.draft);
  const [problem] = Object.values(draftProblems(entry, priced));
  if (problem !== undefined) return refuse(problem);
  const { total } = priced.quote.totals;
  return amount === total
    ? { ok: true, priced }
    : refuse(`The total is ${formatCents(total)} now. Check the amount, and try again.`);
}

const outOfStock = refuse("There isn’t enough in stock for this order.");

const writer = orderWriter(manualPayment);

async function writePaid(
  ctx: ShopContext,
  tx: Db,
  {
    draft,
    order,
    method,
    note,
  }: { draft: DraftRecord; order: NewOrder; method: OutsidePayment["method"]; note: string },
): Promise<{ ok: true; orderId: string } | Refused> {
  const payment = manualPaymentValues(order, {
    mode: ctx.provider.mode,
    paidWith: offlinePaymentMethods[method],
  });
  const created = await writer.createWithin(tx, order, payment);
  if (!created.ok) {
    if (created.reason === "out_of_stock") return outOfStock;
    return created.reason === "duplicate" ? changedMeanwhile : refuse("Its discount can no longer be used.");
  }
  const orderId = created.order.id;
  await tx.update(orderDrafts).set({ orderId }).where(eq(orderDrafts.id, draft.id));
  await enqueueOrderPaid(ctx, tx, orderId);
  const locked = await lockOrder(tx, orderId);
  if (!locked) throw new Error(`order ${orderId} is missing although it was just written`);
  const entry = { now: ctx.now(), today: await today(ctx, tx), actor: "owner", note } as const;
  return (await completeIfInStock(tx, locked, entry)) ? { ok: true, orderId } : outOfStock;
}

function refuse(reason: string): Refused {
  return { ok: false, isStale: false, reason };
}
