import Words, { frontmatter } from "../../content/story.mdx";
import { Causes } from "../features/editorial/causes.tsx";
import { EditorialPage } from "../features/editorial/editorial-page.tsx";
import { loadPage } from "../features/editorial/load-page.ts";
import { FruitStill, HandStill } from "../features/editorial/still.tsx";
import { words } from "../features/editorial/words.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { shopPicture } from "../ui/shop-picture.ts";
import type { Route } from "./+types/story";

const picture = shopPicture("story-palms-dawn.jpg", "Illustration of palm trees beside calm water at dawn");

const components = { ...words, HomeSection: Causes, Still: FruitStill, HandStill };

export const loader = ({ context }: Route.LoaderArgs) => loadPage(context);

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, { ...frontmatter, path: "/story", type: "article" });

export default function Story({ loaderData }: Route.ComponentProps) {
  return (
    <EditorialPage head={frontmatter} picture={picture} focus="object-[55%_40%]" {...loaderData}>
      <Words components={components} />
    </EditorialPage>
  );
}
