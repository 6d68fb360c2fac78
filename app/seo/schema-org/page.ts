import { type Product, sizesId } from "../../../domain/catalog/product.ts";
import { type Answer, blocksText } from "../../../domain/content/blocks.ts";
import type { Review } from "../../../domain/reviews/review.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { centsToDollars } from "../../../domain/shared/money.ts";
import { returnPolicy, shippingDetails } from "./delivery-and-returns.ts";
import { store, storeId, type Thing, website } from "./store.ts";

export type PageSubject = {
  /** The page's canonical URL, and its title without the brand. */
  url: string;
  title: string;
  product?: Product;
  reviews?: readonly Review[];
  answers?: readonly Answer[];
};

/** A page's structured data as one JSON document that is safe inside a script element. */
export function structuredDataJson(publicUrl: string, page: PageSubject, settings: ShopSettings): string {
  const isHome = page.url === `${publicUrl}/`;
  const graph: Thing[] = [
    ...(isHome ? [store(publicUrl, settings), website(publicUrl, settings)] : [breadcrumbs(publicUrl, page)]),
    ...(page.product ? [productThing(publicUrl, page.product, page.reviews ?? [], settings)] : []),
    ...(page.answers ? [questions(page.answers)] : []),
  ];
  const document = { "@context": "https://schema.org", "@graph": graph };
  return JSON.stringify(document).replaceAll("<", "\\u003c");
}

function breadcrumbs(publicUrl: string, { url, title }: PageSubject): Thing {
  return {
    "@type": "BreadcrumbList",
    itemListElement: [
      { "@type": "ListItem", position: 1, name: "Home", item: `${publicUrl}/` },
      { "@type": "ListItem", position: 2, name: title, item: url },
    ],
  };
}

function questions(answers: readonly Answer[]): Thing {
  return {
    "@type": "FAQPage",
    mainEntity: answers.map(({ question, blocks }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: blocksText(blocks) },
    })),
  };
}

/** Maximum number of reviews in structured data, which may contain only reviews that the page shows. */
const maxReviews = 5;

/** A product with its offer, and its rating and reviews if it has any. */
function productThing(
  publicUrl: string,
  product: Product,
  reviews: readonly Review[],
  settings: ShopSettings,
): Thing {
  const productUrl = `${publicUrl}/product/${product.slug}`;
  // Structured data requires the reviewer's name, so anonymous reviews are left out.
  const signedReviews = reviews.filter(({ customerName }) => customerName !== null).slice(0, maxReviews);
  return {
    "@type": "Product",
    "@id": `${productUrl}#product`,
    name: product.name,
    description: product.description,
    url: productUrl,
    sku: product.sku ?? product.slug,
    image: product.images.map(({ url }) => publicUrl + url),
    brand: { "@type": "Brand", name: settings.brandName },
    size: product.size,
    ...(product.family !== null && { isVariantOf: groupThing(publicUrl, product.family) }),
    ...(product.gtin !== null && { gtin: product.gtin }),
    ...(product.mpn !== null && { mpn: product.mpn }),
    offers: offer(publicUrl, productUrl, product, settings),
    ...(product.averageRating !== null && {
      aggregateRating: {
        "@type": "AggregateRating",
        ratingValue: product.averageRating,
        reviewCount: product.reviewCount,
        bestRating: 5,
        worstRating: 1,
      },
    }),
    ...(signedReviews.length > 0 && {
      review: signedReviews.map((review) => reviewThing(publicUrl, review)),
    }),
  };
}

/** The group of sizes; each size has its own page and offer. */
function groupThing(publicUrl: string, { id, name, sizes }: NonNullable<Product["family"]>): Thing {
  return {
    "@type": "ProductGroup",
    "@id": `${publicUrl}/#sizes-${id}`,
    name,
    productGroupID: sizesId(id),
    variesBy: ["https://schema.org/size"],
    // Google requires only the URLs of the other sizes.
    hasVariant: sizes.map(({ slug }) => ({ url: `${publicUrl}/product/${slug}` })),
  };
}

function offer(publicUrl: string, productUrl: string, product: Product, settings: ShopSettings): Thing {
  const { price: priceCents, compareAtPrice, currency, inStock } = product;
  return {
    "@type": "Offer",
    url: productUrl,
    price: centsToDollars(priceCents).toFixed(2),
    priceCurrency: currency,
    ...(compareAtPrice !== null && {
      priceSpecification: {
        "@type": "UnitPriceSpecification",
        priceType: "https://schema.org/StrikethroughPrice",
        price: centsToDollars(compareAtPrice).toFixed(2),
        priceCurrency: currency,
      },
    }),
    availability: `https://schema.org/${inStock ? "InStock" : "OutOfStock"}`,
    itemCondition: "https://schema.org/NewCondition",
    seller: { "@type": "OnlineStore", "@id": storeId(publicUrl), name: settings.brandName },
    shippingDetails: shippingDetails(settings.shipping, { priceCents, currency }),
    hasMerchantReturnPolicy: returnPolicy(publicUrl, settings),
  };
}

function reviewThing(publicUrl: string, { rating, comment, customerName, createdAt, photos }: Review): Thing {
  return {
    "@type": "Review",
    reviewRating: { "@type": "Rating", ratingValue: rating, bestRating: 5, worstRating: 1 },
    author: { "@type": "Person", name: customerName },
    datePublished: createdAt.slice(0, "2026-01-01".length),
    reviewBody: comment,
    ...(photos.length > 0 && { image: photos.map(({ url }) => publicUrl + url) }),
  };
}
