import { createContext, useContext } from "react";
import type { ProductImage } from "../../domain/catalog/product.ts";
import { Sections } from "../features/content/blocks.tsx";
import { EditorialPage } from "../features/content/editorial-page.tsx";
import { contentMeta, type HeroProductLink, loadPage } from "../features/content/load-page.ts";
import { shopPicture } from "../features/content/shop-picture.ts";
import { LabelPicture } from "../features/content/side-pictures.tsx";
import { Picture } from "../ui/picture.tsx";
import type { Route } from "./+types/how-to-use";

const picture = shopPicture("oil-in-palm.jpg", "A dropper above an open hand with amber oil in the palm");

const parts = { routinesSection: <UsageRoutines />, labelPicture: <LabelPicture /> };

export const loader = ({ context }: Route.LoaderArgs) => loadPage(context, "how-to-use");

export const meta: Route.MetaFunction = (args) => contentMeta(args, { path: "/how-to-use", type: "article" });

export default function HowToUse({ loaderData }: Route.ComponentProps) {
  return (
    <EditorialPage picture={picture} focus="object-[50%_32%]" {...loaderData}>
      <OilContext value={loaderData.oil}>
        <Sections blocks={loaderData.blocks} parts={parts} />
      </OilContext>
    </EditorialPage>
  );
}

/** The oil, whose usage steps the page shows. */
const OilContext = createContext<HeroProductLink | null>(null);

/** Pictures of steps, by their titles in lower case. */
const pictures: Record<string, ProductImage | undefined> = {
  hair: shopPicture("use-hair.jpg", "A wooden comb with drops of oil, the bottle behind it"),
  face: shopPicture("use-face.jpg", "Three drops of oil in a small dish, with the dropper on its rim"),
  body: shopPicture("use-body.jpg", "The bottle between a rolled towel and a stone dish of oil"),
};

function UsageRoutines() {
  const oil = useContext(OilContext);
  const steps = oil?.usage ?? [];
  if (steps.length === 0) return null;
  return (
    <section id="howtouse" className="section">
      <div className="wrap">
        <h2>{steps.length === 3 ? "Three routines" : "Routines"}</h2>
        <ol className="mt-[clamp(1.75rem,1.25rem+2vw,3.25rem)] grid gap-12 md:grid-cols-3 md:gap-[clamp(1.25rem,2.2vw,2.25rem)]">
          {steps.map(({ title, text, dose }) => {
            const stepPicture = pictures[title?.toLowerCase() ?? ""];
            return (
              <li key={`${title}${text}`}>
                {stepPicture && (
                  <div className="mb-5 aspect-4/3 overflow-hidden bg-cream">
                    <Picture
                      image={stepPicture}
                      sizes="(min-width: 80rem) 25rem, (min-width: 48rem) 31vw, calc(100vw - 2.5rem)"
                      className="size-full object-cover"
                    />
                  </div>
                )}
                {title && <h3>{title}</h3>}
                <p className="mt-2 max-w-text text-ink-muted">{text}</p>
                {dose && <p className="mt-3 text-small font-medium">{dose}</p>}
              </li>
            );
          })}
        </ol>
        {oil?.videoUrl && (
          <video
            controls
            muted
            playsInline
            preload="none"
            poster={picture.url}
            src={oil.videoUrl}
            aria-label="How to use the oil"
            className="mt-[clamp(2.5rem,2rem+2vw,4.5rem)] aspect-video w-full bg-cream object-cover"
          />
        )}
      </div>
    </section>
  );
}
