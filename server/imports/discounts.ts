import { isDeepStrictEqual } from "node:util";
import {
  type AdminDiscount,
  discountChangeSchema,
  newDiscountSchema,
} from "../../domain/discounts/discount-form.ts";
import { type DiscountTerms, discountSentence } from "../../domain/discounts/discount-terms.ts";
import { addDays, startOfDay } from "../../domain/shared/zoned-days.ts";
import {
  changeDiscount,
  createDiscount,
  type DiscountResult,
  deleteDiscount,
  lockDiscount,
} from "../discounts/commands.ts";
import { findDiscountByCode } from "../discounts/queries.ts";
import { ownerTimeZone } from "../settings/today.ts";
import type { ImportedKind } from "./kind.ts";
import { fieldsText, type Line, parsed, RowRefused } from "./lines.ts";

const columns = {
  code: "Code",
  kind: "Type",
  value: "Value",
  minimumSubtotal: "Minimum",
  startsAt: "Starts",
  endsAt: "Ends",
  limitTotal: "Uses",
  limitPerCustomer: "Uses per customer",
  firstOrderOnly: "First order only",
  active: "On",
} as const;

type Step = { id: number; before: Terms | null; after: Terms; used: number };

/** Discount codes, found by their code. A column that the file lacks does not change existing codes. */
export const discountsKind: ImportedKind<Line> = {
  areRowsIndependent: true,
  formats: [
    {
      name: "A list of discount codes",
      needs: [[columns.code], [columns.kind]],
      rowsOf: (lines) => [...lines],
    },
  ],
  lineOf: (line) => line,
  labelOf: (line) => line.text(columns.code),
  async put(ctx, line) {
    const code = line.text(columns.code);
    if (code === "") throw new RowRefused("It has no code.");
    const earlier = ctx.earlierLine(code.toUpperCase(), line.lineNumber);
    if (earlier !== null) throw new RowRefused(`This code stands in line ${earlier} already.`);
    const timeZone = await ownerTimeZone(ctx, ctx.db);
    const input = inputOf(line, timeZone);
    const existing = await findDiscountByCode(ctx.db, code);
    if (existing?.automatic) throw new RowRefused("A discount that applies by itself has this name.");
    const result = existing
      ? await changeDiscount(ctx, { id: existing.id, change: parsed(discountChangeSchema, input, columns) })
      : await createDiscount(ctx, parsed(newDiscountSchema, input, columns));
    const { before, discount } = successOf(result);
    const step: Step = {
      id: discount.id,
      before: before && termsOf(before),
      after: termsOf(discount),
      used: discount.used,
    };
    const row = { label: discount.code, text: describe(discount, timeZone) };
    if (before === null) return { ...row, state: "new", step };
    if (isDeepStrictEqual(step.before, step.after)) return { ...row, state: "same" };
    return { ...row, state: "changed", before: describe(before, timeZone), step };
  },
  async undo(ctx, { id, before, after, used }: Step) {
    const now = await lockDiscount(ctx.db, id);
    if (!now) throw new RowRefused("It was deleted since.");
    if (!isDeepStrictEqual(termsOf(now), after)) throw new RowRefused("It was changed since.");
    if (now.used > used) throw new RowRefused("Orders were placed with it since.");
    successOf(await (before ? changeDiscount(ctx, { id, change: before }) : deleteDiscount(ctx, { id })));
  },
};

/** The fields whose columns the file has. */
function inputOf(line: Line, timeZone: string): Record<string, unknown> {
  const kinds: Record<string, string> = {
    "fixed amount": "amount",
    fixed: "amount",
    percentage: "percent",
    "%": "percent",
  };
  const kind = line.text(columns.kind).toLowerCase();
  const typed = line.text(columns.value);
  const isAmount = (kinds[kind] ?? kind) === "amount";
  const fields = {
    code: () => line.text(columns.code),
    kind: () => kinds[kind] ?? kind.replace(/[ -]/g, "_"),
    value: () => (isAmount || typed === "" ? line.money(columns.value) : percentOf(typed)),
    minimumSubtotal: () => line.money(columns.minimumSubtotal),
    startsAt: () => edge(line, columns.startsAt, timeZone),
    endsAt: () => edge(line, columns.endsAt, timeZone),
    limitTotal: () => line.wholeNumber(columns.limitTotal),
    limitPerCustomer: () => line.wholeNumber(columns.limitPerCustomer),
    firstOrderOnly: () => line.yesNo(columns.firstOrderOnly),
    active: () => line.yesNo(columns.active),
  };
  const presentFields = (Object.keys(fields) as (keyof typeof fields)[]).filter((field) =>
    line.has(columns[field]),
  );
  const input = Object.fromEntries(presentFields.map((field) => [field, fields[field]()]));
  // An empty cell is no answer: an existing code that is off stays off.
  for (const field of ["firstOrderOnly", "active"]) if (input[field] === null) delete input[field];
  return input;
}

function percentOf(typed: string): number {
  const percent = Number(typed.replace(/\s*%$/, "").replace(/\.0+$/, ""));
  if (!Number.isInteger(percent)) throw new RowRefused(`Value: “${typed}” is not a whole percentage.`);
  return percent;
}

/** A day begins with its first moment, and ends with the first of the next day. */
function edge(line: Line, title: "Starts" | "Ends", timeZone: string): string | null {
  const time = line.time(title);
  if (time === null) return null;
  if ("at" in time) return time.at.toISOString();
  return startOfDay(timeZone, title === "Ends" ? addDays(time.day, 1) : time.day).toISOString();
}

function successOf(result: DiscountResult) {
  if (result.ok) return result;
  if (result.reason === "invalid") throw new RowRefused(fieldsText(result.fields, columns));
  throw new RowRefused(result.reason === "in_use" ? result.message : "It was deleted since.");
}

type Terms = Omit<DiscountTerms, "productNames">;

/** What the owner can edit, also beyond the file's columns. */
function termsOf({
  id: _,
  used: _used,
  createdAt: _at,
  productNames: _names,
  ...terms
}: AdminDiscount): Terms {
  return terms;
}

function describe(terms: DiscountTerms, timeZone: string): string {
  const limit = terms.limitTotal === null ? "" : ` ${terms.limitTotal.toLocaleString("en-US")} uses in all.`;
  return `${discountSentence(terms, timeZone)}${limit}${terms.active ? "" : " Switched off."}`;
}
