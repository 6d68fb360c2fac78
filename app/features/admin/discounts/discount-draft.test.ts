import { expect, test } from "vitest";
import type { AdminDiscount } from "../../../../domain/discounts/discount-form.ts";
import { discountDraft, discountTerms } from "./discount-draft.ts";

const discount: AdminDiscount = {
  id: 1,
  code: "AUTUMN",
  automatic: false,
  kind: "percent",
  value: 10,
  productIds: [],
  productNames: [],
  minimumSubtotal: 0,
  minimumUnits: 0,
  startsAt: "2026-10-01T04:00:30.000Z",
  // 1:30 in the morning for the second time.
  endsAt: "2026-11-01T06:30:00.000Z",
  limitTotal: null,
  limitPerCustomer: null,
  firstOrderOnly: false,
  active: true,
  used: 0,
  createdAt: "2026-09-01T04:00:00.000Z",
};
const timeZone = "America/New_York";
const scope = { discount, timeZone, names: new Map() };

test("saving a discount keeps unedited times to the second, even in an hour that a clock change repeats", () => {
  const draft = discountDraft(discount, timeZone);
  const { startsAt, endsAt } = discount;
  expect(discountTerms({ ...draft, percent: "15" }, scope)).toMatchObject({ value: 15, startsAt, endsAt });
  const changed = discountTerms({ ...draft, startsAt: "", endsAt: "2026-11-01T01:31" }, scope);
  expect(changed).toMatchObject({ startsAt: null, endsAt: "2026-11-01T05:31:00.000Z" });
});
