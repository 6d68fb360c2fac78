import Words, { frontmatter } from "../../content/how-to-use.mdx";
import { EditorialPage } from "../features/editorial/editorial-page.tsx";
import { loadPage } from "../features/editorial/load-page.ts";
import { LabelStill } from "../features/editorial/still.tsx";
import { UsageContext, UsageRoutines } from "../features/editorial/usage-routines.tsx";
import { words } from "../features/editorial/words.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { shopPicture } from "../ui/shop-picture.ts";
import type { Route } from "./+types/how-to-use";

const picture = shopPicture("oil-in-palm.jpg", "A dropper above an open hand with amber oil in the palm");

const components = { ...words, HomeSection: UsageRoutines, Still: LabelStill };

export const loader = ({ context }: Route.LoaderArgs) => loadPage(context);

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, { ...frontmatter, path: "/how-to-use", type: "article" });

export default function HowToUse({ loaderData }: Route.ComponentProps) {
  return (
    <EditorialPage head={frontmatter} picture={picture} focus="object-[50%_32%]" {...loaderData}>
      <UsageContext value={loaderData.oil?.usage ?? []}>
        <Words components={components} />
      </UsageContext>
    </EditorialPage>
  );
}
