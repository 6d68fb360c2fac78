import PackageX from "lucide-react/icons/package-x";
import { data } from "react-router";
import { usageSteps } from "../../domain/product-usage.ts";
import { freeShippingNote } from "../../domain/shipping-policy.ts";
import { productPage } from "../features/product/product-meta.ts";
import { ProductUsage } from "../features/product/product-usage.tsx";
import { ProductView } from "../features/product/product-view.tsx";
import { ProductReviews } from "../features/reviews/product-reviews.tsx";
import { pageMeta, privatePageMeta } from "../seo/page-meta.ts";
import { shopContext } from "../shop-context.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import type { Route } from "./+types/product";

const reviewsShown = 50;

export async function loader({ context, params }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const product = await shop.productBySlug(params.slug);
  if (!product) return data(null, { status: 404 });
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
      shipping: settings.shipping,
      returns: settings.returns,
      shippingNote: freeShippingNote(settings.shipping),
    },
  });
}

export const meta: Route.MetaFunction = (args) =>
  args.loaderData
    ? pageMeta(args, productPage(args.loaderData.product))
    : privatePageMeta(args, "Product not found");

export default function ProductPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <ProductNotFound />;
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

/** The specification has a failed look-up read as a missing product. */
export function ErrorBoundary() {
  return <ProductNotFound />;
}

function ProductNotFound() {
  return (
    <EmptyState
      glyph={PackageX}
      heading="h1"
      title="Product Not Found"
      action={<ButtonLink to="/">Return to Home</ButtonLink>}
    >
      Sorry, the product you're looking for doesn't exist or has been removed.
    </EmptyState>
  );
}
