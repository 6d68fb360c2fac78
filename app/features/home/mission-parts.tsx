import Scale from "lucide-react/icons/scale";
import Sprout from "lucide-react/icons/sprout";
import { Icon } from "../../ui/icon.tsx";

const words = [
  { glyph: Scale, text: "Fair Trade" },
  { glyph: Sprout, text: "Sustainable" },
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

export function MissionWords() {
  return (
    <ul className="flex flex-wrap gap-2">
      {words.map(({ glyph, text }) => (
        <li
          key={text}
          className="inline-flex items-center gap-2 rounded-full border border-ink-on-dark/35 py-[.34rem] pr-3 pl-2.5 text-small leading-[1.4]"
        >
          <Icon glyph={glyph} size="small" /> {text}
        </li>
      ))}
    </ul>
  );
}
