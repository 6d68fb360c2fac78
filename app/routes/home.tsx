import PackageX from "lucide-react/icons/package-x";
import { missionFacts } from "../../domain/settings/badges.ts";
import { givingSentence, returnsNote } from "../../domain/settings/facts.ts";
import { countryNotes } from "../../domain/shipping/country-notes.ts";
import { usageSteps } from "../features/catalog/usage-text.ts";
import { useCountedView } from "../features/catalog/use-counted-view.ts";
import { type BenefitPictures, Benefits } from "../features/home/benefits.tsx";
import { Hero } from "../features/home/hero.tsx";
import { HowToUse } from "../features/home/how-to-use.tsx";
import { Mission } from "../features/home/mission.tsx";
import { TrustStrip } from "../features/home/trust-strip.tsx";
import { HomeReviews } from "../features/reviews/list/home-reviews.tsx";
import { ratedBy } from "../features/reviews/rated-by.ts";
import { reviewsPath } from "../features/reviews/reviews-path.ts";
import { useReviews } from "../features/reviews/use-reviews.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { shopContext } from "../shop-context.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { shopPicture } from "../ui/shop-picture.ts";
import type { Route } from "./+types/home";

const listing = { limit: 5 };

const benefitPictures: BenefitPictures = {
  hair: {
    picture: shopPicture("oil-drops-on-hair.jpg", "Golden drops of oil on strands of brown hair"),
    focus: "object-[45%_60%]",
  },
  skin: {
    picture: shopPicture("oil-in-palm.jpg", "A dropper above an open hand with amber oil in the palm"),
    focus: "object-[45%_50%]",
  },
  natural: {
    picture: shopPicture("product-label.jpg", "Close view of the paper label and gold collar"),
    focus: "object-[50%_60%]",
  },
};

export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const [product, products, settings, reviews] = await Promise.all([
    shop.heroProduct(),
    shop.productNames(),
    shop.settings(),
    // The page stands without its reviews; their place then says so and offers to try again.
    shop.reviews(listing).catch((error: unknown) => {
      shop.report(error);
      return null;
    }),
  ]);
  return {
    product,
    steps: product ? usageSteps(product.usage) : [],
    products,
    reviews,
    shippingNotes: countryNotes(settings.shipping),
    returnsNote: returnsNote(settings.returns),
    givingPercent: settings.givingPercent,
    mission: missionFacts(settings),
  };
}

export const meta: Route.MetaFunction = (args) => {
  const giving = givingSentence(args.loaderData?.givingPercent ?? 0);
  return pageMeta(args, {
    title: "Cold-pressed batana oil for hair and skin",
    description: `One traditional palm-fruit oil from Honduras, cold-pressed for hair, scalp and skin.${giving ? ` ${giving}` : ""}`,
    path: "/",
  });
};

export default function Home({ loaderData }: Route.ComponentProps) {
  const { product, steps, products, reviews: rendered, givingPercent } = loaderData;
  const reviews = useReviews(reviewsPath(listing), rendered);
  useCountedView(product?.slug ?? null);
  return (
    <>
      {product ? (
        <Hero
          // With several products the list below tells nothing of this one alone.
          product={products.length === 1 ? ratedBy(product, reviews.page) : product}
          shippingNotes={loaderData.shippingNotes}
          returnsNote={loaderData.returnsNote}
        />
      ) : (
        <EmptyState glyph={PackageX} heading="h1" title="Product not found">
          The requested product could not be loaded.
        </EmptyState>
      )}
      <TrustStrip />
      <Benefits pictures={benefitPictures} />
      <Mission givingPercent={givingPercent} mission={loaderData.mission} />
      {steps.length > 0 && <HowToUse steps={steps} />}
      {product && <HomeReviews reviews={reviews} products={products} />}
    </>
  );
}

export function ErrorBoundary() {
  return <PageProblem title="Unable to load product" />;
}
