import { outsideMethods } from "../../domain/drafts/draft.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { draftOrder } from "../checkout/draft.ts";
import type { ShopContext } from "../context.ts";
import { createOrder } from "../orders/commands.ts";
import { cancelUnpaidOrder, completeAndCommit, completeIfInStock, lockOrder } from "../orders/lifecycle.ts";
import { enqueueOrderPaid } from "../orders/mail.ts";
import { endManualPayment, manualPayment } from "../payments/manual.ts";
import { today } from "../settings/today.ts";
import { claimRevision, type DraftResult } from "./commands.ts";
import { checkoutOf, keepOrder } from "./pay.ts";
import { findDraft, priceDraft, problemsOf } from "./queries.ts";

type Outside = {
  id: string;
  revision: number;
  method: keyof typeof outsideMethods;
  reason: string;
  /** Cents. */
  amount: number;
};

/**
 * Makes a paid order of a draft whose money came outside the shop: its payment is `manual`, everything else as though the
 * provider had taken it. One caller alone gets there with a revision. Null: there is no such draft.
 */
export async function payOutside(
  ctx: ShopContext,
  { id, revision, method, reason, amount }: Outside,
): Promise<(DraftResult & { orderId?: string }) | null> {
  const claimed = await claimRevision(ctx, { id, revision, set: {} });
  if (!claimed?.ok) return claimed;
  const found = await findDraft(ctx.db, id);
  if (!found) return null;
  const { draft } = found;
  const priced = await priceDraft(ctx, draft);
  const [problem] = Object.values(problemsOf(found, priced));
  if (problem !== undefined) return refused(problem);
  const { total } = priced.quote.totals;
  if (amount !== total)
    return refused(`It comes to ${formatCents(total)} now. Check the amount, and try again.`);
  const { visitorId } = ctx.sessions.newVisitor();
  const input = { ...(await checkoutOf(ctx, draft, priced)), visitorId, buyerNetwork: "" };
  const drafted = await draftOrder(ctx, input);
  if (!drafted.ok) {
    const fields = drafted.reason === "invalid" ? Object.values(drafted.fields) : [];
    return refused(fields[0] ?? "Something of it can no longer be sold. Load it again.");
  }
  const created = await createOrder(ctx.db, drafted.draft, (order) =>
    manualPayment(ctx.db, order, { mode: ctx.provider.mode, paidWith: outsideMethods[method] }),
  );
  if (!created.ok) {
    return refused(
      created.reason === "out_of_stock"
        ? "There isn’t enough in stock for this order."
        : "Its discount can no longer be used.",
    );
  }
  const orderId = created.order.id;
  await keepOrder(ctx, draft, orderId);
  const isComplete = await complete(ctx, orderId, `${outsideMethods[method]}: ${reason}`);
  return isComplete ? { ok: true, orderId } : refused("There isn’t enough in stock for this order.");
}

function refused(reason: string) {
  return { ok: false, isStale: false, reason } as const;
}

/** Books the money; false, and the order cancelled, where its units are gone. */
async function complete(ctx: ShopContext, orderId: string, note: string): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order?.status !== "pending") return order !== null;
    const now = ctx.now();
    const paid = endManualPayment(tx, orderId, "succeeded");
    const booked = { now, today: await today(ctx, tx), actor: "owner", note } as const;
    if (order.hasUnreservedUnits) {
      if (!(await completeIfInStock(tx, order, booked))) {
        await cancelUnpaidOrder(tx, order, { actor: "system", note: "Out of stock", now });
        await endManualPayment(tx, orderId, "canceled");
        return false;
      }
      await paid;
      await enqueueOrderPaid(ctx, tx, orderId);
      return true;
    }
    await enqueueOrderPaid(ctx, tx, orderId);
    // Last: it locks the stock, and commits.
    await completeAndCommit(tx, order, { ...booked, along: [paid] });
    return true;
  });
}
