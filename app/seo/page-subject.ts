import type { EntryContext, MetaDescriptor, MetaFunction } from "react-router";
import type { Product } from "../../domain/catalog/product.ts";
import type { ReviewPage } from "../../domain/reviews/review.ts";
import type { PageSubject } from "./schema-org/page.ts";

/** Names of the loaders' data that structured data uses. */
type Shown = {
  product?: Product | null;
  reviews?: ReviewPage | null;
  answers?: PageSubject["answers"];
};

/**
 * The subject of the page being rendered, from its own metadata and loader data. Null for a page without a canonical
 * address, which is private or an error.
 */
export function pageSubject({ staticHandlerContext: made, routeModules }: EntryContext): PageSubject | null {
  const leaf = made.matches.at(-1);
  if (!leaf || made.errors || made.statusCode !== 200) return null;
  const matches = made.matches.map(({ route, params, pathname }) => ({
    id: route.id,
    params,
    pathname,
    loaderData: made.loaderData[route.id],
    meta: [],
  }));
  const args = {
    loaderData: made.loaderData[leaf.route.id],
    params: leaf.params,
    location: made.location,
    matches,
  };
  const head = routeModules[leaf.route.id]?.meta?.(args as Parameters<MetaFunction>[0]) ?? [];
  const address = find(head, (tag) => "rel" in tag && tag.rel === "canonical" && "href" in tag && tag.href);
  const title = find(head, (tag) => "property" in tag && tag.property === "og:title" && tag.content);
  if (address === null || title === null) return null;
  const { product, reviews, answers } = (args.loaderData ?? {}) as Shown;
  return {
    address,
    title,
    ...(product && {
      product,
      reviews: reviews?.data.filter(({ productId }) => isOf(product, productId)) ?? [],
    }),
    ...(answers && { answers }),
  };
}

function isOf({ id, family }: Product, productId: number): boolean {
  return family === null ? productId === id : family.sizes.some((size) => size.id === productId);
}

function find(head: readonly MetaDescriptor[], value: (tag: MetaDescriptor) => unknown): string | null {
  for (const tag of head) {
    const found = value(tag);
    if (typeof found === "string") return found;
  }
  return null;
}
