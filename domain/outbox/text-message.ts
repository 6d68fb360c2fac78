import { formatCents } from "../shared/money.ts";

/** Text messages of the shop; all of them go to its owner. */
export const textKinds = ["owner_order_text", "test_text"] as const;
export type TextKind = (typeof textKinds)[number];

export function isTextKind(kind: string): kind is TextKind {
  return textKinds.some((text) => text === kind);
}

/** What one text message holds in the GSM alphabet; a longer one is sent, and charged, as several. */
export const textLengthMax = 160;

/** "Palmira: order #1001, $35.90, 1 item. https://shop.example/admin". Nothing of it says who bought. */
export function orderText(
  brandName: string,
  order: { number: number; totalCents: number; units: number },
  adminUrl: string,
): string {
  const items = `${order.units} ${order.units === 1 ? "item" : "items"}`;
  return textOf(brandName, `order #${order.number}, ${formatCents(order.totalCents)}, ${items}.`, adminUrl);
}

export function testText(brandName: string, adminUrl: string): string {
  return textOf(brandName, "this is a test. You get a text here when an order is paid.", adminUrl);
}

/** An address that does not fit is left out, then the brand is cut: what happened stays. */
function textOf(brandName: string, news: string, adminUrl: string): string {
  const brand = gsmText(brandName) || "Your shop";
  const whole = `${brand}: ${news} ${adminUrl}`;
  if (whole.length <= textLengthMax && gsmText(whole) === whole) return whole;
  return `${brand.slice(0, textLengthMax - news.length - 2)}: ${news}`;
}

/** Characters that every phone's basic alphabet (GSM 03.38) has as one; accents are taken off, the rest left out. */
export function gsmText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—]/g, "-")
    .replace(/[^A-Za-z0-9 @$_!"#%&'()*+,\-./:;<=>?]/g, "")
    .replace(/ {2,}/g, " ")
    .trim();
}
