import type { RouterContextProvider } from "react-router";
import { type PageFacts, pageFacts } from "../../../domain/content/page-facts.ts";
import { shopContext } from "../../shop-context.ts";
import { type UsageStep, usageSteps } from "../catalog/product-usage.ts";

/** The oil as a page leads to it. Cents. */
export type Oil = { name: string; slug: string; size: string; priceCents: number; usage: UsageStep[] };

/** What the editorial pages and the policies are made from. */
export async function loadPage(
  context: Readonly<RouterContextProvider>,
): Promise<{ facts: PageFacts; oil: Oil | null }> {
  const shop = context.get(shopContext);
  const [settings, giving, product] = await Promise.all([shop.settings(), shop.giving(), shop.heroProduct()]);
  return {
    facts: pageFacts(settings, giving, shop.frame.provider, shop.addressLookup),
    oil: product && {
      name: product.name,
      slug: product.slug,
      size: product.size,
      priceCents: product.price,
      usage: usageSteps(product.usage),
    },
  };
}
