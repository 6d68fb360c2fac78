import type { ReactNode } from "react";
import type { Overview } from "../../../../domain/overview/overview.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Card } from "../../../ui/card.tsx";

/** The four figures of the period, each with its change from the previous period. */
export function Tiles({ overview }: { overview: Overview }) {
  const { figures, changes, before } = overview;
  // A previous period that began before the first sale would make any change look like growth.
  const isComparable = before.soldFrom !== null && before.soldFrom <= before.from;
  const money = (cents: number | null) => (cents === null ? "–" : formatCents(cents));
  const count = (number: number) => number.toLocaleString("en-US");
  const comparisonWith = (percent: number | null, from: string) =>
    isComparable && percent !== null ? { percent, from } : null;
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-4 xl:h-full xl:grid-cols-2">
      <Tile
        name="Net"
        value={money(figures.netCents)}
        comparison={comparisonWith(changes.net, money(before.figures.netCents))}
      >
        after refunds
      </Tile>
      <Tile
        name="Sales"
        value={money(figures.salesCents)}
        comparison={comparisonWith(changes.sales, money(before.figures.salesCents))}
      >
        goods, after discounts
      </Tile>
      <Tile
        name="Orders"
        value={count(figures.orders)}
        comparison={comparisonWith(changes.orders, count(before.figures.orders))}
      >
        paid
      </Tile>
      <Tile
        name="Average order"
        value={money(figures.averageCents)}
        comparison={comparisonWith(changes.average, money(before.figures.averageCents))}
      >
        before shipping
      </Tile>
    </dl>
  );
}

/** A figure on one line, in the largest size that fits its tile. */
function Tile({
  name,
  value,
  comparison,
  children,
}: {
  name: string;
  value: string;
  comparison: { percent: number; from: string } | null;
  children: ReactNode;
}) {
  // A character is about .52 em wide, so that `100 / .52`, about 190, divided by the length fills the width.
  const fontSizeCqi = Math.floor(190 / Math.max(value.length, 1));
  return (
    <Card className="flex flex-col justify-center px-4 py-3.5">
      <dt className="text-small text-ink-muted">{name}</dt>
      <dd className="@container">
        <span
          className="block type-display leading-tight whitespace-nowrap lining-nums"
          style={{ fontSize: `min(2.25rem, ${fontSizeCqi}cqi)` }}
        >
          {value}
        </span>
        <span className="block text-caption text-ink-muted">{children}</span>
        {comparison && (
          <span className="block text-caption text-ink-muted">
            <span className={`font-semibold ${trendClass(comparison.percent)}`}>
              {percentText(comparison.percent)}
            </span>{" "}
            from <span className="whitespace-nowrap">{comparison.from}</span>
          </span>
        )}
      </dd>
    </Card>
  );
}

function trendClass(percent: number): string {
  if (percent === 0) return "";
  return percent > 0 ? "text-success" : "text-danger";
}

/** Such as "+12%" or "−4%"; small changes have one decimal. */
function percentText(percent: number): string {
  const size = Math.abs(percent);
  const digits = size.toLocaleString("en-US", { maximumFractionDigits: size < 10 ? 1 : 0 });
  return `${percent > 0 ? "+" : percent < 0 ? "−" : ""}${digits}%`;
}
