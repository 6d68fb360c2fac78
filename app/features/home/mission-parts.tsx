import BadgeCheck from "lucide-react/icons/badge-check";
import Droplet from "lucide-react/icons/droplet";
import Sprout from "lucide-react/icons/sprout";
import type { Certificate } from "../../../domain/settings/settings.ts";
import { Icon } from "../../ui/icon.tsx";

/** What is true of the oil without anybody's certificate. */
const words = [
  { glyph: Droplet, text: "Cold-pressed" },
  { glyph: Sprout, text: "One ingredient" },
];

/** The share in large figures, and what it goes to. */
export function GivingFigure({ percent }: { percent: number }) {
  return (
    <div className="grid gap-6">
      <p
        aria-hidden="true"
        className="font-display text-[clamp(5.5rem,4rem+8vw,11rem)] leading-[.82] font-[320] tracking-[-.045em] text-copper-400 lining-nums"
      >
        {percent}
        <small className="ml-[.04em] align-[.62em] text-[.5em] tracking-normal">%</small>
      </p>
      <h2>
        <span className="sr-only">{percent}% </span>of proceeds go to education in a village in Liberia
      </h2>
    </div>
  );
}

/** The certificates that the owner can show; plain facts while there are none. */
export function MissionWords({ certificates }: { certificates: Certificate[] }) {
  return (
    <ul className="flex flex-wrap gap-2">
      {certificates.length === 0 &&
        words.map(({ glyph, text }) => (
          <li key={text} className={pill}>
            <Icon glyph={glyph} size="small" /> {text}
          </li>
        ))}
      {certificates.map(({ name, number, link }) => {
        const inside = (
          <>
            <Icon glyph={BadgeCheck} size="small" /> {name}
            {number && <span className="text-ink-on-dark-muted">{number}</span>}
          </>
        );
        return (
          <li key={`${name}${number}`} className={link ? undefined : pill}>
            {link ? (
              <a
                href={link}
                rel="noopener"
                className={`${pill} min-h-11 no-underline hover:border-ink-on-dark`}
              >
                {inside}
              </a>
            ) : (
              inside
            )}
          </li>
        );
      })}
    </ul>
  );
}

const pill =
  "inline-flex items-center gap-2 rounded-full border border-ink-on-dark/35 py-[.34rem] pr-3 pl-2.5 text-small leading-[1.4]";
