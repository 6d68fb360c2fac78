import type { DiscountKind } from "../../../../domain/discounts/discount.ts";
import type { AdminDiscount } from "../../../../domain/discounts/discount-form.ts";
import type { DiscountTerms } from "../../../../domain/discounts/discount-terms.ts";
import { isoToLocal, localToIso } from "../../../../domain/shared/zoned-time.ts";

/** Form state of a discount. Times are local times in the shop's time zone; an empty string means none. */
export type DiscountDraft = typeof emptyDraft;

const emptyDraft = {
  code: "",
  automatic: false,
  productIds: [] as number[],
  minimumUnits: "",
  kind: "percent" as DiscountKind,
  percent: "10",
  amountCents: 500 as number | null,
  minimumCents: null as number | null,
  startsAt: "",
  endsAt: "",
  limitTotal: "",
  limitPerCustomer: "",
  firstOrderOnly: false,
  active: true,
};

export function discountDraft(discount: AdminDiscount | null, timeZone: string): DiscountDraft {
  if (!discount) return emptyDraft;
  const { code, automatic, productIds, kind, value, active, firstOrderOnly } = discount;
  const local = (iso: string | null) => (iso === null ? "" : isoToLocal(iso, timeZone));
  return {
    code,
    automatic,
    productIds,
    kind,
    active,
    firstOrderOnly,
    minimumUnits: discount.minimumUnits === 0 ? "" : String(discount.minimumUnits),
    percent: kind === "percent" ? String(value) : emptyDraft.percent,
    amountCents: kind === "amount" ? value : emptyDraft.amountCents,
    minimumCents: discount.minimumSubtotal === 0 ? null : discount.minimumSubtotal,
    startsAt: local(discount.startsAt),
    endsAt: local(discount.endsAt),
    limitTotal: discount.limitTotal === null ? "" : String(discount.limitTotal),
    limitPerCustomer: discount.limitPerCustomer === null ? "" : String(discount.limitPerCustomer),
  };
}

type DraftScope = {
  /** The discount being edited; null for a new one. */
  discount: Pick<AdminDiscount, "startsAt" | "endsAt"> | null;
  timeZone: string;
  names: ReadonlyMap<number, string>;
};

/** Converts the form to the API's terms; non-numeric input becomes NaN, so that the server rejects the field. */
export function discountTerms(
  draft: DiscountDraft,
  { discount, timeZone, names }: DraftScope,
): DiscountTerms {
  const { code, automatic, productIds, kind, active, firstOrderOnly } = draft;
  const values = { percent: Number(draft.percent), amount: draft.amountCents ?? 0, free_shipping: 0 };
  const limit = (text: string) => (text.trim() === "" ? null : Number(text));
  // The form shows neither seconds nor, when clocks go back, which of the two equal hours is meant, so an unchanged time
  // keeps its exact value.
  const fieldTime = (field: "startsAt" | "endsAt") => {
    const savedTime = discount?.[field] ?? null;
    const isUnchanged = savedTime !== null && isoToLocal(savedTime, timeZone) === draft[field];
    return isUnchanged ? savedTime : localToIso(draft[field], timeZone);
  };
  return {
    code: code.trim(),
    automatic,
    productIds,
    productNames: productIds.flatMap((id) => names.get(id) ?? []),
    kind,
    active,
    firstOrderOnly,
    minimumUnits: limit(draft.minimumUnits) ?? 0,
    value: values[kind],
    minimumSubtotal: draft.minimumCents ?? 0,
    startsAt: fieldTime("startsAt"),
    endsAt: fieldTime("endsAt"),
    limitTotal: limit(draft.limitTotal),
    limitPerCustomer: limit(draft.limitPerCustomer),
  };
}

/** Leaves out letters and digits that are easily confused. */
const alphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";

/** Eight random characters. */
export function randomCode(): string {
  // Bytes of 248 (8 × 31) and more are left out, because they would make the first letters likelier.
  const bytes = [...crypto.getRandomValues(new Uint8Array(32))].filter((byte) => byte < 248);
  return bytes
    .slice(0, 8)
    .map((byte) => alphabet[byte % alphabet.length])
    .join("");
}
