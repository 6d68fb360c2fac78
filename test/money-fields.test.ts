import * as v from "valibot";
import { expect, test } from "vitest";
import type { Feature } from "../server/feature.ts";
import { features } from "../server/features.ts";
import { parseJson } from "../server/platform/http/request-body.ts";

/** A field of a request body that takes cents. `name`: the call and the field's path. */
type MoneyField = { name: string; schema: v.GenericSchema };

const moneyNames =
  /^(?:amount|amountCents|price|priceCents|freeFrom|minimumSubtotal|\w+Cents|goods|shippingAmount)$/;

/** Every number in the bodies of the API that is named like money. */
function moneyFields(schema: v.GenericSchema, name: string): MoneyField[] {
  const { entries, item, options, wrapped, pipe } = schema as {
    entries?: Record<string, v.GenericSchema>;
    item?: v.GenericSchema;
    options?: (v.GenericSchema | string)[];
    wrapped?: v.GenericSchema;
    pipe?: v.GenericSchema[];
  };
  const [first] = pipe ?? [];
  if (first && first !== schema && first.type !== "number") return moneyFields(first, name);
  if (entries) return Object.entries(entries).flatMap(([key, field]) => innerFields(field, `${name} ${key}`));
  return [
    ...(item ? innerFields(item, name) : []),
    ...(wrapped ? innerFields(wrapped, name) : []),
    ...(options ?? []).flatMap((option) => (typeof option === "object" ? innerFields(option, name) : [])),
  ];
}

function innerFields(schema: v.GenericSchema, name: string): MoneyField[] {
  const isNumber = schema.type === "number";
  const key = name.split(" ").at(-1) ?? "";
  if (isNumber) return moneyNames.test(key) ? [{ name, schema }] : [];
  return moneyFields(schema, name);
}

const fields = (features as readonly Feature[])
  .flatMap(({ api = [] }) => api)
  .flatMap(({ key, body }) => (body ? moneyFields(body, key) : []));

test("the search for money fields finds known ones of several calls", () => {
  expect(fields.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "PUT /api/products/:id/price price",
      "POST /api/admin/orders/:id/refund amount",
      "POST /api/admin/donations amountCents",
      "POST /api/admin/discounts minimumSubtotal",
      "PATCH /api/admin/settings shipping zones options freeFrom",
    ]),
  );
});

test.each(fields)("$name accepts only whole cents in plain digits", ({ schema }) => {
  const isAccepted = (json: string) =>
    !("problem" in parseJson(`{"field":${json}}`, "application/json", body));
  const body = v.object({ field: schema });
  expect(isAccepted("3590")).toBe(true);
  for (const refused of [
    "3590.1",
    "35.901",
    "3590.0000000000000001",
    "1e3",
    "1E3",
    "-3590",
    '"3590"',
    '"35.90"',
    "true",
    "[3590]",
  ]) {
    expect({ refused, accepted: isAccepted(refused) }).toEqual({ refused, accepted: false });
  }
});
