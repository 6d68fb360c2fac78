import type { MetaDescriptor } from "react-router";
import { centsToDollars } from "../../domain/shared/money.ts";
import { type ShareCard, shareCardPath, shareCardSize } from "../../domain/site/share-card.ts";

/** What `pageMeta` reads of the arguments that a route's `meta` gets: hand them over as they are. */
type PageMatches = { matches: readonly ({ loaderData?: unknown } | undefined)[]; error?: unknown };
type Frame = { publicUrl: string; brandName: string };

export type PublicPage = {
  /** Without the brand, which follows it by itself. */
  title: string;
  /** One or two plain sentences, 50-160 characters, said of no other page. */
  description: string;
  /** The page's one address, from the root and without a query. */
  path: string;
  type?: "website" | "article" | "product";
  /** What the page's picture shows where it is shared; without this, its title. */
  card?: ShareCard;
  /** What a product costs, in cents, for whoever shows a preview of the page. */
  offer?: { priceCents: number; currency: string; inStock: boolean };
};

/** The head of a page that anybody may find: title, description, canonical address and its card where it is shared. */
export function pageMeta(args: PageMatches, page: PublicPage): MetaDescriptor[] {
  const frame = frameOf(args);
  // A page that could not be made is neither to be indexed nor to be taken for the one that belongs here.
  if (!frame || args.error) return privatePageMeta(args, page.title);
  const { title, description, path, type = "website", card = { words: [title] }, offer } = page;
  const address = `${frame.publicUrl}${path}`;
  const image = `${frame.publicUrl}${shareCardPath(path, card)}`;
  return [
    { title: fullTitle(title, frame) },
    { name: "description", content: description },
    { name: "robots", content: "max-image-preview:large" },
    { tagName: "link", rel: "canonical", href: address },
    ...properties({
      type,
      site_name: frame.brandName,
      locale: "en_US",
      title,
      description,
      url: address,
      image,
      "image:type": "image/jpeg",
      "image:width": String(shareCardSize.width),
      "image:height": String(shareCardSize.height),
      "image:alt": card.words.join(", "),
    }),
    ...(offer
      ? [
          { property: "product:price:amount", content: centsToDollars(offer.priceCents).toFixed(2) },
          { property: "product:price:currency", content: offer.currency },
          { property: "product:availability", content: offer.inStock ? "in stock" : "out of stock" },
        ]
      : []),
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:title", content: title },
    { name: "twitter:description", content: description },
    { name: "twitter:image", content: image },
    { name: "twitter:image:alt", content: card.words.join(", ") },
  ];
}

/** The head of a page that is somebody's own, a step of buying, or an error: no search engine shows it. */
export function privatePageMeta(args: PageMatches, title: string): MetaDescriptor[] {
  return [{ title: fullTitle(title, frameOf(args)) }, { name: "robots", content: "noindex" }];
}

function fullTitle(title: string, frame: Frame | undefined): string {
  return frame ? `${title} · ${frame.brandName}` : title;
}

/** The root's loader data: every page has the root as its first match. */
function frameOf({ matches: [root] }: PageMatches): Frame | undefined {
  return root?.loaderData as Frame | undefined;
}

function properties(named: Record<string, string>): MetaDescriptor[] {
  return Object.entries(named).map(([name, content]) => ({ property: `og:${name}`, content }));
}
