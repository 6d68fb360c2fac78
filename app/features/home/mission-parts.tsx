import type { LucideIcon } from "lucide-react";
import BadgeCheck from "lucide-react/icons/badge-check";
import Droplet from "lucide-react/icons/droplet";
import Scale from "lucide-react/icons/scale";
import Sprout from "lucide-react/icons/sprout";
import { toProductImage, uploadedHash } from "../../../domain/catalog/product-image.ts";
import type { MissionFacts } from "../../../domain/settings/badges.ts";
import type { Certificate } from "../../../domain/settings/settings.ts";
import { Icon } from "../../ui/icon.tsx";
import { Picture } from "../../ui/picture.tsx";
import { shopPicture } from "../content/shop-picture.ts";

/** Facts about the oil that need no certificate. */
const oilFacts = [
  { glyph: Droplet, text: "Cold-pressed" },
  { glyph: Sprout, text: "One ingredient" },
];

/** The share that the shop gives, in large figures, and its purpose. */
export function GivingFigure({ percent }: { percent: number }) {
  return (
    <div className="grid gap-6">
      <p
        aria-hidden="true"
        className="font-display text-[clamp(5.5rem,4rem+8vw,11rem)] leading-[.82] tracking-[-.045em] text-copper-400 lining-nums"
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

const badgeGlyphs: Record<string, LucideIcon> = { "Fair Trade": Scale, Sustainable: Sprout };

/** The shop's own badges with their meanings, and its certificates; plain facts if it has neither. */
export function MissionBadges({ mission: { badges, certificates } }: { mission: MissionFacts }) {
  const unprovenBadges = badges.filter(({ certificate }) => certificate === null);
  return (
    <div className="grid gap-4">
      {badges.length > 0 && (
        <ul className="grid gap-3">
          {badges.map(({ name, means, certificate }) => (
            <li
              key={name}
              className="grid justify-items-start gap-1 border-t border-line-on-dark pt-3 sm:grid-cols-[9rem_1fr]"
            >
              {certificate ? (
                <Pill glyph={badgeGlyphs[name] ?? BadgeCheck} certificate={certificate}>
                  {name}
                </Pill>
              ) : (
                <span className="flex items-center gap-2">
                  <Icon glyph={badgeGlyphs[name] ?? BadgeCheck} size="small" /> {name}
                </span>
              )}
              <span className="text-small text-ink-on-dark-muted">{means}</span>
            </li>
          ))}
        </ul>
      )}
      {unprovenBadges.length > 0 && (
        <p className="text-small text-ink-on-dark-muted">
          {unprovenBadges.length > 1
            ? "Our own statements, not certificates."
            : `“${unprovenBadges[0]?.name}” is our own statement, not a certificate.`}
        </p>
      )}
      {(certificates.length > 0 || badges.length === 0) && (
        <ul className="flex flex-wrap gap-2">
          {certificates.length === 0 &&
            oilFacts.map(({ glyph, text }) => (
              <li key={text}>
                <Pill glyph={glyph} certificate={null}>
                  {text}
                </Pill>
              </li>
            ))}
          {certificates.map((certificate) => (
            <li key={`${certificate.name}${certificate.number}`}>
              <Pill glyph={BadgeCheck} certificate={certificate}>
                {certificate.name}
              </Pill>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A badge with the number of its certificate, linked to the page where it can be verified. */
function Pill({
  glyph,
  certificate,
  children,
}: {
  glyph: LucideIcon;
  certificate: Certificate | null;
  children: string;
}) {
  const content = (
    <>
      <Icon glyph={glyph} size="small" /> {children}
      {certificate?.number && <span className="text-ink-on-dark-muted">{certificate.number}</span>}
    </>
  );
  return certificate?.link ? (
    <a
      href={certificate.link}
      rel="noopener"
      className={`${pill} min-h-11 no-underline hover:border-ink-on-dark`}
    >
      {content}
    </a>
  ) : (
    <span className={pill}>{content}</span>
  );
}

const workshop = shopPicture(
  "founder-workshop.jpg",
  "A basket of ripe palm fruit, a wooden mortar and a bowl of amber oil",
);

/** The founder's picture, or one of the workshop, with name and caption if the owner has entered them. */
export function FounderFigure({ founder: { picture, name, caption } }: { founder: MissionFacts["founder"] }) {
  const uploadedPicture =
    picture && toProductImage({ ...picture, hash: uploadedHash(picture.file) ?? "" }, name ?? "The founder");
  return (
    <figure className="grid gap-3">
      <div className="aspect-4/5 overflow-hidden bg-forest-700">
        <Picture
          image={uploadedPicture ?? workshop}
          fallback={workshop}
          sizes="(min-width: 80rem) 32rem, (min-width: 48rem) 42vw, calc(100vw - 2.5rem)"
          className="size-full object-cover"
        />
      </div>
      {(name ?? caption) !== null && (
        <figcaption className="text-small wrap-anywhere text-ink-on-dark-muted">
          {name !== null && <strong className="font-semibold text-ink-on-dark">{name}</strong>}
          {name !== null && caption !== null && <br />}
          {caption}
        </figcaption>
      )}
    </figure>
  );
}

const pill =
  "inline-flex items-center gap-2 rounded-full border border-ink-on-dark/35 py-[.34rem] pr-3 pl-2.5 text-small leading-[1.4]";
