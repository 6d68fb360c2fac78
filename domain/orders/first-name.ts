import type { Gift } from "./order.ts";

/** The buyer's name. Of a gift, `customerName` is the recipient's, and the buyer's may not be known: "". */
export function buyerName({ customerName, gift }: { customerName: string; gift: Gift | null }): string {
  return gift ? (gift.from ?? "") : customerName;
}

/** How a letter greets: "Ada" of "Ada Obi". A title or an initial is no name: then it is the whole. */
export function firstName(name: string): string {
  const words = name.trim().split(/\s+/);
  const [first = ""] = words;
  return first.length < 2 || first.endsWith(".") || titles.has(first.toLowerCase()) ? words.join(" ") : first;
}

const titles = new Set(["mr", "mrs", "ms", "mx", "dr", "prof", "sir", "herr", "frau"]);
