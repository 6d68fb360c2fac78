import type { ReactNode } from "react";
import type { FrontMatter } from "../../../content/front-matter.ts";
import type { ProductImage } from "../../../domain/catalog/product.ts";
import type { PageFacts } from "../../../domain/content/page-facts.ts";
import { Picture } from "../../ui/picture.tsx";
import { FactsContext } from "./facts-context.tsx";
import { Prose } from "./words.tsx";

/** A page to be read: a title, a lead, and words in one column. */
export function PolicyPage({
  head: { title, heading = title, lead },
  facts,
  picture,
  children,
}: {
  head: FrontMatter;
  facts: PageFacts;
  picture?: ProductImage;
  children: ReactNode;
}) {
  return (
    <FactsContext value={facts}>
      <article className="wrap pb-(--section-y)">
        <header className="page-head">
          <h1>{heading}</h1>
          <p className="mt-4 max-w-text text-lead text-pretty text-ink-muted">{lead}</p>
        </header>
        <div className="grid gap-10 lg:grid-cols-[minmax(0,var(--container-form))_minmax(0,1fr)] lg:gap-[clamp(3rem,7vw,7rem)]">
          {picture && (
            <div className="aspect-3/2 self-start overflow-hidden bg-cream lg:sticky lg:top-28 lg:order-2 lg:aspect-4/5">
              <Picture
                image={picture}
                sizes="(min-width: 64rem) 30rem, calc(100vw - 2.5rem)"
                className="size-full object-cover"
              />
            </div>
          )}
          <div className="max-w-form">
            <Prose>{children}</Prose>
          </div>
        </div>
      </article>
    </FactsContext>
  );
}
