import { type Product, sizesId } from "../../domain/catalog/product.ts";
import type { ShopSettings } from "../../domain/settings/settings.ts";
import { centsToDollars } from "../../domain/shared/money.ts";
import { shippingPriceCents } from "../../domain/shipping/shipping-policy.ts";
import { escapeXml } from "./sitemap.ts";

type Fields = readonly (readonly [name: string, content: string | Fields])[];

/** Google's limits for additional pictures and for characters of a title. */
const maxMorePictures = 10;
const maxTitleLength = 150;

/**
 * The published products as a feed for Google Merchant Center and others: RSS 2.0 with Google's elements. It has shipping prices
 * for the zones with listed countries; the format has no value for the rest of the world.
 */
export function productFeed(
  publicUrl: string,
  products: readonly Product[],
  settings: Pick<ShopSettings, "brandName" | "shipping">,
): string {
  // Google rejects products without a picture or a description.
  const completeProducts = products.filter(
    ({ images, description }) => images.length > 0 && description !== "",
  );
  const items = completeProducts.map((product) => element("item", item(publicUrl, product, settings)));
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel>
${element("title", settings.brandName)}
${element("link", `${publicUrl}/`)}
${element("description", `Products of ${settings.brandName}`)}
${items.join("\n")}
</channel>
</rss>
`;
}

function item(
  publicUrl: string,
  product: Product,
  { brandName, shipping }: Pick<ShopSettings, "brandName" | "shipping">,
): Fields {
  const [firstPicture, ...morePictures] = product.images.map(({ url }) => publicUrl + url);
  const price = (cents: number) => `${centsToDollars(cents).toFixed(2)} ${product.currency}`;
  return [
    ["g:id", product.slug],
    ...(product.family === null
      ? []
      : [["g:item_group_id", sizesId(product.family.id)] as const, ["g:size", product.size] as const]),
    ["g:title", product.name.slice(0, maxTitleLength)],
    ["g:description", product.description],
    ["g:link", `${publicUrl}/product/${product.slug}`],
    ["g:image_link", firstPicture ?? ""],
    ...morePictures.slice(0, maxMorePictures).map((url) => ["g:additional_image_link", url] as const),
    ["g:availability", product.inStock ? "in_stock" : "out_of_stock"],
    // Google's `price` is the regular price, `sale_price` the one to pay.
    ["g:price", price(product.compareAtPrice ?? product.price)],
    ...(product.compareAtPrice === null ? [] : [["g:sale_price", price(product.price)] as const]),
    ["g:condition", "new"],
    ["g:brand", brandName],
    ...(product.gtin === null ? [] : [["g:gtin", product.gtin] as const]),
    ...(product.mpn === null ? [] : [["g:mpn", product.mpn] as const]),
    ...(product.gtin === null && product.mpn === null ? [["g:identifier_exists", "no"] as const] : []),
    ...shipping.zones.flatMap(({ countries, options }) =>
      countries === "*"
        ? []
        : countries.flatMap((country) =>
            options.map(
              (option) =>
                [
                  "g:shipping",
                  [
                    ["g:country", country],
                    ["g:service", option.name],
                    ["g:price", price(shippingPriceCents(option, product.price))],
                  ],
                ] as const,
            ),
          ),
    ),
  ];
}

function element(name: string, content: string | Fields): string {
  const innerXml =
    typeof content === "string"
      ? escapeXml(content)
      : content.map(([field, value]) => element(field, value)).join("");
  return `<${name}>${innerXml}</${name}>`;
}
