import type { MetaDescriptor } from "react-router";
import { centsToDollars } from "../../domain/shared/money.ts";
import { type ShareCard, shareCardPath, shareCardSize } from "../../domain/site/share-card.ts";

/** The part of the arguments of a route's `meta` that `pageMeta` needs. */
type PageMatches = { matches: readonly ({ loaderData?: unknown } | undefined)[]; error?: unknown };
type Frame = { publicUrl: string; brandName: string };

export type PublicPage = {
  /** Without the brand, which is appended. */
  title: string;
  /** One or two plain sentences, 50-160 characters, different on every page. */
  description: string;
  path: string;
  type?: "website" | "article" | "product";
  /** Contents of the share card; by default the title. */
  card?: ShareCard;
  /** A product's price (cents) and stock, for link previews. */
  offer?: { priceCents: number; currency: string; inStock: boolean };
};

/** Metadata of a page for search engines: title, description, canonical URL and share card. */
export function pageMeta(args: PageMatches, page: PublicPage): MetaDescriptor[] {
  const frame = rootFrame(args);
  // A failed page must not be indexed in place of the real one.
  if (!frame || args.error) return privatePageMeta(args, page.title);
  const { title, description, path, type = "website", card = { lines: [title] }, offer } = page;
  const url = `${frame.publicUrl}${path}`;
  const image = `${frame.publicUrl}${shareCardPath(path, card)}`;
  return [
    { title: fullTitle(title, frame) },
    { name: "description", content: description },
    { name: "robots", content: "max-image-preview:large" },
    { tagName: "link", rel: "canonical", href: url },
    ...openGraphTags({
      type,
      site_name: frame.brandName,
      locale: "en_US",
      title,
      description,
      url,
      image,
      "image:type": "image/jpeg",
      "image:width": String(shareCardSize.width),
      "image:height": String(shareCardSize.height),
      "image:alt": card.lines.join(", "),
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
    { name: "twitter:image:alt", content: card.lines.join(", ") },
  ];
}

/**
 * Headers of a personal page whose URL may contain the token of an e-mailed link, which other sites must not see. The
 * shop itself needs the referrer, to check the origin of its forms.
 */
export const tokenPageHeaders = () => ({
  "Cache-Control": "private, no-store",
  "Referrer-Policy": "same-origin",
});

/** Metadata of a personal page, a step of buying, or an error, which search engines must not index. */
export function privatePageMeta(args: PageMatches, title: string): MetaDescriptor[] {
  return [{ title: fullTitle(title, rootFrame(args)) }, { name: "robots", content: "noindex" }];
}

function fullTitle(title: string, frame: Frame | undefined): string {
  return frame ? `${title} · ${frame.brandName}` : title;
}

/** The root's loader data, from the first match. */
function rootFrame({ matches: [root] }: PageMatches): Frame | undefined {
  return root?.loaderData as Frame | undefined;
}

function openGraphTags(contents: Record<string, string>): MetaDescriptor[] {
  return Object.entries(contents).map(([name, content]) => ({ property: `og:${name}`, content }));
}
