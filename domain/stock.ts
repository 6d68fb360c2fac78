/** Why the owner changed what is on the shelf. */
export const stockReasons = [
  "received",
  "counted",
  "damaged",
  "lost",
  "sample",
  "returned",
  "other",
] as const;
export type StockReason = (typeof stockReasons)[number];
