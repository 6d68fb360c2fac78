import type { Product } from "../../../domain/catalog/product.ts";
import { type Answer, textOf } from "../../../domain/content/blocks.ts";
import type { Review } from "../../../domain/reviews/review.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { productThing } from "./product.ts";
import { store, type Thing, website } from "./store.ts";

/** The subject of a page. */
export type PageSubject = {
  /** Its canonical address and its title without the brand. */
  address: string;
  title: string;
  product?: Product;
  reviews?: readonly Review[];
  answers?: readonly Answer[];
};

/** A page's structured data as one JSON document that is safe inside a script element. */
export function factsJson(publicUrl: string, page: PageSubject, settings: ShopSettings): string {
  const isHome = page.address === `${publicUrl}/`;
  const graph: Thing[] = [
    ...(isHome ? [store(publicUrl, settings), website(publicUrl, settings)] : [breadcrumbs(publicUrl, page)]),
    ...(page.product ? [productThing(publicUrl, page.product, page.reviews ?? [], settings)] : []),
    ...(page.answers ? [questions(page.answers)] : []),
  ];
  const document = { "@context": "https://schema.org", "@graph": graph };
  return JSON.stringify(document).replaceAll("<", "\\u003c");
}

function breadcrumbs(publicUrl: string, { address, title }: PageSubject): Thing {
  return {
    "@type": "BreadcrumbList",
    itemListElement: [
      { "@type": "ListItem", position: 1, name: "Home", item: `${publicUrl}/` },
      { "@type": "ListItem", position: 2, name: title, item: address },
    ],
  };
}

function questions(answers: readonly Answer[]): Thing {
  return {
    "@type": "FAQPage",
    mainEntity: answers.map(({ question, blocks }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: textOf(blocks) },
    })),
  };
}
