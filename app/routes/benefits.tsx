import { Sections } from "../features/content/blocks.tsx";
import { EditorialPage } from "../features/content/editorial-page.tsx";
import { contentMeta, loadPage } from "../features/content/load-page.ts";
import { shopPicture } from "../features/content/shop-picture.ts";
import { IngredientsPicture } from "../features/content/side-pictures.tsx";
import { type BenefitPictures, Benefits } from "../features/home/benefits.tsx";
import type { Route } from "./+types/benefits";

const picture = shopPicture(
  "bottle-oil-pool.jpg",
  "Bottle of Palmira Pure Batana Oil lying on pale stone next to a pool of amber oil",
);

const pictures: BenefitPictures = {
  hair: {
    picture: shopPicture("hair-drops-close.jpg", "Close view of oil beading on single hairs"),
    focus: "object-center",
  },
  skin: {
    picture: shopPicture("oil-in-palm-close.jpg", "Close view of amber oil in the hollow of a hand"),
    focus: "object-center",
  },
  natural: {
    picture: shopPicture(
      "bottle-palm-fruit.jpg",
      "The bottle beside palm leaves and palm fruits, two of them cut open",
    ),
    focus: "object-[40%_50%]",
  },
};

const parts = {
  benefitsSection: <Benefits pictures={pictures} />,
  ingredientsPicture: <IngredientsPicture />,
};

export const loader = ({ context }: Route.LoaderArgs) => loadPage(context, "benefits");

export const meta: Route.MetaFunction = (args) => contentMeta(args, { path: "/benefits", type: "article" });

export default function BenefitsPage({ loaderData }: Route.ComponentProps) {
  return (
    <EditorialPage picture={picture} focus="object-[50%_42%]" {...loaderData}>
      <Sections blocks={loaderData.blocks} parts={parts} />
    </EditorialPage>
  );
}
