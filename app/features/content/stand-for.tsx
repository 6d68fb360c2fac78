import { FounderFigure, MissionWords } from "../home/mission-parts.tsx";
import { useFacts } from "./facts-context.tsx";

/** The founder beside what the shop stands for, at the end of the story, whatever its text says. */
export function StandFor() {
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
