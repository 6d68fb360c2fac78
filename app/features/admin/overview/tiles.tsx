import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Overview } from "../../../../domain/overview/overview.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Card } from "../../../ui/card.tsx";
import { changeWords, dayWords, periodWords } from "./period-words.ts";
import { Statement } from "./statement.tsx";

/** The figures of the period, each with its change from the period before. */
export function Tiles({ overview }: { overview: Overview }) {
  const { figures, changes, before, rating, waitingToShip } = overview;
  // Days from before the first sale would make any change look like growth.
  const isComparable = before.soldFrom !== null && before.soldFrom <= before.from;
  const compared = (change: number | null) => (isComparable ? changeWords(change, before) : null);
  const { netCents, salesCents, refundedCents } = figures;
  // All figures have the size in which the longest fits on one line.
  const longest = Math.max(
    ...[netCents, salesCents, refundedCents].map((cents) => formatCents(cents).length),
  );
  return (
    <section aria-label={`Figures, ${periodWords(overview)}`} className="grid gap-3 md:gap-4">
      <dl
        data-length={longest > 11 ? "huge" : longest > 9 ? "long" : longest > 7 ? "usual" : "short"}
        className="group grid grid-cols-2 gap-3 md:grid-cols-3 md:gap-4 xl:grid-cols-6"
      >
        <Tile name="Net" value={formatCents(figures.netCents)} compared={compared(changes.net)}>
          {periodWords(overview)}, after refunds
        </Tile>
        <Tile name="Sales" value={formatCents(figures.salesCents)} compared={compared(changes.sales)}>
          goods, after discounts
        </Tile>
        <Tile
          name="Orders"
          value={figures.orders.toLocaleString("en-US")}
          compared={compared(changes.orders)}
        >
          {waitingToShip.count === 0 ? (
            "None waits to ship"
          ) : (
            <Link to="/admin/orders?status=to_ship" className="link">
              {waitingToShip.count >= 100 ? "99+" : waitingToShip.count} waiting to ship
            </Link>
          )}
        </Tile>
        <Tile
          name="Average order"
          value={figures.averageCents === null ? "–" : formatCents(figures.averageCents)}
          compared={compared(changes.average)}
        >
          before shipping
        </Tile>
        <Tile name="Refunds" value={formatCents(figures.refundedCents)} compared={compared(changes.refunded)}>
          {figures.refunds === 1 ? "1 refund" : `${figures.refunds.toLocaleString("en-US")} refunds`} went
          through
        </Tile>
        <Tile name="Rating" value={rating.average === null ? "–" : rating.average.toFixed(1)} compared={null}>
          {rating.count === 0 ? (
            "No reviews yet"
          ) : (
            <Link to="/admin/reviews" className="link">
              {rating.count === 1 ? "1 review" : `${rating.count.toLocaleString("en-US")} reviews`}
            </Link>
          )}
        </Tile>
      </dl>
      {!isComparable && before.soldFrom !== null && (
        <p className="text-small text-ink-muted">
          Not compared with {dayWords(before.from, true)} to {dayWords(before.to, true)}: the first sale was
          on {dayWords(before.soldFrom, true)}.
        </p>
      )}
      <Statement figures={figures} />
    </section>
  );
}

function Tile({
  name,
  value,
  compared,
  children,
}: {
  name: string;
  value: string;
  compared: string | null;
  children: ReactNode;
}) {
  return (
    <Card className="p-4 md:p-5">
      <dt className="text-small text-ink-muted">{name}</dt>
      <dd className="@container">
        <span className="block type-display text-[min(2rem,28cqi)] leading-tight whitespace-nowrap lining-nums group-data-[length=huge]:text-[min(1.75rem,15cqi)] group-data-[length=long]:text-[min(1.75rem,18cqi)] group-data-[length=usual]:text-[min(2rem,22cqi)]">
          {value}
        </span>
        <span className="block text-caption text-ink-muted">{children}</span>
        {compared && <span className="mt-1 block text-caption">{compared}</span>}
      </dd>
    </Card>
  );
}
