import { Causes } from "../features/content/causes.tsx";
import { contentMeta } from "../features/content/content-meta.ts";
import { EditorialPage } from "../features/content/editorial-page.tsx";
import { useFacts } from "../features/content/facts-context.tsx";
import { loadPage } from "../features/content/load-page.ts";
import { FruitStill, HandStill } from "../features/content/still.tsx";
import { Sections } from "../features/content/words.tsx";
import { FounderFigure, MissionWords } from "../features/home/mission-parts.tsx";
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

/** The founder and the shop's values, below the text of the story page. */
function StandFor() {
  const { mission } = useFacts();
  return (
    <section aria-labelledby="stand-for" className="on-dark section bg-forest-800 text-ink-on-dark">
      <div className="wrap grid gap-10 md:grid-cols-[5fr_6fr] md:items-center md:gap-[clamp(2rem,7vw,7rem)]">
        <FounderFigure founder={mission.founder} />
        <div className="grid gap-6">
          <h2 id="stand-for">What we stand for</h2>
          <MissionWords mission={mission} />
        </div>
      </div>
    </section>
  );
}
