import type { Product } from "../catalog/product.ts";
import { formatCents } from "../shared/money.ts";

type CardProduct = Pick<Product, "name" | "size" | "price" | "images">;

/** Size in pixels of a page's picture in shared links, as Open Graph recommends. */
export const shareCardSize = { width: 1200, height: 630 } as const;

/** To be incremented when the design changes, so that the URLs change and cached previews are renewed. */
const designVersion = 1;

/** Content of a page's card. `picture`: its URL, included in the fingerprint. */
export type ShareCard = { lines: readonly string[]; picture?: string };

/**
 * URL path of a page's card: `/share/how-to-use.1k2j3h4.jpg`. It contains a fingerprint of the content, so that caches may keep
 * every file forever.
 */
export function shareCardPath(pagePath: string, { lines, picture = "" }: ShareCard): string {
  return `/share/${shareCardName(pagePath)}.${fingerprint([designVersion, picture, ...lines].join("\n"))}.jpg`;
}

/** `/` -> `home`, `/product/pure-batana-oil` -> `product-pure-batana-oil` */
export function shareCardName(pagePath: string): string {
  return pagePath === "/" ? "home" : pagePath.slice(1).replaceAll("/", "-");
}

export function productCard({ name, size, price, images: [image] }: CardProduct): ShareCard {
  return { lines: [name, `${size} · ${formatCents(price)}`], ...(image && { picture: image.url }) };
}

/** FNV-1a, 32 bits: distinguishes versions, without security; also computed in browsers. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
