import * as v from "valibot";
import { discountLabel } from "../../domain/discounts/discount.ts";
import {
  type AdminDiscount,
  discountChangeSchema,
  newDiscountSchema,
} from "../../domain/discounts/discount-form.ts";
import { type Answer, type AnyApiRoute, type Change, ok, route } from "../platform/api-route.ts";
import type { Database } from "../platform/database.ts";
import { pageLimit } from "../platform/page-limit.ts";
import { type Problem, problem } from "../platform/problem.ts";
import { changeDiscount, createDiscount, type DiscountResult, deleteDiscount } from "./commands.ts";
import { findDiscount, listDiscounts } from "./queries.ts";

const path = "/api/admin/discounts";
const shared = { tag: "Contact, notifications, admin", access: "admin", limit: "none" } as const;
const idSchema = v.pipe(v.number("Must be a number"), v.integer(), v.minValue(1), v.maxValue(2_147_483_647));
const params = v.object({ id: v.pipe(v.string(), v.regex(/^\d{1,10}$/), v.transform(Number), idSchema) });
const pageSchema = v.object({
  limit: pageLimit(100, 200),
  cursor: v.optional(
    v.nullable(v.pipe(v.string(), v.regex(/^\d{1,10}$/, "Not a cursor of this list"), v.transform(Number))),
    null,
  ),
});
const answers = {
  200: "The discount as it is now; orders placed before keep their amounts",
  404: "There is no such discount.",
  409: "Not possible because orders were placed with it, with the reason",
};

/** Discount codes, as the owner sees and sets them. Amounts in cents, times ISO 8601. */
export function discountsApi(parts: { db: Database; now(): Date }): AnyApiRoute[] {
  type Call = { log(change: Change): void };
  const change = async (call: Call, id: number, body: v.InferOutput<typeof discountChangeSchema>) => {
    const result = await changeDiscount(parts, id, body);
    if (!result.ok) return refusal(result);
    call.log(changeOf(result.before, result.discount));
    return ok(result.discount);
  };
  return [
    route({
      ...shared,
      method: "GET",
      path,
      summary: "Discount codes, newest first",
      query: pageSchema,
      answers: { 200: "A list of discounts and `nextCursor`; `used` counts the orders that hold a use" },
      handle: async ({ query }): Promise<Answer> => {
        const { discounts, nextCursor } = await listDiscounts(parts.db, query);
        return { status: 200, body: { success: true, data: discounts, nextCursor } };
      },
    }),
    route({
      ...shared,
      method: "GET",
      path: `${path}/:id`,
      summary: "One discount code",
      params,
      answers: { 200: "The discount", 404: answers[404] },
      handle: async ({ params }) => {
        const discount = await findDiscount(parts.db, params.id);
        return discount ? ok(discount) : problem("not_found", answers[404]);
      },
    }),
    route({
      ...shared,
      method: "POST",
      path,
      summary: "Make a discount code; what is missing is no limit",
      body: newDiscountSchema,
      answers: { 201: "The discount" },
      handle: async ({ body, log }) => {
        const result = await createDiscount(parts, body);
        if (!result.ok) return refusal(result);
        const { discount } = result;
        const summary = `Discount code ${discount.code} made: ${discountLabel(discount)}`;
        log({ subject: `discount:${discount.id}`, summary, after: discount });
        return { status: 201, body: { success: true, data: discount } };
      },
    }),
    route({
      ...shared,
      method: "PATCH",
      path: `${path}/:id`,
      summary: "Change any of a discount's terms, or switch it off",
      params,
      body: discountChangeSchema,
      answers,
      handle: async ({ params, body, log }) => change({ log }, params.id, body),
    }),
    route({
      ...shared,
      method: "PATCH",
      path,
      summary: "Change a discount, with its `id` in the body",
      body: v.object({ ...discountChangeSchema.entries, id: idSchema }),
      answers,
      handle: async ({ body: { id, ...body }, log }) => change({ log }, id, body),
    }),
    route({
      ...shared,
      method: "DELETE",
      path: `${path}/:id`,
      summary: "Delete a discount that no order was placed with",
      params,
      answers: { ...answers, 200: "Deleted" },
      handle: async ({ params, log }) => {
        const result = await deleteDiscount(parts, params.id);
        if (!result.ok) return refusal(result);
        const { discount } = result;
        log({
          subject: `discount:${discount.id}`,
          summary: `Discount code ${discount.code} deleted`,
          before: discount,
        });
        return ok(null);
      },
    }),
  ];
}

function refusal(result: Extract<DiscountResult, { ok: false }>): Problem {
  switch (result.reason) {
    case "unknown":
      return problem("not_found", answers[404]);
    case "invalid":
      return problem("validation_failed", "Please check the highlighted fields.", { fields: result.fields });
    case "in_use":
      return problem("invalid_state", result.message);
  }
}

const fieldNames: Record<string, string> = {
  code: "code",
  kind: "kind",
  value: "value",
  minimumSubtotal: "minimum",
  startsAt: "start",
  endsAt: "end",
  limitTotal: "limit of all uses",
  limitPerCustomer: "limit per customer",
};

function changeOf(before: AdminDiscount | null, after: AdminDiscount): Change {
  const changed = before
    ? (Object.keys(after) as (keyof AdminDiscount)[]).filter((key) => before[key] !== after[key])
    : [];
  const pick = (from: AdminDiscount | null) =>
    Object.fromEntries(changed.map((key) => [key, from?.[key] ?? null]));
  const isSwitch = changed.length === 1 && changed[0] === "active";
  const names = changed.map((key) => fieldNames[key] ?? (after.active ? "switched on" : "switched off"));
  const what =
    changed.length === 0
      ? "saved without a change"
      : isSwitch
        ? `switched ${after.active ? "on" : "off"}`
        : `changed: ${names.join(", ")}`;
  return {
    subject: `discount:${after.id}`,
    summary: `Discount code ${after.code} ${what}`,
    before: pick(before),
    after: pick(after),
  };
}
