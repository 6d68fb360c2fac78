import type { MissionFacts } from "../../../domain/settings/badges.ts";
import { LinkArrow } from "../../ui/link-arrow.tsx";
import { FounderFigure, GivingFigure, MissionWords } from "./mission-parts.tsx";

/** The one loud moment of the page: what the shop gives. */
export function Mission({ givingPercent, mission }: { givingPercent: number; mission: MissionFacts }) {
  return (
    <section id="story" className="on-dark section bg-forest-800 text-ink-on-dark">
      <div className="wrap grid gap-10 md:grid-cols-[5fr_6fr] md:items-center md:gap-[clamp(2rem,7vw,7rem)]">
        <FounderFigure founder={mission.founder} />
        <div className="grid gap-6">
          {givingPercent > 0 ? <GivingFigure percent={givingPercent} /> : <h2>From a palm in Honduras</h2>}
          <p className="text-lead text-pretty text-ink-on-dark-muted">
            {givingPercent > 0
              ? `Every bottle pays for more than what’s inside. The oil is ethically sourced, and ${givingPercent}% of the proceeds help children go to school. The wider work covers clean water, women’s empowerment and conservation.`
              : "The oil is ethically sourced and made the traditional way, with nothing added."}
          </p>
          <MissionWords mission={mission} />
          <div>
            <LinkArrow to="/story">Read our story</LinkArrow>
          </div>
        </div>
      </div>
    </section>
  );
}
