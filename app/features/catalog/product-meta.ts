import type { Product } from "../../../domain/catalog/product.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { productCard } from "../../../domain/site/share-card.ts";
import type { PublicPage } from "../../seo/page-meta.ts";

/** Search results show about this many characters of a description. */
const maxDescriptionLength = 160;

/** Metadata of a product's page for search engines and link previews. */
export function productPage(product: Product): PublicPage {
  const { name, shortDescription, size, price, slug } = product;
  return {
    title: name,
    description: firstWords(`${shortDescription} ${size}, ${formatCents(price)}.`, maxDescriptionLength),
    path: `/product/${slug}`,
    type: "product",
    card: productCard(product),
    offer: { priceCents: price, currency: product.currency, inStock: product.inStock },
  };
}

/** Cuts a long text between words. */
function firstWords(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength).replace(/\s+\S*$/, "")}…`;
}
