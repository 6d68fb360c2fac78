import type { Product } from "../../domain/catalog/product.ts";
import type { LastChanges } from "./queries.ts";

type SitemapPage = { path: string; changedAt: Date | null; images: readonly string[] };

/** Products with their pictures. `changedAt` includes their reviews. */
export function productPages(products: readonly Product[], changes: LastChanges): SitemapPage[] {
  return products.map(({ slug, images }) => ({
    path: `/product/${slug}`,
    changedAt: changes.products.get(slug) ?? null,
    images: images.map(({ url }) => url),
  }));
}

/** The sitemap (sitemaps.org, with Google's image extension). Pages without a known last change have no `lastmod`. */
export function sitemapXml(publicUrl: string, pages: readonly SitemapPage[]): string {
  const urls = pages.map(({ path, changedAt, images }) =>
    [
      "<url>",
      `<loc>${escapeXml(publicUrl + path)}</loc>`,
      ...(changedAt ? [`<lastmod>${changedAt.toISOString()}</lastmod>`] : []),
      ...images.map(
        (image) => `<image:image><image:loc>${escapeXml(publicUrl + image)}</image:loc></image:image>`,
      ),
      "</url>",
    ].join(""),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
${urls.join("\n")}
</urlset>
`;
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
