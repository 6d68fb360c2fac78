import { orderStatusLabel } from "../../../../domain/orders/order-status.ts";
import { formatCents } from "../../../../domain/shared/money.ts";

/** One thing that changed, as words. `from` or `to` null: it was not there. */
export type FieldChange = { label: string; from: string | null; to: string | null };

/** Field-by-field differences between an entry's `before` and `after`; equal fields are left out. */
export function fieldChanges(before: unknown, after: unknown): FieldChange[] {
  const from = flatten(before, "");
  const to = flatten(after, "");
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((path) => ({ label: wordsOf(path), from: from.get(path) ?? null, to: to.get(path) ?? null }))
    .filter((change) => change.from !== change.to);
}

function flatten(value: unknown, path: string): Map<string, string> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== "object") return new Map([[path, textOf(path, value)]]);
  const entries = Array.isArray(value)
    ? value.map((item, index) => [String(index + 1), item] as const)
    : Object.entries(value);
  return new Map(entries.flatMap(([key, item]) => [...flatten(item, path === "" ? key : `${path}.${key}`)]));
}

/** Amounts are cents wherever a field's name says that it is one. */
function textOf(path: string, value: unknown): string {
  if (typeof value === "number" && /(cents|price|amount|subtotal|freeFrom|refunded)$/i.test(path)) {
    return formatCents(value);
  }
  if (/status$/i.test(path)) return orderStatusLabel(String(value));
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}

/** `shipping.zones.1.freeFrom` -> "Shipping, zones 1, free from" */
function wordsOf(path: string): string {
  const words = path
    .replace(/Cents$/, "")
    // By product id.
    .replace(/^returned\.(\d+)$/, "Back on the shelf, product $1")
    .replace(/\.(\d+)/g, " $1")
    .replaceAll(".", ", ")
    .replace(/([a-z])([A-Z])/g, (_, end: string, begin: string) => `${end} ${begin.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
