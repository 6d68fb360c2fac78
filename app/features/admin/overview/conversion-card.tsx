import type { Overview } from "../../../../domain/overview/overview.ts";
import { Card } from "../../../ui/card.tsx";
import { withinWords } from "./period-words.ts";

/** From looking to paying: three numbers, each with its share of the one before. */
export function ConversionCard({ overview }: { overview: Overview }) {
  const { productViews, checkouts, paid } = overview.figures.conversion;
  const steps = [
    { name: "Visits", count: productViews, share: null },
    { name: "Orders placed", count: checkouts, share: shareOf(checkouts, productViews, "of visits") },
    { name: "Of these, paid", count: paid, share: shareOf(paid, checkouts, "of orders placed") },
  ];
  return (
    <Card className="p-5 md:p-6">
      <h2 className="text-h3">From visit to order</h2>
      <ol className="mt-3 grid gap-1 sm:grid-cols-3 sm:gap-4">
        {steps.map(({ name, count, share }) => (
          <li key={name} className="grid grid-cols-[1fr_auto] items-baseline gap-x-2.5 sm:block">
            <span className="text-small text-ink-muted sm:block">{name}</span>
            <span className="type-display text-[1.5rem] lining-nums max-sm:text-right">
              {count.toLocaleString("en-US")}
            </span>
            {share && <span className="text-caption text-ink-muted sm:block">{share}</span>}
          </li>
        ))}
      </ol>
      <p className="mt-3 text-caption text-ink-muted">
        Counted {withinWords(overview)}: a visitor once an hour, on every page where a purchase can begin.
        Until November 2026 only product pages counted.
      </p>
    </Card>
  );
}

function shareOf(part: number, whole: number, words: string): string | null {
  return whole === 0 ? null : `${Math.round((part / whole) * 1000) / 10}% ${words}`;
}
