import { and, eq, isNull } from "drizzle-orm";
import * as v from "valibot";
import {
  type MoneyCheckDetail,
  moneyCheckDetailSchema,
  moneyCheckPageSchema,
  moneyCheckPeriodSchema,
} from "../../domain/money-check/money-check.ts";
import { formatDay } from "../../domain/orders/order-text.ts";
import { addDays, dateIn, startOfDay } from "../../domain/shared/zoned-days.ts";
import { accepted, dataEnvelope, ok, okOrNotFound, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { syncIntentDisputes } from "../disputes/disputes.ts";
import type { Feature } from "../feature.ts";
import { findIntent } from "../payment-providers/find-intent.ts";
import type { Intent } from "../payment-providers/provider.ts";
import { closeAllSettledIssues } from "../payments/close-issues.ts";
import type { SettleOutcome } from "../payments/hooks.ts";
import { raiseMissingOrder } from "../payments/missing-order.ts";
import { syncRefundsIfReachable } from "../payments/refunds/sync.ts";
import { settlePayment } from "../payments/settling/settle.ts";
import { pageLimit } from "../platform/http/params.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import { recurring, task } from "../platform/jobs/jobs.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { type Comparison, compareIntents, compareMissing, type Difference } from "./compare.ts";
import { listMoneyChecks, readMoneyCheck } from "./queries.ts";
import { checkNightly, runMoneyCheck, runMoneyCheckJob, startMoneyCheck } from "./start.ts";
import { discrepancies } from "./tables.ts";

const shared = { tag: "Payments", access: "admin" } as const;
const id = v.pipe(v.string(), v.regex(/^\d{1,15}$/, "Must be a number"), v.transform(Number));

const moneyCheckApi = [
  route("GET /api/admin/money-checks", {
    ...shared,
    roles: ["accountant"],
    summary: "Runs of the money check, newest first",
    query: v.object({ limit: pageLimit(20), cursor: v.optional(id) }),
    response: moneyCheckPageSchema,
    responses: { 200: "`{data, nextCursor, today}`; amounts in cents" },
    handle: async (ctx, { query: { limit, cursor = null } }) => {
      const timeZone = await ownerTimeZone(ctx);
      const page = await listMoneyChecks(ctx.db, timeZone, { limit, cursor });
      return { status: 200, body: { ...page, today: dateIn(timeZone, ctx.now()) } };
    },
  }),
  route("POST /api/admin/money-checks", {
    ...shared,
    summary: "Start a check of a period, first and last day included, in the shop's time zone",
    body: moneyCheckPeriodSchema,
    response: dataEnvelope(moneyCheckDetailSchema),
    responses: { 202: "The check, which runs in the background; `looked` shows its progress" },
    handle: async (ctx, { body, log }) => {
      const timeZone = await ownerTimeZone(ctx);
      if (body.from > dateIn(timeZone, ctx.now())) {
        return problem("validation_failed", "This period has not begun yet.", {
          fields: { from: "Must not be in the future" },
        });
      }
      const checkId = await startMoneyCheck(ctx, {
        from: startOfDay(timeZone, body.from),
        to: startOfDay(timeZone, addDays(body.to, 1)),
        requestedBy: "owner",
      });
      log({
        subject: `money_check:${checkId}`,
        summary: `Money check of ${[...new Set([body.from, body.to])].map((day) => formatDay(day, "UTC")).join(" to ")} started`,
      });
      return accepted(await requireMoneyCheck(ctx, checkId));
    },
  }),
  route("GET /api/admin/money-checks/:id", {
    ...shared,
    roles: ["accountant"],
    summary: "One run of the money check with the differences it found",
    params: v.object({ id }),
    response: dataEnvelope(moneyCheckDetailSchema),
    responses: { 200: "The check and its `items`", 404: "No such check" },
    handle: async (ctx, { params }) => okOrNotFound("money check", await readMoneyCheck(ctx, params.id)),
  }),
  route("POST /api/admin/money-checks/:id/findings/:findingId/mend", {
    ...shared,
    summary: "Repair a difference if the shop can, then compare again",
    params: v.object({ id, findingId: id }),
    response: dataEnvelope(
      v.object({ mended: v.boolean(), outcome: v.nullable(v.string()), check: moneyCheckDetailSchema }),
    ),
    responses: {
      200: "`{mended, outcome, check}`; if not mended, `outcome` says why, and what to do",
      404: "No such difference",
      502: "The payment provider could not be reached",
    },
    handle: async (ctx, { params: { id: checkId, findingId }, log }) => {
      const result = await repairDiscrepancy(ctx, { checkId, discrepancyId: findingId });
      if (result === null) return notFoundProblem("difference");
      const check = await requireMoneyCheck(ctx, checkId);
      const intentId = check.items.find((item) => item.id === findingId)?.intentId;
      log(
        `Payment ${intentId}: ${result.isRepaired ? "difference repaired" : "checked again, still differs"}`,
      );
      return ok({
        mended: result.isRepaired,
        outcome: result.isRepaired ? null : result.repairFailure,
        check,
      });
    },
  }),
];

async function requireMoneyCheck(ctx: ShopContext, checkId: number): Promise<MoneyCheckDetail> {
  const check = await readMoneyCheck(ctx, checkId);
  if (!check) throw new Error(`Money check ${checkId} is missing`);
  return check;
}

/** Checks every hour whether the nightly check is due. */
const nightlyJob = { name: "nightly_money_check", lane: "upkeep", priority: 0, everySeconds: 3600 } as const;

/** Compares the provider's payments of a period with the orders. */
export const moneyCheckFeature = {
  api: moneyCheckApi,
  tasks: (ctx) => [task(runMoneyCheckJob, ({ checkId }, context) => runMoneyCheck(ctx, checkId, context))],
  cron: (ctx) => [recurring(nightlyJob, () => checkNightly(ctx))],
} satisfies Feature;

type Row = typeof discrepancies.$inferSelect;
/** `repairFailure` tells the owner why both sides still differ. */
type RepairResult = { isRepaired: true } | { isRepaired: false; repairFailure: string };

/**
 * Repairs a difference as far as the shop may, then compares again to see whether it is repaired. Safe to repeat. Null if there is
 * no such difference. Throws ProviderUnavailable.
 */
async function repairDiscrepancy(
  ctx: ShopContext,
  { checkId, discrepancyId }: { checkId: number; discrepancyId: number },
): Promise<RepairResult | null> {
  const [discrepancy] = await ctx.db
    .select()
    .from(discrepancies)
    .where(and(eq(discrepancies.id, discrepancyId), eq(discrepancies.checkId, checkId)));
  if (!discrepancy) return null;
  if (discrepancy.repairedAt !== null) return { isRepaired: true };
  const intent = discrepancy.intentId.startsWith("#") ? null : await findIntent(ctx, discrepancy.intentId);
  const settled = intent ? await bookFromProvider(ctx, discrepancy, intent) : null;
  const remaining = (await compareNow(ctx, discrepancy, intent)).find(
    ({ kind }) => kind === discrepancy.kind,
  );
  if (!remaining) {
    await closeDiscrepancy(ctx, discrepancy);
    return { isRepaired: true };
  }
  const repairFailure = repairFailureText(discrepancy, settled);
  const { providerCents, bookedCents } = remaining;
  await ctx.db
    .update(discrepancies)
    .set({ repairFailure, providerCents, bookedCents })
    .where(eq(discrepancies.id, discrepancyId));
  return { isRepaired: false, repairFailure };
}

/** Books the payment, its refunds or its disputes, with the functions that handle the provider's events. */
async function bookFromProvider(
  ctx: ShopContext,
  discrepancy: Row,
  intent: Intent,
): Promise<SettleOutcome | null> {
  if (discrepancy.kind === "refund_differs") {
    await syncRefundsIfReachable(ctx, intent.intentId);
    return null;
  }
  if (discrepancy.kind === "dispute_differs") {
    await syncIntentDisputes(ctx, intent.intentId);
    return null;
  }
  const settled = await settlePayment(ctx, intent);
  if (settled === "unknown_order") await raiseMissingOrder(ctx, intent);
  return settled;
}

async function compareNow(
  ctx: ShopContext,
  { intentId, kind, orderId, providerCents, bookedCents }: Row,
  intent: Intent | null,
): Promise<Difference[]> {
  // The order was booked as paid without a payment, so there is nothing to look up at the provider.
  if (intentId.startsWith("#")) return [{ intentId, kind, orderId, providerCents, bookedCents }];
  const comparisons: (Comparison | null)[] =
    intent?.status === "succeeded"
      ? await compareIntents(ctx, [intent])
      : [await compareMissing(ctx.db, intentId)];
  return comparisons.flatMap((comparison) => comparison?.differences ?? []);
}

function repairFailureText({ kind, orderId, intentId }: Row, settled: SettleOutcome | null): string {
  switch (kind) {
    case "missing_order":
      if (orderId === null) {
        return "The shop has no order for this payment. Look at the payment at the provider: refund it there, or contact the buyer.";
      }
      return settled === "issue"
        ? "The shop cannot book this payment: its order was paid already, or the payment was not made for it. Refund it at the provider."
        : "This payment could not be booked for its order. Refund it at the provider, or contact the buyer.";
    case "missing_payment":
      return intentId.startsWith("#")
        ? "This order has no payment. Do not ship it before you know why it was marked as paid."
        : "The provider still does not report this payment as paid. Do not ship the order before you know why.";
    case "amount_differs":
      return "The amounts still differ, and the shop never changes an order’s total. Refund the payment at the provider, or agree on the rest with the buyer.";
    case "refund_differs":
      return "The refunds still differ. A bank may still be processing one: check again tomorrow.";
    case "dispute_differs":
      return "The cost of the disputes still differs. Compare it with the payment at the provider.";
  }
}

/** Closes the difference in every check that found it, and the issues of checks that have no other open difference. */
async function closeDiscrepancy(ctx: ShopContext, { kind, intentId }: Row): Promise<void> {
  const now = ctx.now();
  await ctx.db
    .update(discrepancies)
    .set({ repairedAt: now, repairFailure: null })
    .where(
      and(
        eq(discrepancies.kind, kind),
        eq(discrepancies.intentId, intentId),
        isNull(discrepancies.repairedAt),
      ),
    );
  await closeAllSettledIssues(ctx.db, now);
}
