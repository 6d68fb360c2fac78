import { isDeepStrictEqual } from "node:util";
import {
  type AdminDiscount,
  discountChangeSchema,
  newDiscountSchema,
} from "../../domain/discounts/discount-form.ts";
import { type DiscountTerms, discountSentence } from "../../domain/discounts/discount-terms.ts";
import { addDays, isDate, startOfDay } from "../../domain/shared/zoned-days.ts";
import {
  changeDiscount,
  createDiscount,
  type DiscountResult,
  deleteDiscount,
  lockDiscount,
} from "../discounts/commands.ts";
import { findDiscountByCode } from "../discounts/queries.ts";
import { ownerTimeZone } from "../settings/today.ts";
import type { Format, ImportedKind } from "./kind.ts";
import { fieldsText, Line, parseValue, RowRefused } from "./lines.ts";

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
/** A line in the shop's own columns. `refusal`: why it cannot be imported. */
type Row = { line: Line; refusal?: string | false };

const isYes = (cell: string) => /^(yes|true|1)$/i.test(cell);
const isNone = (cell: string) => cell === "" || cell === "0";

/** Converts a line of another shop program. Its remaining uses, `limit` less `used`, become the limit here. */
function translateLine(
  line: Line,
  {
    refusal,
    limit,
    used,
    ...cells
  }: Partial<Record<keyof typeof columns, string>> & Omit<Row, "line"> & { limit: string; used: string },
): Row {
  const usesLeft = isNone(limit) ? null : Number(limit) - Number(used);
  const limitTotal = usesLeft === null ? "" : Number.isNaN(usesLeft) ? limit : `${usesLeft}`;
  const cellsByTitle = Object.entries({ ...cells, limitTotal }).map(
    ([field, cell]) => [columns[field as keyof typeof columns].toLowerCase(), cell] as const,
  );
  return {
    line: new Line(line.lineNumber, new Map(cellsByTitle)),
    refusal: refusal || (usesLeft !== null && usesLeft < 1 && "It is used up there."),
  };
}

const usesElsewhere = "Uses there reduce the limit of all uses. Who used a code there is not in the file.";

/** Its `Name` is the code if the discount has exactly one, otherwise its title. Values are negative. */
const shopify: Format<Row> = {
  name: "Shopify’s discount export",
  needs: [["Name"], ["Value Type"], ["Discount Class"]],
  parseRows: (lines) =>
    lines.map((line) => {
      const [type, status] = [line.text("Type"), line.text("Status").toLowerCase()];
      const isShipping = type.toLowerCase() === "free shipping";
      const buyers = ["Customer Selection", "Context"].map((title) => line.text(title));
      const restriction = buyers.find((buyer) => !/^(all|every|any|$)/i.test(buyer));
      return translateLine(line, {
        code: line.text("Name"),
        kind: isShipping ? "free shipping" : line.text("Value Type").replace("_", " "),
        value: isShipping ? "" : line.text("Value").replace("-", ""),
        minimumSubtotal: line
          .text("Minimum Purchase Requirements")
          .replace(/^(none|minimum purchase of )/i, ""),
        startsAt: line.text("Start"),
        endsAt: line.text("End"),
        limit: line.text("Usage Limit Per Code"),
        used: line.text("Times Used In Total"),
        limitPerCustomer: isYes(line.text("Applies Once Per Customer")) ? "1" : "",
        active: ["active", "scheduled"].includes(status) ? "yes" : "no",
        refusal:
          (!isShipping && !/^(amount off.*|)$/i.test(type) && `Codes here cannot do “${type}”.`) ||
          (line.text("Discount Class").toLowerCase() === "product" &&
            "It is for certain products, which the file does not name.") ||
          (restriction !== undefined && `It is for “${restriction}” only, which codes here cannot limit.`),
      });
    }),
  notes: () => [
    usesElsewhere,
    "Shopify lists discounts that need no code, or have several, by their title: import only rows whose name is the code.",
  ],
};

const couponKinds = new Map([
  ["percent", "percent"],
  ["fixed_cart", "amount"],
]);
/** Conditions of WooCommerce's coupons that this shop's discounts do not support. */
const otherConditions = [
  "product_ids",
  "exclude_product_ids",
  "product_categories",
  "exclude_product_categories",
  "customer_email",
  "maximum_amount",
  "limit_usage_to_x_items",
  "exclude_sale_items",
];

/**
 * WooCommerce itself exports no coupons. Its extensions name the columns as the database does: Smart Coupons, and
 * the order export of WebToffee. A coupon expires at the start of its expiry date, so the last valid day is the one before.
 */
const coupons: Format<Row> = {
  name: "A coupon export of WooCommerce",
  needs: [["post_title"], ["discount_type"], ["coupon_amount"]],
  parseRows: (lines) =>
    lines.map((line) => {
      const type = line.text("discount_type");
      const kind = couponKinds.get(type);
      const perCustomer = line.text("usage_limit_per_user");
      const hasAmount = Number(line.text("coupon_amount")) !== 0;
      const isShipping = isYes(line.text("free_shipping"));
      const end = line.text("date_expires", "expiry_date");
      const condition = otherConditions.find((title) => !/^(0|no|)$/.test(line.text(title)));
      return translateLine(line, {
        code: line.text("post_title"),
        kind: hasAmount ? (kind ?? "") : "free shipping",
        value: hasAmount ? line.text("coupon_amount") : "",
        minimumSubtotal: line.text("minimum_amount"),
        endsAt: isDate(end) ? addDays(end, -1) : end,
        limit: line.text("usage_limit"),
        used: line.text("usage_count"),
        limitPerCustomer: isNone(perCustomer) ? "" : perCustomer,
        active: ["publish", ""].includes(line.text("post_status")) ? "yes" : "no",
        refusal:
          (kind === undefined && `Codes here cannot do “${type}”.`) ||
          (hasAmount &&
            isShipping &&
            "It takes off an amount and the shipping. Codes here do one of them.") ||
          (!hasAmount && !isShipping && "It takes nothing off.") ||
          (condition !== undefined && `It has a condition that this shop’s codes cannot have: ${condition}.`),
      });
    }),
  notes: () => [usesElsewhere],
};

/** Discount codes, matched by code. A column missing in the file does not change existing codes. */
export const discountsKind: ImportedKind<Row> = {
  areRowsIndependent: true,
  formats: [
    shopify,
    coupons,
    {
      name: "A list of discount codes",
      needs: [[columns.code], [columns.kind]],
      parseRows: (lines) => lines.map((line) => ({ line })),
    },
  ],
  rowLine: ({ line }) => line,
  rowLabel: ({ line }) => line.text(columns.code),
  async importRow(ctx, { line, refusal }) {
    if (refusal) throw new RowRefused(refusal);
    const code = line.text(columns.code);
    if (code === "") throw new RowRefused("It has no code.");
    ctx.refuseRepeated("code", code.toUpperCase(), line);
    const timeZone = await ownerTimeZone(ctx, ctx.db);
    const input = discountInput(line, timeZone);
    const existingDiscount = await findDiscountByCode(ctx.db, code);
    if (existingDiscount?.automatic)
      throw new RowRefused("A discount that applies automatically has this name.");
    const result = existingDiscount
      ? await changeDiscount(ctx, {
          id: existingDiscount.id,
          change: parseValue(discountChangeSchema, input, columns),
        })
      : await createDiscount(ctx, parseValue(newDiscountSchema, input, columns));
    const { before, discount } = requireSuccess(result);
    const step: Step = {
      id: discount.id,
      before: before && pickTerms(before),
      after: pickTerms(discount),
      used: discount.used,
    };
    const row = { label: discount.code, text: describe(discount, timeZone) };
    if (before === null) return { ...row, state: "new", step };
    if (isDeepStrictEqual(step.before, step.after)) return { ...row, state: "same" };
    return { ...row, state: "changed", before: describe(before, timeZone), step };
  },
  async undo(ctx, { id, before, after, used }: Step) {
    const current = await lockDiscount(ctx.db, id);
    if (!current) throw new RowRefused("It was deleted since.");
    if (!isDeepStrictEqual(pickTerms(current), after)) throw new RowRefused("It was changed since.");
    if (current.used > used) throw new RowRefused("Orders were placed with it since.");
    requireSuccess(
      await (before ? changeDiscount(ctx, { id, change: before }) : deleteDiscount(ctx, { id })),
    );
  },
};

/** The fields whose columns the file has. */
function discountInput(line: Line, timeZone: string): Record<string, unknown> {
  const kinds: Record<string, string> = {
    "fixed amount": "amount",
    fixed: "amount",
    percentage: "percent",
    "%": "percent",
  };
  const kind = line.text(columns.kind).toLowerCase();
  const valueCell = line.text(columns.value);
  const isAmount = (kinds[kind] ?? kind) === "amount";
  const fields = {
    code: () => line.text(columns.code),
    kind: () => kinds[kind] ?? kind.replace(/[ -]/g, "_"),
    value: () => (isAmount || valueCell === "" ? line.money(columns.value) : parsePercent(valueCell)),
    minimumSubtotal: () => line.money(columns.minimumSubtotal),
    startsAt: () => boundaryTime(line, columns.startsAt, timeZone),
    endsAt: () => boundaryTime(line, columns.endsAt, timeZone),
    limitTotal: () => line.wholeNumber(columns.limitTotal),
    limitPerCustomer: () => line.wholeNumber(columns.limitPerCustomer),
    firstOrderOnly: () => line.yesNo(columns.firstOrderOnly),
    active: () => line.yesNo(columns.active),
  };
  const presentFields = (Object.keys(fields) as (keyof typeof fields)[]).filter((field) =>
    line.has(columns[field]),
  );
  const input = Object.fromEntries(presentFields.map((field) => [field, fields[field]()]));
  // An empty cell changes nothing: an inactive code stays inactive.
  for (const field of ["firstOrderOnly", "active"]) if (input[field] === null) delete input[field];
  return input;
}

function parsePercent(cell: string): number {
  const percent = Number(cell.replace(/\s*%$/, "").replace(/\.0+$/, ""));
  if (!Number.isInteger(percent)) throw new RowRefused(`Value: “${cell}” is not a whole percentage.`);
  return percent;
}

/**
 * The time in a cell. A date without a time means the start of that day, or of the next day for "Ends", so that the last day is
 * included.
 */
function boundaryTime(line: Line, title: "Starts" | "Ends", timeZone: string): string | null {
  const time = line.time(title);
  if (time === null) return null;
  if ("at" in time) return time.at.toISOString();
  return startOfDay(timeZone, title === "Ends" ? addDays(time.day, 1) : time.day).toISOString();
}

function requireSuccess(result: DiscountResult) {
  if (result.ok) return result;
  if (result.reason === "invalid") throw new RowRefused(fieldsText(result.fields, columns));
  throw new RowRefused(result.reason === "in_use" ? result.message : "It was deleted since.");
}

type Terms = Omit<DiscountTerms, "productNames">;

/** The fields that the owner can edit, including those without a column in the file. */
function pickTerms({
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
