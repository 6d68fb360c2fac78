import type { ProductImage } from "../../../domain/catalog/product.ts";
import type { Block } from "../../../domain/content/blocks.ts";
import type { ShownContent } from "../../../domain/content/content.ts";
import type { ShownFacts } from "../../../domain/content/page-facts.ts";
import { Disclosure } from "../../ui/disclosure.tsx";
import { Picture } from "../../ui/picture.tsx";
import { Prose } from "./blocks.tsx";
import { FactsContext, useFacts } from "./facts-context.tsx";

const parts = { deliveryTable: <DeliveryTable /> };

/** A text with fewer headings is short enough to scroll through. */
const minFoldedTopics = 4;

/** A page with title, lead and text; beside the text is a picture, or links to its headings. */
export function PolicyPage({
  head: { heading, lead },
  facts,
  picture,
  blocks,
}: {
  head: ShownContent;
  facts: ShownFacts;
  picture?: ProductImage;
  blocks: Block[];
}) {
  const topics = blocks.flatMap((block) =>
    block.kind === "heading" && block.level < 3
      ? [{ id: block.id, title: block.words.map(({ text }) => text).join("") }]
      : [],
  );
  return (
    <FactsContext value={facts}>
      <article className="wrap pb-(--section-y)">
        <header className="page-head">
          <h1>{heading}</h1>
          <p className="mt-4 max-w-text text-lead text-balance text-ink-muted">{lead}</p>
        </header>
        <div
          className={`grid gap-10 lg:gap-[clamp(3rem,7vw,7rem)] ${picture ? "lg:grid-cols-[minmax(0,var(--container-form))_minmax(0,1fr)]" : "lg:grid-cols-[minmax(0,4.4fr)_minmax(0,7fr)] lg:items-baseline"}`}
        >
          {picture ? (
            <div className="aspect-3/2 self-start overflow-hidden bg-cream lg:sticky lg:top-28 lg:order-2 lg:aspect-4/5">
              <Picture
                image={picture}
                sizes="(min-width: 64rem) 30rem, calc(100vw - 2.5rem)"
                className="size-full object-cover"
              />
            </div>
          ) : (
            <>
              <Topics topics={topics} className="lg:sticky lg:top-[calc(var(--header-h-scrolled)+3rem)]" />
              <FoldedTopics topics={topics} />
            </>
          )}
          <div className="max-w-form [&_:is(p,ol,ul)]:max-w-text">
            <Prose blocks={blocks} parts={parts} />
          </div>
        </div>
      </article>
    </FactsContext>
  );
}

type Topic = { id: string; title: string; count?: number };

/** Links to the headings of the text, on large screens; `count` is the number of questions below a heading. */
export function Topics({ topics, className }: { topics: readonly Topic[]; className: string }) {
  return (
    <nav
      aria-label="Topics"
      className={`divide-y divide-line border-y border-line empty:invisible max-lg:hidden ${className}`}
    >
      {topics.map((topic) => (
        <TopicLink key={topic.id} topic={topic} />
      ))}
    </nav>
  );
}

/** The same links on small screens, folded, because otherwise the text would begin far below them. */
function FoldedTopics({ topics }: { topics: readonly Topic[] }) {
  if (topics.length < minFoldedTopics) return null;
  return (
    <nav aria-label="On this page" className="border-t border-line lg:hidden print:hidden">
      <Disclosure title="On this page">
        <div className="-mt-2 grid">
          {topics.map((topic) => (
            <TopicLink key={topic.id} topic={topic} />
          ))}
        </div>
      </Disclosure>
    </nav>
  );
}

function TopicLink({ topic: { id, title, count } }: { topic: Topic }) {
  return (
    <a
      href={`#${id}`}
      className="flex min-h-12 items-center justify-between gap-4 py-2 leading-snug text-ink underline-offset-[.25em] hover:underline"
    >
      {title}
      <span className="text-small text-ink-muted tabular-nums">{count}</span>
    </a>
  );
}

/** All shipping options of checkout as a table; on narrow screens, each takes two lines. */
export function DeliveryTable() {
  const { delivery } = useFacts();
  return (
    <table className="w-full text-left text-base max-md:block md:[&_td]:py-2.5 md:[&_th]:py-2.5">
      <thead className="max-md:sr-only">
        <tr className="[&>th]:font-medium">
          <th scope="col">To</th>
          <th scope="col">Option</th>
          <th scope="col">Delivery</th>
          <th scope="col">Price</th>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {delivery.map(({ id, place, name, days, price, freeFrom }) => (
          <tr
            key={`${place} ${id}`}
            className="border-t border-line grid-cols-[1fr_auto] gap-x-4 max-md:grid max-md:py-3 max-md:[&>*]:py-0.5 [&>td]:text-ink-muted"
          >
            <th scope="row" className="font-medium first-letter:uppercase">
              {place}
            </th>
            <td className="justify-self-end">{name}</td>
            <td>{days}</td>
            <td className="justify-self-end tabular-nums">
              {price}
              {freeFrom !== null && `, free over ${freeFrom}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
