import { eq, inArray, sql } from "drizzle-orm";
import { type Refundable, refundByLines } from "../../../domain/orders/line-refund.ts";
import { countUnits } from "../../../domain/orders/order.ts";
import { type ReplacementRequest, replacementReasons } from "../../../domain/orders/replacement.ts";
import { enforceConfirmationLimit } from "../../admin/confirmation-limit.ts";
import { products } from "../../catalog/tables.ts";
import type { ShopContext } from "../../context.ts";
import { sellUnreserved } from "../../inventory/commands.ts";
import { stock } from "../../inventory/tables.ts";
import { readLines, writeFollowUp } from "../../orders/follow-up.ts";
import { orders } from "../../orders/tables.ts";
import { recordOrderNote } from "../../orders/transition.ts";
import { readRefundable } from "../../payments/refunds/refundable.ts";
import type { Db } from "../../platform/database/database.ts";
import { today } from "../../settings/today.ts";
import { lockForAction } from "../actions.ts";
import {
  type FollowUpRefusal,
  FollowUpRefused,
  followUpProblem,
  hashRequest,
  idForKey,
  inTransactionOrRefusal,
  keyReusedMessage,
  readAllowance,
  type Units,
  unitsProblems,
} from "./allowance.ts";
import { enqueueReplacement } from "./mail.ts";

type Request = ReplacementRequest & { orderId: string; idempotencyKey: string | null };
type Result = { ok: true; orderId: string; number: number; isNew: boolean } | FollowUpRefusal;

/**
 * Sends units of an order again at no charge, as a new order whose prices are zero. Its units leave the stock immediately. Null
 * if there is no such order.
 */
export async function sendReplacement(ctx: ShopContext, request: Request): Promise<Result | null> {
  return inTransactionOrRefusal(ctx.db, (tx) => writeReplacement(ctx, tx, request));
}

async function writeReplacement(
  ctx: ShopContext,
  tx: Db,
  { orderId, idempotencyKey, ...request }: Request,
): Promise<Result | null> {
  const target = await lockForAction(ctx, tx, orderId);
  if (!target) return null;
  const id = idForKey(["replacement", orderId], idempotencyKey);
  const requestHash = hashRequest(request);
  const [existing] = await tx.select().from(orders).where(eq(orders.id, id));
  if (existing) {
    return existing.requestHash.equals(requestHash)
      ? { ok: true, orderId: id, number: existing.number, isNew: false }
      : { ok: false, code: "state", reason: keyReusedMessage };
  }
  const { order, locked } = target;
  const { items, reason, note } = request;
  const problem =
    order.replaces === null
      ? followUpProblem(order, locked.shipHold)
      : `This is a replacement itself: send another one from order #${order.replaces.number}.`;
  if (problem !== null) return { ok: false, code: "state", reason: problem };
  const allowance = await readAllowance(tx, orderId);
  const fields = unitsProblems(items, "items", allowance.byProduct);
  if (countUnits(items) > allowance.total) fields.items = tooManyText;
  if (Object.keys(fields).length > 0) return { ok: false, code: "input", fields };
  const refundable = await readRefundable(tx, orderId);
  await enforceConfirmationLimit(tx, {
    cents: refundable ? paidCentsFor(items, refundable) : 0,
    verb: "is given up",
  });
  const orderedLines = await readLines(tx, orderId);
  const now = ctx.now();
  const number = await writeFollowUp(tx, orderId, {
    id,
    status: "completed",
    now,
    expiresAt: now,
    requestHash,
    givingPercent: 0,
    amounts: {
      subtotalCents: 0,
      discountCents: 0,
      shippingCents: 0,
      taxCents: 0,
      totalCents: 0,
      withTax: null,
    },
    lines: items.flatMap(({ productId, quantity }) => {
      const line = orderedLines.find((orderedLine) => orderedLine.productId === productId);
      if (!line) return [];
      const { name, image } = line;
      return [{ productId, name, image, quantity, ...zeroPrices }];
    }),
    note: `Replaces units of order #${order.number}: ${replacementReasons[reason].toLowerCase()}`,
    columns: {
      replacesId: orderId,
      replacementReason: reason,
      replacementCostCents: await readCost(tx, items),
    },
  });
  const entry = `Replacement #${number} sent: ${replacementReasons[reason].toLowerCase()}`;
  await recordOrderNote(tx, order, { actor: "owner", note: entry, now });
  await enqueueReplacement(tx, { orderId: id, note });
  // Last, because every other order waits for the locks on stock.
  const soldLineCount = await sellUnreserved(tx, id, items, await today(ctx, tx));
  if (soldLineCount < items.length) throw await soldOutRefusal(tx, items);
  return { ok: true, orderId: id, number, isNew: true };
}

/** Price and tax that the buyer paid for the units. Refunds by amount do not lower it. */
function paidCentsFor(items: readonly Units[], { lines, taxIncluded }: Refundable): number {
  const sum = (part: "goods" | "tax") => lines.reduce((cents, line) => cents + line[part], 0);
  const unreducedRefundable = {
    lines,
    goods: sum("goods"),
    tax: sum("tax"),
    shipping: 0,
    ...(taxIncluded && { taxIncluded }),
  };
  return refundByLines(unreducedRefundable, { items, shipping: 0 }).amount;
}

const zeroPrices = { unitPriceCents: 0, bundleSavingCents: 0, bundles: [], discountCents: 0, taxCents: 0 };

const tooManyText = "More units than were bought and not refunded, less those already replaced or exchanged";

/** Cost of the units to the shop; unknown costs count as 0. */
async function readCost(tx: Db, units: readonly Units[]): Promise<number> {
  const ids = units.map(({ productId }) => productId);
  const rows = await tx
    .select({ id: products.id, cost: products.cost })
    .from(products)
    .where(inArray(products.id, ids));
  return units.reduce(
    (sum, { productId, quantity }) => sum + quantity * (rows.find(({ id }) => id === productId)?.cost ?? 0),
    0,
  );
}

/** The refusal of units that are not in stock, with the available quantities. */
export async function soldOutRefusal(tx: Db, units: readonly Units[]): Promise<FollowUpRefused> {
  const ids = units.map(({ productId }) => productId);
  const free = sql<number>`greatest(0, ${stock.onHand} - ${stock.reserved})`;
  const rows = await tx
    .select({ productId: stock.productId, free })
    .from(stock)
    .where(inArray(stock.productId, ids));
  const available = Object.fromEntries(rows.map(({ productId, free }) => [productId, free]));
  return new FollowUpRefused({ ok: false, code: "stock", available });
}
