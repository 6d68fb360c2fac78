import type { Certificate } from "../../../domain/settings/settings.ts";
import { LinkArrow } from "../../ui/link-arrow.tsx";
import { Picture } from "../../ui/picture.tsx";
import { shopPicture } from "../../ui/shop-picture.ts";
import { GivingFigure, MissionWords } from "./mission-parts.tsx";

const picture = shopPicture("bottle-palm-fruit.jpg", "Palm fruit and fronds beside the bottle");

/** The one loud moment of the page: what the shop gives. */
export function Mission({
  givingPercent,
  certificates,
}: {
  givingPercent: number;
  certificates: Certificate[];
}) {
  return (
    <section id="story" className="on-dark section bg-forest-800 text-ink-on-dark">
      <div className="wrap grid gap-10 md:grid-cols-[5fr_6fr] md:items-center md:gap-[clamp(2rem,7vw,7rem)]">
        <div className="aspect-4/5 overflow-hidden bg-forest-700">
          <Picture
            image={picture}
            sizes="(min-width: 80rem) 32rem, (min-width: 48rem) 42vw, calc(100vw - 2.5rem)"
            className="size-full object-cover object-[30%_60%]"
          />
        </div>
        <div className="grid gap-6">
          {givingPercent > 0 ? <GivingFigure percent={givingPercent} /> : <h2>From a palm in Honduras</h2>}
          <p className="text-lead text-pretty text-ink-on-dark-muted">
            {givingPercent > 0
              ? `Every bottle pays for more than what’s inside. The oil is ethically sourced, and ${givingPercent}% of the proceeds help children go to school. The wider work covers clean water, women’s empowerment and conservation.`
              : "The oil is ethically sourced and made the traditional way, with nothing added."}
          </p>
          <MissionWords certificates={certificates} />
          <div>
            <LinkArrow to="/story">Read our story</LinkArrow>
          </div>
        </div>
      </div>
    </section>
  );
}
