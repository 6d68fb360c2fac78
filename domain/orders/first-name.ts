import type { Gift } from "./order.ts";

/** The buyer's name. For a gift, `customerName` is the recipient's, and the buyer's may be unknown: "". */
export function buyerName({ customerName, gift }: { customerName: string; gift: Gift | null }): string {
  return gift ? (gift.from ?? "") : customerName;
}

/** First name for greetings: "Ada" from "Ada Obi". After a title or an initial, the whole name. */
export function firstName(name: string): string {
  const words = name.trim().split(/\s+/);
  const [first = ""] = words;
  return first.length < 2 || first.endsWith(".") || titles.has(first.toLowerCase()) ? words.join(" ") : first;
}

const titles = new Set(["mr", "mrs", "ms", "mx", "dr", "prof", "sir", "herr", "frau"]);
