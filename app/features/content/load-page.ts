import type { MetaDescriptor, RouterContextProvider } from "react-router";
import type { Block } from "../../../domain/content/blocks.ts";
import type { ShownContent } from "../../../domain/content/content.ts";
import type { ShownFacts } from "../../../domain/content/page-facts.ts";
import type { ContentKey } from "../../../domain/content/pages.ts";
import { type PublicPage, pageMeta, privatePageMeta } from "../../seo/page-meta.ts";
import { shopContext } from "../../shop-context.ts";
import { type UsageStep, usageSteps } from "../catalog/usage-text.ts";

/** The hero product, for links to its page. `priceCents` in cents. */
export type HeroProductLink = {
  name: string;
  slug: string;
  size: string;
  priceCents: number;
  usage: UsageStep[];
  /** The product's video; null if it has none. */
  videoUrl: string | null;
};

type LoadedPage = { head: ShownContent; blocks: Block[]; facts: ShownFacts; oil: HeroProductLink | null };

/** Loads the contents of an editorial page or a policy. */
export async function loadPage(
  context: Readonly<RouterContextProvider>,
  key: ContentKey,
): Promise<LoadedPage> {
  const shop = context.get(shopContext);
  const [content, product] = await Promise.all([shop.content(key), shop.heroProduct()]);
  return {
    ...content,
    oil: product && {
      name: (product.family ?? product).name,
      slug: product.slug,
      size: product.size,
      priceCents: product.price,
      usage: usageSteps(product.usage),
      videoUrl: product.videoUrl,
    },
  };
}

/** The metadata of a page whose title and description the owner can edit. */
export function contentMeta(
  args: Parameters<typeof pageMeta>[0] & { loaderData?: Pick<LoadedPage, "head"> | undefined },
  page: Pick<PublicPage, "path" | "type">,
): MetaDescriptor[] {
  if (!args.loaderData) return privatePageMeta(args, "Page not available");
  const { title, description } = args.loaderData.head;
  return pageMeta(args, { title, description, ...page });
}
