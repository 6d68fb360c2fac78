import type { Product } from "../../../domain/catalog/product.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { productCard } from "../../../domain/site/share-card.ts";
import type { PublicPage } from "../../seo/page-meta.ts";

/** As much of a description as search results show, in characters. */
const descriptionMax = 160;

/** What search engines and previews read of a product's page. */
export function productPage(product: Product): PublicPage {
  const { name, shortDescription, size, price, slug } = product;
  return {
    title: name,
    description: firstWords(`${shortDescription} ${size}, ${formatCents(price)}.`, descriptionMax),
    path: `/product/${slug}`,
    type: "product",
    card: productCard(product),
    offer: { priceCents: price, currency: product.currency, inStock: product.inStock },
  };
}

/** Cut between words: the owner may write at any length. */
function firstWords(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  return `${text.slice(0, lengthMax).replace(/\s+\S*$/, "")}…`;
}
