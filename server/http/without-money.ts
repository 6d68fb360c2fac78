/** Names of numeric fields that are amounts or from which amounts could be computed. */
const amountField =
  /(cents|price|total|difference|saving|amount|discount|tax|refund|refunded|charged|paid|fee|goods|percent|value|revenue|balance|cost|margin)$|^(chargedBack|shipping|subtotal)/i;
/** Fields hidden as a whole: they describe money, or personal data that a parcel does not need. */
const hiddenFields = new Set([
  "attention",
  "changePayments",
  "changes",
  // Hashes of hidden values, too: guesses could be checked against them.
  "contactVersion",
  "discountCode",
  "disputes",
  "email",
  "events",
  "itemsVersion",
  "needsAttention",
  "notes",
  "paidWith",
  "payment",
  "refunds",
  "returns",
  "source",
]);

/** A response for a person who packs parcels: keeps addresses and units, zeroes amounts and empties hidden fields. */
export function withoutMoney(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMoney);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      isHidden(key, field) ? emptyValue(field) : withoutMoney(field),
    ]),
  );
}

function isHidden(key: string, field: unknown): boolean {
  if (typeof field === "number") return amountField.test(key);
  // In lists of orders `payment` is a single word, which packers may see.
  return hiddenFields.has(key) && !(key === "payment" && typeof field === "string");
}

function emptyValue(field: unknown): unknown {
  if (typeof field === "number") return 0;
  if (field === null || typeof field === "object") return Array.isArray(field) ? [] : null;
  return typeof field === "string" ? "" : field;
}
