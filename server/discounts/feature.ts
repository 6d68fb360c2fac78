import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import { discountLabel } from "../../domain/discounts/discount.ts";
import {
  type AdminDiscount,
  adminDiscountSchema,
  type DiscountChange,
  discountChangeSchema,
  newDiscountSchema,
} from "../../domain/discounts/discount-form.ts";
import { type ApiCall, created, dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import type { LoggedChange } from "../platform/http/api-response.ts";
import { pageLimit } from "../platform/http/params.ts";
import { invalidFields, type Problem, problem } from "../platform/http/problem.ts";
import { changeDiscount, createDiscount, type DiscountResult, deleteDiscount } from "./commands.ts";
import { purgePersonalCodes } from "./personal-codes.ts";
import { findDiscount, listDiscounts } from "./queries.ts";

const shared = {
  tag: "Contact, notifications, admin",
  access: "admin",
  roles: ["staff"],
} as const;
const idSchema = v.pipe(v.number("Must be a number"), v.integer(), v.minValue(1), v.maxValue(2_147_483_647));
const params = v.object({ id: v.pipe(v.string(), v.regex(/^\d{1,10}$/), v.transform(Number), idSchema) });
const pageSchema = v.object({
  limit: pageLimit(100, 200),
  cursor: v.optional(
    v.nullable(v.pipe(v.string(), v.regex(/^\d{1,10}$/, "Not a cursor of this list"), v.transform(Number))),
    null,
  ),
});
const responses = {
  200: "The discount as it is now; orders placed before keep their amounts",
  404: "There is no such discount.",
  409: "Not possible because orders were placed with it, or emails gave it away, with the reason",
};

/** Managing discount codes. Amounts in cents, times ISO 8601. */
const discountsApi = [
  route("GET /api/admin/discounts", {
    ...shared,
    summary: "Discount codes, newest first",
    query: pageSchema,
    response: v.object({ data: v.array(adminDiscountSchema), nextCursor: v.nullable(v.string()) }),
    responses: { 200: "A list of discounts and `nextCursor`; `used`: number of orders that use the code" },
    handle: async (ctx, { query }) => {
      const { discounts, nextCursor } = await listDiscounts(ctx.db, query);
      return { status: 200, body: { data: discounts, nextCursor } };
    },
  }),
  route("GET /api/admin/discounts/:id", {
    ...shared,
    summary: "One discount code",
    params,
    response: dataEnvelope(adminDiscountSchema),
    responses: { 200: "The discount", 404: responses[404] },
    handle: async (ctx, { params }) => {
      const discount = await findDiscount(ctx.db, params.id);
      return discount ? ok(discount) : problem("not_found", responses[404]);
    },
  }),
  route("POST /api/admin/discounts", {
    ...shared,
    summary: "Create a discount code; missing fields set no limit",
    body: newDiscountSchema,
    response: dataEnvelope(adminDiscountSchema),
    responses: { 201: "The discount" },
    handle: async (ctx, { body, log }) => {
      const result = await createDiscount(ctx, body);
      if (!result.ok) return resultProblem(result);
      const { discount } = result;
      const summary = `${discountName(discount)} created: ${discountLabel(discount)}`;
      log({ subject: `discount:${discount.id}`, summary, after: discount });
      return created(discount);
    },
  }),
  route("PATCH /api/admin/discounts/:id", {
    ...shared,
    summary: "Change any of a discount's terms, or switch it off",
    params,
    body: discountChangeSchema,
    response: dataEnvelope(adminDiscountSchema),
    responses,
    handle: async (ctx, { params, body, log }) => editDiscount(ctx, { log }, params.id, body),
  }),
  route("PATCH /api/admin/discounts", {
    ...shared,
    summary: "Change a discount, with its `id` in the body",
    body: v.object({ ...discountChangeSchema.entries, id: idSchema }),
    response: dataEnvelope(adminDiscountSchema),
    responses,
    handle: async (ctx, { body: { id, ...body }, log }) => editDiscount(ctx, { log }, id, body),
  }),
  route("DELETE /api/admin/discounts/:id", {
    ...shared,
    summary: "Delete a discount that no order was placed with",
    params,
    response: dataEnvelope(v.null()),
    responses: { ...responses, 200: "Deleted" },
    handle: async (ctx, { params, log }) => {
      const result = await deleteDiscount(ctx, { id: params.id });
      if (!result.ok) return resultProblem(result);
      const { discount } = result;
      log({
        subject: `discount:${discount.id}`,
        summary: `${discountName(discount)} deleted`,
        before: discount,
      });
      return ok(null);
    },
  }),
];

async function editDiscount(
  ctx: ShopContext,
  { log }: Pick<ApiCall, "log">,
  id: number,
  body: DiscountChange,
) {
  const result = await changeDiscount(ctx, { id, change: body });
  if (!result.ok) return resultProblem(result);
  log(logEntry(result.before, result.discount));
  return ok(result.discount);
}

function resultProblem(result: Extract<DiscountResult, { ok: false }>): Problem {
  switch (result.reason) {
    case "unknown":
      return problem("not_found", responses[404]);
    case "invalid":
      return invalidFields(result.fields);
    case "in_use":
      return problem("invalid_state", result.message);
  }
}

function discountName({ automatic, code }: AdminDiscount): string {
  return `${automatic ? "Automatic discount" : "Discount code"} ${code}`;
}

const fieldNames: Record<string, string> = {
  code: "code",
  kind: "kind",
  value: "value",
  automatic: "applies automatically",
  productIds: "products",
  minimumSubtotal: "minimum",
  minimumUnits: "smallest number of units",
  startsAt: "start",
  endsAt: "end",
  limitTotal: "limit of all uses",
  limitPerCustomer: "limit per customer",
  firstOrderOnly: "first order only",
};

function logEntry(before: AdminDiscount | null, after: AdminDiscount): LoggedChange {
  const changedKeys = before
    ? (Object.keys(after) as (keyof AdminDiscount)[]).filter(
        (key) => key !== "productNames" && !isDeepStrictEqual(before[key], after[key]),
      )
    : [];
  const valuesIn = (from: AdminDiscount | null) =>
    Object.fromEntries(changedKeys.map((key) => [key, from?.[key] ?? null]));
  const isSwitch = changedKeys.length === 1 && changedKeys[0] === "active";
  const names = changedKeys.map((key) => fieldNames[key] ?? (after.active ? "switched on" : "switched off"));
  const what =
    changedKeys.length === 0
      ? "saved without a change"
      : isSwitch
        ? `switched ${after.active ? "on" : "off"}`
        : `changed: ${names.join(", ")}`;
  return {
    subject: `discount:${after.id}`,
    summary: `${discountName(after)} ${what}`,
    before: valuesIn(before),
    after: valuesIn(after),
  };
}

export const discountsFeature = {
  api: discountsApi,
  purges: [purgePersonalCodes],
} satisfies Feature;
