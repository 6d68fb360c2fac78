import type { MetaDescriptor } from "react-router";
import { centsToDollars } from "../../../domain/money.ts";
import type { Product } from "../../../domain/product.ts";

const brand = "Palmira";

/** Title, description and what search engines and previews read of a page about a product. `address`: its canonical URL. */
export function productMeta(product: Product | null, address: string | undefined): MetaDescriptor[] {
  if (!product || !address) return [{ title: `Product not found · ${brand}` }];
  const image = product.images[0] && new URL(product.images[0].url, address).href;
  return [
    { title: `${product.name} · ${brand}` },
    { name: "description", content: product.shortDescription },
    { tagName: "link", rel: "canonical", href: address },
    { property: "og:type", content: "product" },
    { property: "og:site_name", content: brand },
    { property: "og:title", content: product.name },
    { property: "og:description", content: product.shortDescription },
    { property: "og:url", content: address },
    ...(image ? [{ property: "og:image", content: image }] : []),
    { "script:ld+json": productFacts(product, address, image) },
  ];
}

/** The product in schema.org's words. */
function productFacts(product: Product, address: string, image: string | undefined) {
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    name: product.name,
    description: product.description,
    sku: product.slug,
    brand: { "@type": "Brand", name: brand },
    ...(image ? { image } : {}),
    offers: {
      "@type": "Offer",
      url: address,
      price: centsToDollars(product.price).toFixed(2),
      priceCurrency: product.currency,
      availability: `https://schema.org/${product.inStock ? "InStock" : "OutOfStock"}`,
    },
    ...(product.averageRating === null
      ? {}
      : {
          aggregateRating: {
            "@type": "AggregateRating",
            ratingValue: product.averageRating,
            reviewCount: product.reviewCount,
          },
        }),
  };
}
