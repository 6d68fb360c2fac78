import { formatCents } from "../../domain/shared/money.ts";
import type { Change } from "../http/api-row.ts";
import type { Changed } from "./commands.ts";

const words: Record<string, string> = {
  name: "name",
  slug: "address",
  size: "size",
  shortDescription: "short description",
  description: "description",
  benefits: "benefits",
  usage: "how to use",
  isBestseller: "Bestseller badge",
  isNew: "New badge",
};

/** "Price of Pure Batana Oil: $29.95 → $31.95" */
export function describePrice({ productId, name, before, after }: Changed, price: number): Change {
  const subject = `product:${productId}`;
  const isSame = before.price === undefined;
  const summary = isSame
    ? `Price of ${name} stays ${formatCents(price)}`
    : `Price of ${name}: ${formatCents(Number(before.price))} → ${formatCents(price)}`;
  return { subject, summary, before, after };
}

/** "Pure Batana Oil: description and benefits changed; taken off the shop" */
export function describeChange(
  { productId, name, before, after }: Changed,
  what: "added" | "changed" = "changed",
): Change {
  const subject = `product:${productId}`;
  if (what === "added") return { subject, summary: `${name} added`, after };
  const texts = Object.keys(after).flatMap((key) => words[key] ?? []);
  const told = [
    ...(texts.length > 0 ? [`${joined(texts)} changed`] : []),
    ...(after.published === undefined ? [] : [after.published ? "put on show" : "taken off the shop"]),
    ...(after.onHand === undefined ? [] : [`on hand ${before.onHand} → ${after.onHand}`]),
  ];
  return { subject, summary: `${name}: ${told.join("; ") || "saved as it was"}`, before, after };
}

function joined(list: readonly string[]): string {
  return list.length < 2 ? list.join("") : `${list.slice(0, -1).join(", ")} and ${list.at(-1)}`;
}
