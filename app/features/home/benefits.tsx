import type { ProductImage } from "../../../domain/catalog/product.ts";
import { PageLink } from "../../ui/page-link.tsx";
import { Picture } from "../../ui/picture.tsx";

/** Picture of each card, and a CSS class (`focus`) that keeps a part of it in view. */
export type BenefitPictures = Record<"hair" | "skin" | "natural", { picture: ProductImage; focus: string }>;

const cards = [
  {
    name: "hair",
    title: "Hair Revitalization",
    text: "Smooths dry ends, calms frizz and brings back shine. Use it as a pre-wash mask or a finishing drop.",
  },
  {
    name: "skin",
    title: "Skin Renewal",
    text: "Seals in moisture on damp skin and softens dry spots: hands, elbows, heels and face.",
  },
  {
    name: "natural",
    title: "100% Natural",
    text: "Cold-pressed, then bottled as it is. The list of ingredients has one entry: batana oil.",
  },
] as const;

export function Benefits({ pictures }: { pictures: BenefitPictures }) {
  return (
    <section id="benefits" className="section">
      <div className="wrap">
        <div className="mb-[clamp(2rem,1.5rem+2.5vw,4rem)] grid max-w-form gap-4">
          <h2>One oil, three good habits</h2>
          <p className="text-lead text-ink-muted">
            Batana oil is rich in{" "}
            <PageLink to="/benefits#where-this-comes-from" className="link">
              oleic acid and vitamin E
            </PageLink>
            . A little goes a long way, on every hair type and on dry skin.
          </p>
        </div>
        <div className="grid gap-11 md:grid-cols-3 md:gap-[clamp(1.25rem,2.2vw,2.25rem)]">
          {cards.map(({ name, title, text }) => (
            <article key={title} className="lg:nth-2:mt-14">
              <div className="aspect-4/3 overflow-hidden bg-cream md:aspect-4/5">
                <Picture
                  image={pictures[name].picture}
                  sizes="(min-width: 80rem) 25rem, (min-width: 48rem) 31vw, calc(100vw - 2.5rem)"
                  className={`size-full object-cover ${pictures[name].focus}`}
                />
              </div>
              <h3 className="mt-5">{title}</h3>
              <p className="mt-2 max-w-[34ch] text-ink-muted">{text}</p>
            </article>
          ))}
        </div>
      </div>
    </section>
  );
}
