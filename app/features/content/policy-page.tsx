import type { ProductImage } from "../../../domain/catalog/product.ts";
import type { Block } from "../../../domain/content/blocks.ts";
import type { ShownContent } from "../../../domain/content/content.ts";
import type { ShownFacts } from "../../../domain/content/page-facts.ts";
import { Picture } from "../../ui/picture.tsx";
import { Prose } from "./blocks.tsx";
import { FactsContext, useFacts } from "./facts-context.tsx";

const parts = { deliveryTable: <DeliveryTable /> };

/** A page with title, lead and text, and optionally a picture beside the text. */
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
  return (
    <FactsContext value={facts}>
      <article className="wrap pb-(--section-y)">
        <header className="page-head">
          <h1>{heading}</h1>
          <p className="mt-4 max-w-text text-lead text-balance text-ink-muted">{lead}</p>
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
            <Prose blocks={blocks} parts={parts} />
          </div>
        </div>
      </article>
    </FactsContext>
  );
}

/** All shipping options of checkout: a table, or cards on narrow screens. */
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
            className="border-t border-line max-md:grid max-md:py-3 max-md:[&>*]:py-0.5 [&>td]:text-ink-muted"
          >
            <th scope="row" className="font-medium first-letter:uppercase">
              {place}
            </th>
            <td>{name}</td>
            <td>{days}</td>
            <td className="tabular-nums">
              {price}
              {freeFrom !== null && `, free over ${freeFrom}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
