import type { Product } from "../catalog/product.ts";
import { formatCents } from "../shared/money.ts";

type CardProduct = Pick<Product, "name" | "size" | "price" | "images">;

/** Size in pixels of the picture that stands for a page where it is shared: what Open Graph's readers ask for. */
export const shareCardSize = { width: 1200, height: 630 } as const;

/** Raise it when the drawing changes: the cards then get new addresses, and previews that others keep are renewed. */
const drawingVersion = 1;

/** What a page's card shows. `picture`: address of the picture where it can change, so that the card changes with it. */
export type ShareCard = { words: readonly string[]; picture?: string };

/**
 * Address of a page's card: `/share/how-to-use.1k2j3h4.jpg`. It tells by itself what is on the card: one with another
 * price or title is another file, and each file may be kept for ever.
 */
export function shareCardPath(pagePath: string, { words, picture = "" }: ShareCard): string {
  return `/share/${shareCardName(pagePath)}.${fingerprint([drawingVersion, picture, ...words].join("\n"))}.jpg`;
}

/** `/` -> `home`, `/product/pure-batana-oil` -> `product-pure-batana-oil` */
export function shareCardName(pagePath: string): string {
  return pagePath === "/" ? "home" : pagePath.slice(1).replaceAll("/", "-");
}

export function productCard({ name, size, price, images: [image] }: CardProduct): ShareCard {
  return { words: [name, `${size} · ${formatCents(price)}`], ...(image && { picture: image.url }) };
}

/** FNV-1a, 32 bits: it tells versions apart and guards nothing, and browsers compute it too. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
