import Droplets from "lucide-react/icons/droplets";
import Trees from "lucide-react/icons/trees";
import Users from "lucide-react/icons/users";
import { formatDay } from "../../domain/orders/order-text.ts";
import { type Giving, givingComputation } from "../../domain/sales/giving.ts";
import { furtherCauses } from "../../domain/settings/facts.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { Sections } from "../features/content/blocks.tsx";
import { EditorialPage } from "../features/content/editorial-page.tsx";
import { useFacts } from "../features/content/facts-context.tsx";
import { contentMeta, loadPage } from "../features/content/load-page.ts";
import { shopPicture } from "../features/content/shop-picture.ts";
import { BoxPicture, FruitPicture } from "../features/content/side-pictures.tsx";
import { FounderFigure, GivingFigure, MissionBadges } from "../features/home/mission-parts.tsx";
import { Icon } from "../ui/icon.tsx";
import { Time } from "../ui/time.tsx";
import type { Route } from "./+types/story";

const picture = shopPicture("story-palms-dawn.jpg", "Illustration of palm trees beside calm water at dawn");

const parts = { givingSection: <Causes />, fruitPicture: <FruitPicture />, handPicture: <BoxPicture /> };

export const loader = ({ context }: Route.LoaderArgs) => loadPage(context, "story");

export const meta: Route.MetaFunction = (args) => contentMeta(args, { path: "/story", type: "article" });

export default function Story({ loaderData }: Route.ComponentProps) {
  return (
    <EditorialPage picture={picture} focus="object-[55%_40%]" {...loaderData}>
      <Sections blocks={loaderData.blocks} parts={parts} hasDropCap />
      <WhatWeStandFor />
    </EditorialPage>
  );
}

/** The founder and the shop's values, below the text of the story page. */
function WhatWeStandFor() {
  const { mission } = useFacts();
  return (
    <section aria-labelledby="stand-for" className="on-dark section bg-forest-800 text-ink-on-dark">
      <div className="wrap grid gap-10 md:grid-cols-[5fr_6fr] md:items-center md:gap-[clamp(2rem,7vw,7rem)]">
        <FounderFigure founder={mission.founder} />
        <div className="grid gap-6">
          <h2 id="stand-for">What we stand for</h2>
          <MissionBadges mission={mission} />
        </div>
      </div>
    </section>
  );
}

const glyphs = {
  "Clean water": Droplets,
  "Women’s empowerment": Users,
  Conservation: Trees,
};

/** The shop's giving in detail: causes and amounts. */
export function Causes() {
  const { givingPercent, giving } = useFacts();
  if (givingPercent === 0) return null;
  return (
    <section id="story" className="on-dark section bg-forest-800 text-ink-on-dark">
      <div className="wrap grid gap-10 md:grid-cols-[5fr_6fr] md:gap-[clamp(2rem,7vw,7rem)]">
        <div id="giving">
          <GivingFigure percent={givingPercent} />
          {(giving.setAsideCents > 0 || giving.sentCents > 0) && <GivingTotals giving={giving} />}
        </div>
        <div>
          <p className="text-lead text-ink-on-dark-muted">
            Education comes first. The rest of the work in Liberia:
          </p>
          <ul className="mt-5">
            {furtherCauses.map((cause) => (
              <li key={cause} className="flex min-h-16 items-center gap-4 border-t border-line-on-dark">
                <Icon glyph={glyphs[cause]} />
                <span className="type-display text-h3">{cause}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}

/** Money set aside from orders and money sent, which are never added up. */
function GivingTotals({ giving }: { giving: Giving }) {
  const { setAsideCents, since, sentCents, firstSentOn, lastSentOn } = giving;
  return (
    <div className="mt-10 max-w-112 border-t border-line-on-dark pt-6">
      <p className="text-lead">
        Set aside so far: <strong className="font-medium tabular-nums">{formatCents(setAsideCents)}</strong>
        {since !== null && (
          <>
            , since <Time iso={since} />
          </>
        )}
        .
        {firstSentOn !== null && lastSentOn !== null && (
          <>
            {" "}
            Sent: <strong className="font-medium tabular-nums">{formatCents(sentCents)}</strong>
            {`, ${sentDays(firstSentOn, lastSentOn)}.`}
          </>
        )}
      </p>
      <details className="mt-2 text-small text-ink-on-dark-muted">
        <summary className="inline-flex min-h-11 cursor-pointer items-center underline decoration-copper-400 underline-offset-4">
          How we count
        </summary>
        <p>{givingComputation}</p>
      </details>
    </div>
  );
}

function sentDays(firstDate: string, lastDate: string): string {
  const [firstDay, lastDay] = [firstDate, lastDate].map((date) => formatDay(date, "UTC"));
  return firstDate === lastDate ? `on ${lastDay}` : `from ${firstDay} to ${lastDay}`;
}
