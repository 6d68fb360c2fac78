import { escapeLike, patternsFor } from "../../platform/like.ts";

/** What a search for orders may mean, all at once; any of them finds the order. */
export type OrderSearch = {
  /** For LIKE, against "name address" in small letters; none: not a text to look for. */
  textPatterns: string[];
  /** What was typed, in small letters, where it may be a whole e-mail address. */
  email: string | null;
  number: number | null;
  /** Ids from the first to the second begin with what was typed. */
  orderIds: [from: string, to: string] | null;
  /** For LIKE, against the payment's id at the provider. */
  paymentPattern: string | null;
};

const idPrefixLength = 4;
const numberMax = 2_147_483_647;

/** Reads what the owner typed: a name, an address, "#1042", the beginning of an order's or a payment's id. */
export function readOrderSearch(typed: string): OrderSearch {
  // Ids are shown cut, and may be pasted so.
  const text = typed.trim().replace(/(…|\.\.\.)$/u, "");
  const number = /^#?\s*(\d{1,10})$/.exec(text)?.[1];
  return {
    textPatterns: text.startsWith("#") ? [] : patternsFor(text.replace(/\s+/g, " ")),
    email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? text.toLowerCase() : null,
    number: number !== undefined && Number(number) <= numberMax ? Number(number) : null,
    orderIds: orderIdRange(text.toLowerCase()),
    paymentPattern: /^(pi|cs)_\w+$/.test(text) ? `${escapeLike(text)}%` : null,
  };
}

function orderIdRange(text: string): OrderSearch["orderIds"] {
  const form = "00000000-0000-0000-0000-000000000000";
  const fits = [...text].every((sign, at) => (form[at] === "-" ? sign === "-" : /[0-9a-f]/.test(sign)));
  if (text.length < idPrefixLength || text.length > form.length || !fits) return null;
  const rest = form.slice(text.length);
  return [text + rest, text + rest.replaceAll("0", "f")];
}
