import type { ReactNode } from "react";
import type { ProductImage } from "../../../domain/catalog/product.ts";
import type { ShownContent } from "../../../domain/content/content.ts";
import type { ShownFacts } from "../../../domain/content/page-facts.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Picture } from "../../ui/picture.tsx";
import { FactsContext } from "./facts-context.tsx";
import type { HeroProductLink } from "./load-page.ts";

/** Title, lead, wide picture, text, and a link to the product. */
export function EditorialPage({
  head: { heading, lead },
  picture,
  focus,
  facts,
  oil,
  children,
}: {
  head: ShownContent;
  picture: ProductImage;
  /** CSS class that keeps a part of the picture in view. */
  focus: string;
  facts: ShownFacts;
  oil: HeroProductLink | null;
  children: ReactNode;
}) {
  return (
    <FactsContext value={facts}>
      <header className="wrap pt-[clamp(2rem,1.5rem+3vw,4.5rem)]">
        <h1 className="max-w-224 text-[clamp(2.5rem,1.8rem+3.2vw,4.75rem)] leading-none">{heading}</h1>
        <p className="mt-5 max-w-text text-lead text-balance text-ink-muted">{lead}</p>
      </header>
      <div className="mt-[clamp(1.75rem,1rem+3vw,3.5rem)] aspect-4/3 overflow-hidden bg-cream lg:aspect-21/9">
        <Picture image={picture} sizes="100vw" priority className={`size-full object-cover ${focus}`} />
      </div>
      {children}
      {oil && (
        <section aria-labelledby="try" className="section [.section:not(.bg-cream-soft,.on-dark)+&]:pt-0">
          <div className="wrap grid justify-items-center gap-5 text-center">
            <h2 id="try">Try the oil</h2>
            <p className="text-ink-muted">
              {oil.name}, {oil.size}, {formatCents(oil.priceCents)}
            </p>
            <ButtonLink to={`/product/${oil.slug}`}>See the product</ButtonLink>
          </div>
        </section>
      )}
    </FactsContext>
  );
}
