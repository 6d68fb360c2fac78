import { data } from "react-router";
import { deliveryFacts } from "../../domain/delivery-facts.ts";
import { usageSteps } from "../../domain/product-usage.ts";
import { freeShippingNote } from "../../domain/shipping-policy.ts";
import { productPage } from "../features/product/product-meta.ts";
import { ProductMissing } from "../features/product/product-missing.tsx";
import { ProductUsage } from "../features/product/product-usage.tsx";
import { ProductView } from "../features/product/product-view.tsx";
import { ProductReviews } from "../features/reviews/product-reviews.tsx";
import { pageMeta, privatePageMeta } from "../seo/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { shopContext } from "../shop-context.ts";
import type { Route } from "./+types/product";

const reviewsShown = 50;

export async function loader({ context, params }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const product = await shop.productBySlug(params.slug);
  if (!product) {
    const isWithdrawn = await shop.isWithdrawn(params.slug);
    return data({ product, isWithdrawn }, { status: isWithdrawn ? 410 : 404 });
  }
  const [settings, reviews] = await Promise.all([
    shop.settings(),
    // Their place says so when they could not be read.
    shop.reviews({ productId: product.id, limit: reviewsShown }).catch((error: unknown) => {
      shop.report(error);
      return null;
    }),
  ]);
  return data({
    product,
    reviews,
    terms: {
      delivery: deliveryFacts(settings.shipping),
      returns: settings.returns,
      shippingNote: freeShippingNote(settings.shipping),
    },
  });
}

export const meta: Route.MetaFunction = (args) =>
  args.loaderData?.product
    ? pageMeta(args, productPage(args.loaderData.product))
    : privatePageMeta(args, "Product not found");

export default function ProductPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.product) return <ProductMissing isWithdrawn={loaderData.isWithdrawn} />;
  const { product, reviews, terms } = loaderData;
  const steps = usageSteps(product.usage);
  return (
    <>
      <ProductView key={product.id} product={product} terms={terms} />
      {steps.length > 0 && <ProductUsage steps={steps} />}
      <ProductReviews product={product} page={reviews} />
    </>
  );
}

/** A product that cannot be read right now is not missing. */
export function ErrorBoundary() {
  return <PageProblem title="Unable to load product" />;
}
