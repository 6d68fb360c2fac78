import { Causes } from "../features/content/causes.tsx";
import { contentMeta } from "../features/content/content-meta.ts";
import { EditorialPage } from "../features/content/editorial-page.tsx";
import { loadPage } from "../features/content/load-page.ts";
import { StandFor } from "../features/content/stand-for.tsx";
import { FruitStill, HandStill } from "../features/content/still.tsx";
import { Sections } from "../features/content/words.tsx";
import { shopPicture } from "../ui/shop-picture.ts";
import type { Route } from "./+types/story";

const picture = shopPicture("story-palms-dawn.jpg", "Illustration of palm trees beside calm water at dawn");

const parts = { givingSection: <Causes />, fruitPicture: <FruitStill />, handPicture: <HandStill /> };

export const loader = ({ context }: Route.LoaderArgs) => loadPage(context, "story");

export const meta: Route.MetaFunction = (args) => contentMeta(args, { path: "/story", type: "article" });

export default function Story({ loaderData }: Route.ComponentProps) {
  return (
    <EditorialPage picture={picture} focus="object-[55%_40%]" {...loaderData}>
      <Sections blocks={loaderData.blocks} parts={parts} drop />
      <StandFor />
    </EditorialPage>
  );
}
