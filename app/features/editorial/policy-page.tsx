import type { ReactNode } from "react";
import type { FrontMatter } from "../../../content/front-matter.ts";
import { FactsContext } from "./facts-context.tsx";
import type { PageFacts } from "./page-facts.ts";
import { Prose } from "./words.tsx";

/** A page to be read: a title, a lead, and words in one column. */
export function PolicyPage({
  head: { title, heading = title, lead },
  facts,
  children,
}: {
  head: FrontMatter;
  facts: PageFacts;
  children: ReactNode;
}) {
  return (
    <FactsContext value={facts}>
      <article className="wrap pb-(--section-y)">
        <header className="page-head">
          <h1>{heading}</h1>
          <p className="mt-4 max-w-text text-lead text-pretty text-ink-muted">{lead}</p>
        </header>
        <div className="max-w-form">
          <Prose>{children}</Prose>
        </div>
      </article>
    </FactsContext>
  );
}
