import { createContext, useContext } from "react";
import { type UsageStep, UsageSteps } from "../features/catalog/usage-steps.tsx";
import { EditorialPage } from "../features/content/editorial-page.tsx";
import { contentMeta, loadPage } from "../features/content/load-page.ts";
import { shopPicture } from "../features/content/shop-picture.ts";
import { LabelStill } from "../features/content/still.tsx";
import { Sections } from "../features/content/words.tsx";
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

/** The product's usage steps. */
const UsageContext = createContext<UsageStep[]>([]);

function UsageRoutines() {
  const steps = useContext(UsageContext);
  if (steps.length === 0) return null;
  return (
    <section id="howtouse" className="section">
      <div className="wrap grid gap-12 lg:grid-cols-[5fr_6fr] lg:items-start lg:gap-[clamp(3rem,7vw,7rem)]">
        <h2>{steps.length === 3 ? "Three routines" : "Routines"}</h2>
        <UsageSteps steps={steps} />
      </div>
    </section>
  );
}
