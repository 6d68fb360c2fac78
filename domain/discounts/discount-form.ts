import * as v from "valibot";
import { isDate } from "../shared/zoned-days.ts";
import { discountKinds } from "./discount.ts";
import type { DiscountTerms } from "./discount-terms.ts";

/** A discount as the admin sees it. Amounts in cents, times ISO 8601. `used`: number of orders that use it now. */
export const adminDiscountSchema = v.object({
  id: v.number(),
  code: v.string(),
  automatic: v.boolean(),
  kind: v.picklist(discountKinds),
  value: v.number(),
  productIds: v.array(v.number()),
  productNames: v.array(v.string()),
  minimumSubtotal: v.number(),
  minimumUnits: v.number(),
  startsAt: v.nullable(v.string()),
  endsAt: v.nullable(v.string()),
  limitTotal: v.nullable(v.number()),
  limitPerCustomer: v.nullable(v.number()),
  firstOrderOnly: v.boolean(),
  active: v.boolean(),
  used: v.number(),
  createdAt: v.string(),
});
export type AdminDiscount = v.InferOutput<typeof adminDiscountSchema>;

const boundedInteger = (min: number, max: number, message: string) =>
  v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
const limit = v.nullable(boundedInteger(1, 1_000_000, "A whole number from 1 to 1,000,000, or none"));
/** ISO 8601 with an offset; converted to UTC. */
const time = v.nullable(
  v.pipe(
    v.string("A date and time, or none"),
    v.isoTimestamp("A date and time like 2026-12-01T05:00:00Z"),
    v.check((text) => isDate(text.slice(0, 10)), "There is no such day"),
    v.transform((text) => new Date(text).toISOString()),
  ),
);

/** Maximum number of automatic discounts that are switched on, and so of names in `refusedDiscountsSchema`. */
export const maxAutomaticDiscounts = 20;
/** Counted in UTF-16 units, as a browser's field does. */
const maxNameLength = 40;
/** Names of the automatic discounts because of which an earlier attempt to place the order was refused. */
export const refusedDiscountsSchema = v.pipe(
  v.array(v.pipe(v.string("Must be text"), v.maxLength(maxNameLength)), "Must be a list"),
  v.maxLength(maxAutomaticDiscounts, `At most ${maxAutomaticDiscounts} names`),
);

const entries = {
  /** Its form depends on `automatic`, see `discountProblems`. */
  code: v.pipe(v.string("Enter a code"), v.trim(), v.minLength(1, "Enter a code")),
  automatic: v.boolean("true or false"),
  kind: v.picklist(discountKinds, `One of ${discountKinds.join(", ")}`),
  /** The range of the value depends on the kind, see `discountProblems`. */
  value: v.pipe(v.number("Enter a number"), v.integer("Use a whole number")),
  minimumSubtotal: v.pipe(
    v.nullable(boundedInteger(0, 99_999_999, "From $0.00 to $999,999.99, in cents")),
    v.transform((cents) => cents ?? 0),
  ),
  /** All products if empty. */
  productIds: v.pipe(
    v.array(boundedInteger(1, 2_147_483_647, "Must be a product"), "Must be a list"),
    v.maxLength(100, "At most 100 products"),
    v.transform((ids) => [...new Set(ids)]),
  ),
  minimumUnits: v.pipe(
    v.nullable(boundedInteger(0, 1000, "A whole number up to 1,000, or none")),
    v.transform((units) => units ?? 0),
  ),
  startsAt: time,
  endsAt: time,
  limitTotal: limit,
  limitPerCustomer: limit,
  firstOrderOnly: v.boolean("true or false"),
  active: v.boolean("true or false"),
};

/** Body of `POST /api/admin/discounts`; a missing limit means none. */
export const newDiscountSchema = v.object({
  ...entries,
  value: v.optional(v.nullable(entries.value), null),
  automatic: v.optional(entries.automatic, false),
  productIds: v.optional(entries.productIds, []),
  minimumSubtotal: v.optional(entries.minimumSubtotal, 0),
  minimumUnits: v.optional(entries.minimumUnits, 0),
  startsAt: v.optional(entries.startsAt, null),
  endsAt: v.optional(entries.endsAt, null),
  limitTotal: v.optional(entries.limitTotal, null),
  limitPerCustomer: v.optional(entries.limitPerCustomer, null),
  firstOrderOnly: v.optional(entries.firstOrderOnly, false),
  active: v.optional(entries.active, true),
});

/** Body of `PATCH /api/admin/discounts/{id}`: any subset of the fields. */
export const discountChangeSchema = v.object({
  code: v.exactOptional(entries.code),
  kind: v.exactOptional(entries.kind),
  value: v.exactOptional(v.nullable(entries.value)),
  automatic: v.exactOptional(entries.automatic),
  productIds: v.exactOptional(entries.productIds),
  minimumSubtotal: v.exactOptional(entries.minimumSubtotal),
  minimumUnits: v.exactOptional(entries.minimumUnits),
  startsAt: v.exactOptional(entries.startsAt),
  endsAt: v.exactOptional(entries.endsAt),
  limitTotal: v.exactOptional(entries.limitTotal),
  limitPerCustomer: v.exactOptional(entries.limitPerCustomer),
  firstOrderOnly: v.exactOptional(entries.firstOrderOnly),
  active: v.exactOptional(entries.active),
});
export type DiscountChange = v.InferOutput<typeof discountChangeSchema>;

/** Problems between several fields, by field; empty if there are none. */
export function discountProblems(
  terms: Pick<DiscountTerms, "code" | "automatic" | "kind" | "value" | "startsAt" | "endsAt">,
): Record<string, string> {
  const { code, automatic, kind, value, startsAt, endsAt } = terms;
  const problems: Record<string, string> = {};
  if (automatic && (code.length > maxNameLength || !/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{3,}$/u.test(code))) {
    problems.code = "3 to 40 characters";
  }
  if (!automatic && !/^[A-Za-z0-9_-]{3,40}$/.test(code)) {
    problems.code = "3 to 40 letters, digits, hyphens or underscores, without spaces";
  }
  if (kind === "percent" && (value < 1 || value > 100)) problems.value = "From 1 to 100 percent";
  if (kind === "amount" && (value < 1 || value > 99_999_999)) problems.value = "From $0.01 to $999,999.99";
  if (startsAt !== null && endsAt !== null && startsAt >= endsAt) {
    problems.endsAt = "The end must be after the start";
  }
  return problems;
}
