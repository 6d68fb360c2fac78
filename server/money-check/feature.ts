import * as v from "valibot";
import {
  type MoneyCheckDetail,
  moneyCheckDetailSchema,
  moneyCheckPageSchema,
  moneyCheckPeriodSchema,
} from "../../domain/money-check/money-check.ts";
import { addDays, dateIn, startOfDay } from "../../domain/shared/zoned-days.ts";
import { accepted, dataOf, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { pageLimit } from "../platform/http/page-limit.ts";
import { problem } from "../platform/http/problem.ts";
import { recurring, task } from "../platform/jobs/jobs.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { listMoneyChecks, readMoneyCheck } from "./queries.ts";
import { repairDiscrepancy } from "./repair.ts";
import { checkNightly, runMoneyCheck, runMoneyCheckJob, startMoneyCheck } from "./start.ts";

const shared = { tag: "Payments", access: "admin", limit: "none" } as const;
const id = v.pipe(v.string(), v.regex(/^\d{1,15}$/, "Must be a number"), v.transform(Number));

const moneyCheckApi = [
  route("GET /api/admin/money-checks", {
    ...shared,
    roles: ["accountant"],
    summary: "Runs of the money check, newest first",
    query: v.object({ limit: pageLimit(20), cursor: v.optional(id) }),
    response: moneyCheckPageSchema,
    answers: { 200: "`{data, nextCursor, today}`; amounts in cents" },
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
    response: dataOf(moneyCheckDetailSchema),
    answers: { 202: "The check, which runs in the background; `looked` shows its progress" },
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
        summary: `Money check of ${body.from} to ${body.to} started`,
      });
      return accepted(await readExisting(ctx, checkId));
    },
  }),
  route("GET /api/admin/money-checks/:id", {
    ...shared,
    roles: ["accountant"],
    summary: "One run of the money check with the differences it found",
    params: v.object({ id }),
    response: dataOf(moneyCheckDetailSchema),
    answers: { 200: "The check and its `items`", 404: "No such check" },
    handle: async (ctx, { params }) => {
      const check = await readMoneyCheck(ctx, params.id);
      return check ? ok(check) : problem("not_found", "There is no such money check.");
    },
  }),
  route("POST /api/admin/money-checks/:id/findings/:findingId/mend", {
    ...shared,
    summary: "Repair a difference if the shop can, then compare again",
    params: v.object({ id, findingId: id }),
    response: dataOf(
      v.object({ mended: v.boolean(), outcome: v.nullable(v.string()), check: moneyCheckDetailSchema }),
    ),
    answers: {
      200: "`{mended, outcome, check}`; if not mended, `outcome` says why, and what to do",
      404: "No such difference",
      502: "The payment provider could not be reached",
    },
    handle: async (ctx, { params: { id: checkId, findingId }, log }) => {
      const result = await repairDiscrepancy(ctx, { checkId, discrepancyId: findingId });
      if (result === null) return problem("not_found", "There is no such difference.");
      const check = await readExisting(ctx, checkId);
      const intentId = check.items.find((item) => item.id === findingId)?.intentId;
      log({
        subject: `money_check:${checkId}`,
        summary: `Payment ${intentId}: ${result.isRepaired ? "difference repaired" : "checked again, still differs"}`,
      });
      return ok({
        mended: result.isRepaired,
        outcome: result.isRepaired ? null : result.repairFailure,
        check,
      });
    },
  }),
];

async function readExisting(ctx: ShopContext, checkId: number): Promise<MoneyCheckDetail> {
  const check = await readMoneyCheck(ctx, checkId);
  if (!check) throw new Error(`Money check ${checkId} is missing`);
  return check;
}

/** Looks every hour whether the nightly check is due. */
const nightlyJob = { name: "nightly_money_check", lane: "upkeep", priority: 0, everySeconds: 3600 } as const;

/** Compares the provider's payments of a period with the orders. */
export const moneyCheckFeature = {
  api: moneyCheckApi,
  tasks: (ctx) => [task(runMoneyCheckJob, ({ checkId }, context) => runMoneyCheck(ctx, checkId, context))],
  cron: (ctx) => [recurring(nightlyJob, () => checkNightly(ctx))],
} satisfies Feature;
