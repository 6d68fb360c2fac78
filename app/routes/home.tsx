import FlaskConicalOff from "lucide-react/icons/flask-conical-off";
import HandHeart from "lucide-react/icons/hand-heart";
import Leaf from "lucide-react/icons/leaf";
import PackageX from "lucide-react/icons/package-x";
import { type MissionFacts, missionFacts } from "../../domain/settings/badges.ts";
import { excludedIngredients, givingSentence, returnsNote } from "../../domain/settings/facts.ts";
import { countryNotes } from "../../domain/shipping/country-notes.ts";
import { UsageSteps } from "../features/catalog/usage-steps.tsx";
import { type UsageStep, usageSteps } from "../features/catalog/usage-text.ts";
import { useCountedView } from "../features/catalog/use-counted-view.ts";
import { shopPicture } from "../features/content/shop-picture.ts";
import { type BenefitPictures, Benefits } from "../features/home/benefits.tsx";
import { Hero } from "../features/home/hero.tsx";
import { FounderFigure, GivingFigure, MissionBadges } from "../features/home/mission-parts.tsx";
import { HomeReviews } from "../features/reviews/list/home-reviews.tsx";
import { reviewsPath } from "../features/reviews/reviews-path.ts";
import { useReviews, withReviewSummary } from "../features/reviews/use-reviews.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { shopContext } from "../shop-context.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { LinkArrow } from "../ui/link-arrow.tsx";
import { Picture } from "../ui/picture.tsx";
import type { Route } from "./+types/home";

const listing = { limit: 5 };

const benefitPictures: BenefitPictures = {
  hair: {
    picture: shopPicture("oil-drops-on-hair.jpg", "Golden drops of oil on strands of brown hair"),
    focus: "object-[45%_60%]",
  },
  skin: {
    picture: shopPicture("bottle-in-hand.jpg", "The bottle lying in an open hand"),
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
    // If the reviews cannot be loaded, their section offers to try again.
    shop.reviews(listing).catch((error: unknown) => {
      shop.report(error);
      return null;
    }),
  ]);
  return {
    // Omits what only the product's page shows: with it, this page would take another round trip to arrive on a phone.
    product: product && { ...product, images: product.images.slice(0, 1), usage: "", benefits: [] },
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
  const { product, steps, products, reviews: firstReviews, givingPercent } = loaderData;
  const reviews = useReviews(reviewsPath(listing), firstReviews);
  useCountedView(product?.slug ?? null);
  return (
    <>
      {product ? (
        <Hero
          // If there are several products, the reviews below are not only about this one.
          product={products.length === 1 ? withReviewSummary(product, reviews.page) : product}
          shippingNotes={loaderData.shippingNotes}
          returnsNote={loaderData.returnsNote}
        />
      ) : (
        <EmptyState glyph={PackageX} title="Product not found">
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

const picture = shopPicture("dropper-oil-drop.jpg", "");

function HowToUse({ steps }: { steps: UsageStep[] }) {
  return (
    <section id="howtouse" className="section">
      <div className="wrap grid gap-10 lg:grid-cols-[6fr_5fr] lg:gap-[clamp(3rem,7vw,7rem)]">
        <div>
          <h2 className="mb-8">How to use it</h2>
          <UsageSteps steps={steps} />
          <div className="mt-8">
            <LinkArrow to="/how-to-use">Routines and mixing ideas</LinkArrow>
          </div>
        </div>
        <div className="sticky top-24 h-[calc(100svh-8rem)] max-h-184 min-h-160 self-start overflow-hidden bg-cream max-lg:hidden">
          <Picture image={picture} sizes="34rem" className="size-full object-cover object-[30%_50%]" />
        </div>
      </div>
    </section>
  );
}

const trustPoints = [
  { glyph: Leaf, title: "100% Natural", text: "One ingredient: batana oil. Nothing added." },
  { glyph: HandHeart, title: "Ethically Sourced", text: "Traditional palm-fruit oil from Honduras." },
  {
    glyph: FlaskConicalOff,
    title: "Left out on purpose",
    text: `No ${excludedIngredients}.`,
    // Narrow screens show the same text among the benefits below.
    className: "max-lg:hidden",
  },
];

function TrustStrip() {
  return (
    <section aria-label="What we stand for" className="bg-cream">
      <ul className="wrap grid gap-6 py-7 md:grid-cols-2 md:gap-12 md:py-9 lg:grid-cols-[1fr_1fr_1.2fr]">
        {trustPoints.map(({ glyph, title, text, className = "" }) => (
          <li key={title} className={`grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-0.5 ${className}`}>
            <Icon glyph={glyph} size="large" className="row-span-2 text-copper-600" />
            <b className="font-display text-xl leading-tight font-normal tracking-[-.01em]">{title}</b>
            <span className="text-small leading-[1.45] text-ink-muted">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The shop's giving, and its badges. */
function Mission({ givingPercent, mission }: { givingPercent: number; mission: MissionFacts }) {
  return (
    <section id="story" className="on-dark section bg-forest-800 text-ink-on-dark">
      <div className="wrap grid gap-10 md:grid-cols-[5fr_6fr] md:items-center md:gap-[clamp(2rem,7vw,7rem)]">
        <FounderFigure founder={mission.founder} />
        <div className="grid gap-6">
          {givingPercent > 0 ? <GivingFigure percent={givingPercent} /> : <h2>From a palm in Honduras</h2>}
          <p className="text-lead text-ink-on-dark-muted">
            {givingPercent > 0
              ? "Every bottle pays for more than what’s inside. The oil is ethically sourced, and the wider work in Liberia covers clean water, women’s empowerment and conservation."
              : "The oil is ethically sourced and made the traditional way, with nothing added."}
          </p>
          <MissionBadges mission={mission} />
          <div>
            <LinkArrow to="/story">Read our story</LinkArrow>
          </div>
        </div>
      </div>
    </section>
  );
}
