import PackageX from "lucide-react/icons/package-x";
import { useEffect } from "react";
import {
  data,
  redirect,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useNavigate,
  useRouteLoaderData,
} from "react-router";
import type { Product } from "../../domain/catalog/product.ts";
import { productPage } from "../features/catalog/product-meta.ts";
import { isOil, productTerms } from "../features/catalog/product-terms.ts";
import { ProductView } from "../features/catalog/product-view.tsx";
import { ProductUsage } from "../features/catalog/usage-steps.tsx";
import { usageSteps } from "../features/catalog/usage-text.ts";
import { useCountedView } from "../features/catalog/use-counted-view.ts";
import {
  defaultSort,
  filterLinks,
  loadPhotoReviews,
  readFilter,
} from "../features/reviews/list/filter-links.ts";
import { ProductReviews } from "../features/reviews/list/product-reviews.tsx";
import { reviewsPath } from "../features/reviews/reviews-path.ts";
import { useReviews, withReviewSummary } from "../features/reviews/use-reviews.ts";
import type { Invitation } from "../features/reviews/write/write-review.tsx";
import type { loader as rootLoader } from "../root.tsx";
import { pageMeta, privatePageMeta } from "../seo/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { shopContext } from "../shop-context.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageLink } from "../ui/page-link.tsx";
import type { Route } from "./+types/product";

const reviewsPerPage = 10;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const product = await shop.productBySlug(params.slug);
  if (!product) {
    const movedProduct = await shop.findProduct(params.slug);
    if (movedProduct) throw permanentRedirect(`/product/${movedProduct.slug}${new URL(request.url).search}`);
    const isUnpublished = await shop.isUnpublished(params.slug);
    const otherSize = isUnpublished ? await shop.otherSize(params.slug) : null;
    // The product may return, so search engines should keep its URL.
    if (otherSize) throw redirect(`/product/${otherSize.slug}`, { headers: { "Cache-Control": "no-cache" } });
    return data({ product, isUnpublished }, { status: isUnpublished ? 410 : 404 });
  }
  const token = new URL(request.url).searchParams.get("review");
  const filter = readFilter(new URL(request.url).searchParams);
  const listing = { productId: product.id, limit: reviewsPerPage, sort: defaultSort, ...filter };
  const [questions, settings, orderDay, hero, reviewInvitation, reviews] = await Promise.all([
    // If the questions cannot be loaded, their section still has the link to ask one.
    shop.questions(product.id).catch((error: unknown) => {
      shop.report(error);
      return [];
    }),
    shop.settings(),
    shop.orderDay(),
    shop.heroProduct(),
    token === null ? null : shop.reviewInvitation(token),
    // If the reviews cannot be loaded, their section says so.
    shop.reviews(listing).catch((error: unknown) => {
      shop.report(error);
      return null;
    }),
  ]);
  const invitation: Invitation | null =
    token === null
      ? null
      : {
          token,
          suggestedName: reviewInvitation?.productId === product.id ? reviewInvitation.suggestedName : "",
        };
  return data(
    {
      product,
      steps: usageSteps(product.usage),
      questions,
      reviews,
      photoReviews: reviews
        ? await loadPhotoReviews(shop, reviews, { productId: product.id }).catch(() => [])
        : [],
      reviewsPath: reviewsPath(listing),
      reviewLinks:
        reviews && filterLinks({ path: `/product/${product.slug}`, anchor: "#reviews" }, filter, reviews),
      invitation,
      terms: productTerms(settings, product, { isBatana: isOil(product, hero), orderDay }),
    },
    invitation ? { headers: { "Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer" } } : {},
  );
}

/** A permanent redirect that is not cached, because the owner may change the slug back. */
function permanentRedirect(path: string): Response {
  return redirect(path, { status: 301, headers: { "Cache-Control": "no-cache" } });
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

/** Loads the invitation of an e-mailed link once: removing the token from the URL does not load the data again. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const onlyRemovesToken =
    currentUrl.pathname === nextUrl.pathname &&
    currentUrl.searchParams.has("review") &&
    !nextUrl.searchParams.has("review");
  return !onlyRemovesToken && defaultShouldRevalidate;
}

export const meta: Route.MetaFunction = (args) =>
  args.loaderData?.product
    ? pageMeta(args, productPage(args.loaderData.product))
    : privatePageMeta(args, "Product not found");

export default function ProductPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.product) return <ProductMissing isUnpublished={loaderData.isUnpublished} />;
  return <ProductSections key={loaderData.product.id} {...loaderData} />;
}

function ProductSections({
  product: renderedProduct,
  steps,
  questions,
  reviews: renderedReviews,
  photoReviews,
  reviewsPath,
  reviewLinks,
  invitation,
  terms,
}: Extract<Route.ComponentProps["loaderData"], { product: Product }>) {
  const reviews = useReviews(reviewsPath, renderedReviews);
  const product = withReviewSummary(renderedProduct, reviews.page);
  useCleanUrl();
  useCountedView(product.slug);
  return (
    <>
      <ProductView product={product} terms={terms} />
      {steps.length > 0 && <ProductUsage steps={steps} picture={terms.pictures.usage} />}
      <ProductReviews
        product={product}
        reviews={reviews}
        photoReviews={photoReviews}
        links={reviewLinks}
        invitation={invitation}
        questions={questions}
      />
    </>
  );
}

/** Removes the token from the URL, so that it is neither shared nor stored in the history. */
function useCleanUrl() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (!new URLSearchParams(search).has("review")) return;
    void navigate({ pathname, hash }, { replace: true, preventScrollReset: true });
  }, [pathname, search, hash, navigate]);
}

const missingTitle = "Product Not Found";
const missingText = "Sorry, the product you’re looking for doesn’t exist or has been removed.";

/** Shown if the product could not be loaded: the heading and text of a missing product, with a button to try again. */
export function ErrorBoundary() {
  return (
    <PageProblem title={missingTitle}>
      {missingText} Or check your connection and try again.{" "}
      <PageLink to="/" className="link">
        Return to Home
      </PageLink>
    </PageProblem>
  );
}

/** Error page for a product that never existed or is unpublished. */
function ProductMissing({ isUnpublished }: { isUnpublished: boolean }) {
  const [alternative] = useRouteLoaderData<typeof rootLoader>("root")?.products ?? [];
  return (
    <EmptyState
      glyph={PackageX}
      title={missingTitle}
      action={
        <div className="grid gap-3 sm:flex">
          <ButtonLink to="/">Return to Home</ButtonLink>
          {alternative && (
            <ButtonLink to={`/product/${alternative.slug}`} variant="secondary">
              {alternative.name}
            </ButtonLink>
          )}
        </div>
      }
    >
      {missingText}
      {isUnpublished && " Orders placed for it are not affected."}
    </EmptyState>
  );
}
