import BookOpen from "lucide-react/icons/book-open";
import Droplets from "lucide-react/icons/droplets";
import Trees from "lucide-react/icons/trees";
import Users from "lucide-react/icons/users";
import { givingComputation } from "../../../domain/sales/giving.ts";
import { givingCauses } from "../../../domain/settings/facts.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { Icon } from "../../ui/icon.tsx";
import { Time } from "../../ui/time.tsx";
import { GivingFigure, MissionWords } from "../home/mission-parts.tsx";
import { useFacts } from "./facts-context.tsx";

const glyphs = {
  Education: BookOpen,
  "Clean water": Droplets,
  "Women’s empowerment": Users,
  Conservation: Trees,
};

/** The home page's mission, told further: what is given for, and what it came to. */
export function Causes() {
  const { givingPercent, donatedCents, givingSince } = useFacts();
  if (givingPercent === 0) return null;
  return (
    <section id="story" className="on-dark section bg-forest-800 text-ink-on-dark">
      <div className="wrap grid gap-10 md:grid-cols-[5fr_6fr] md:gap-[clamp(2rem,7vw,7rem)]">
        <div>
          <GivingFigure percent={givingPercent} />
          {donatedCents > 0 && (
            <div className="mt-10 border-t border-line-on-dark pt-6">
              <p className="text-lead">
                Donated so far: <b className="font-medium tabular-nums">{formatCents(donatedCents)}</b>
              </p>
              <p className="mt-2 max-w-112 text-small text-ink-on-dark-muted">
                {givingSince !== null && (
                  <>
                    Counted since <Time iso={givingSince} />.{" "}
                  </>
                )}
                {givingComputation}
              </p>
            </div>
          )}
        </div>
        <div>
          <p className="text-lead text-pretty text-ink-on-dark-muted">
            Education comes first. The wider work in Liberia also covers clean water, women’s empowerment and
            conservation.
          </p>
          <ul className="mt-5">
            {givingCauses.map((cause) => (
              <li key={cause} className="flex min-h-16 items-center gap-4 border-t border-line-on-dark">
                <Icon glyph={glyphs[cause]} />
                <span className="type-display text-h3">{cause}</span>
              </li>
            ))}
          </ul>
          <div className="mt-5">
            <MissionWords />
          </div>
        </div>
      </div>
    </section>
  );
}
