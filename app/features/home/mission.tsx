import Scale from "lucide-react/icons/scale";
import Sprout from "lucide-react/icons/sprout";
import { Icon } from "../../ui/icon.tsx";
import { Picture } from "../../ui/picture.tsx";
import { shopPicture } from "../../ui/shop-picture.ts";

const picture = shopPicture("bottle-palm-fruit.jpg", "Palm fruit and fronds beside the bottle");

const words = [
  { glyph: Scale, text: "Fair Trade" },
  { glyph: Sprout, text: "Sustainable" },
];

/** The one loud moment of the page: what the shop gives. */
export function Mission({ givingPercent }: { givingPercent: number }) {
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
          <p
            aria-hidden="true"
            className="font-display text-[clamp(5.5rem,4rem+8vw,11rem)] leading-[.82] font-[320] tracking-[-.045em] text-copper-400 lining-nums"
          >
            {givingPercent}
            <small className="ml-[.04em] align-[.62em] text-[.5em] tracking-normal">%</small>
          </p>
          <h2>
            <span className="sr-only">{givingPercent}% </span>of proceeds go to education in a village in
            Liberia
          </h2>
          <p className="text-lead text-pretty text-ink-on-dark-muted">
            Every bottle pays for more than what is in it. The oil is ethically sourced, and {givingPercent}%
            of the proceeds helps children go to school. Clean water, women's empowerment and conservation are
            the causes beside it.
          </p>
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
        </div>
      </div>
    </section>
  );
}
