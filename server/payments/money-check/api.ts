import * as v from "valibot";
import { moneyCheckSchema } from "../../../domain/payments/money-check.ts";
import { addDays, dateIn, startOfDay } from "../../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../../context.ts";
import { type AnyApiRow, ok, route } from "../../http/api-row.ts";
import { pageLimit } from "../../platform/page-limit.ts";
import { problem } from "../../platform/problem.ts";
import { ownerTimeZone } from "../../settings/today.ts";
import { listMoneyChecks, readMoneyCheck } from "./queries.ts";
import { mendFinding } from "./repair.ts";
import { startMoneyCheck } from "./start.ts";

const tag = "Payments";
const id = v.pipe(v.string(), v.regex(/^\d{1,15}$/, "Must be a number"), v.transform(Number));
const limit = pageLimit(20);

/** The provider's payments held against the orders. `timeZone`: where the owner's days begin and end. */
export function moneyCheckApi(ctx: ShopContext): AnyApiRow[] {
  const { db, provider } = ctx;
  const read = async (checkId: number) => readMoneyCheck(db, checkId, await ownerTimeZone(ctx), provider);
  return [
    route("GET /api/admin/money-checks", {
      tag,
      summary: "Runs of the money check, newest first",
      access: "admin",
      limit: "none",
      query: v.object({ limit, cursor: v.optional(id) }),
      answers: { 200: "`{data, nextCursor, today}`; amounts in cents" },
      handle: async (_ctx, { query }) => {
        const timeZone = await ownerTimeZone(ctx);
        const page = await listMoneyChecks(db, timeZone, {
          limit: query.limit,
          cursor: query.cursor ?? null,
        });
        return {
          status: 200,
          body: { success: true, ...page, today: dateIn(timeZone, ctx.now()) },
        };
      },
    }),
    route("POST /api/admin/money-checks", {
      tag,
      summary: "Check a period, first and last day counted, in the owner's time zone",
      access: "admin",
      limit: "none",
      body: moneyCheckSchema,
      answers: { 202: "The check, which runs in the background; its `looked` grows" },
      handle: async (_ctx, { body, log }) => {
        const timeZone = await ownerTimeZone(ctx);
        if (body.from > dateIn(timeZone, ctx.now())) {
          return problem("validation_failed", "This period has not begun yet.", {
            fields: { from: "This day is in the future" },
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
        return { status: 202, body: { success: true, data: await read(checkId) } };
      },
    }),
    route("GET /api/admin/money-checks/:id", {
      tag,
      summary: "One run of the money check with the differences it found",
      access: "admin",
      limit: "none",
      params: v.object({ id }),
      answers: { 200: "The check and its `items`", 404: "No such check" },
      handle: async (_ctx, { params }) => {
        const check = await read(params.id);
        return check ? ok(check) : problem("not_found", "There is no such money check.");
      },
    }),
    route("POST /api/admin/money-checks/:id/findings/:findingId/mend", {
      tag,
      summary: "Do what the shop may do about a difference, then compare anew",
      access: "admin",
      limit: "none",
      params: v.object({ id, findingId: id }),
      answers: {
        200: "`{mended, outcome, check}`; not mended: `outcome` says why, and what to do",
        404: "No such difference",
        502: "The payment provider could not be reached",
      },
      handle: async (_ctx, { params, log }) => {
        const result = await mendFinding(ctx, { checkId: params.id, findingId: params.findingId });
        if (result === null) return problem("not_found", "There is no such difference.");
        const check = await read(params.id);
        const intentId = check?.items.find((item) => item.id === params.findingId)?.intentId;
        log({
          subject: `money_check:${params.id}`,
          summary: `Payment ${intentId}: ${result.isMended ? "difference mended" : "checked again, still differs"}`,
        });
        return ok({ mended: result.isMended, outcome: result.isMended ? null : result.outcome, check });
      },
    }),
  ];
}
