import { formatCents } from "../shared/money.ts";

/** All text messages go to the owner. */
const textKinds = ["owner_order_text", "test_text"] as const;
export type TextKind = (typeof textKinds)[number];

export function isTextKind(kind: string): kind is TextKind {
  return textKinds.some((textKind) => textKind === kind);
}

/** Length of one text message in the GSM alphabet; longer ones are sent and charged as several. */
export const maxTextLength = 160;

/** "Palmira: order #1001, $35.90, 1 item. https://shop.example/admin". Contains no personal data. */
export function orderText(
  brandName: string,
  order: { number: number; totalCents: number; units: number },
  adminUrl: string,
): string {
  const items = `${order.units} ${order.units === 1 ? "item" : "items"}`;
  return alertText(
    brandName,
    `order #${order.number}, ${formatCents(order.totalCents)}, ${items}.`,
    adminUrl,
  );
}

export function testText(brandName: string, adminUrl: string): string {
  return alertText(brandName, "this is a test. You get a text here when an order is paid.", adminUrl);
}

/** A URL that does not fit is omitted; then the brand is shortened. */
function alertText(brandName: string, event: string, adminUrl: string): string {
  const brand = gsmText(brandName) || "Your shop";
  const fullText = `${brand}: ${event} ${adminUrl}`;
  if (fullText.length <= maxTextLength && gsmText(fullText) === fullText) return fullText;
  return `${brand.slice(0, maxTextLength - event.length - 2)}: ${event}`;
}

/** Only characters of the basic GSM 03.38 alphabet: accents are removed, other characters omitted. */
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
