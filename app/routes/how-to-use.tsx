import { contentMeta } from "../features/content/content-meta.ts";
import { EditorialPage } from "../features/content/editorial-page.tsx";
import { loadPage } from "../features/content/load-page.ts";
import { LabelStill } from "../features/content/still.tsx";
import { UsageContext, UsageRoutines } from "../features/content/usage-routines.tsx";
import { Sections } from "../features/content/words.tsx";
import { shopPicture } from "../ui/shop-picture.ts";
import type { Route } from "./+types/how-to-use";

const picture = shopPicture("oil-in-palm.jpg", "A dropper above an open hand with amber oil in the palm");

const parts = { routinesSection: <UsageRoutines />, labelPicture: <LabelStill /> };

export const loader = ({ context }: Route.LoaderArgs) => loadPage(context, "how-to-use");

export const meta: Route.MetaFunction = (args) => contentMeta(args, { path: "/how-to-use", type: "article" });

export default function HowToUse({ loaderData }: Route.ComponentProps) {
  return (
    <EditorialPage picture={picture} focus="object-[50%_32%]" {...loaderData}>
      <UsageContext value={loaderData.oil?.usage ?? []}>
        <Sections blocks={loaderData.blocks} parts={parts} />
      </UsageContext>
    </EditorialPage>
  );
}
