import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Overview } from "../../../../domain/sales/overview.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Card } from "../../../ui/card.tsx";
import { changeWords, periodWords } from "./period-words.ts";

/** The figures of the period, each with what it is compared with. */
export function Tiles({ overview }: { overview: Overview }) {
  const { figures, changes, before, rating, waitingToShip } = overview;
  const hasDisputes = figures.chargebacks > 0 || figures.disputeFeeCents > 0;
  return (
    <section aria-label={`Figures, ${periodWords(overview)}`}>
      <dl
        className={`grid grid-cols-2 gap-3 md:grid-cols-3 md:gap-4 ${hasDisputes ? "xl:grid-cols-6" : "*:last:max-xl:col-span-2 xl:grid-cols-5"}`}
      >
        <Tile
          name="Sales"
          value={formatCents(figures.salesCents)}
          compared={changeWords(changes.sales, before)}
        >
          {periodWords(overview)}, without shipping
        </Tile>
        <Tile
          name="Orders"
          value={figures.orders.toLocaleString("en-US")}
          compared={changeWords(changes.orders, before)}
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
          compared={changeWords(changes.average, before)}
        >
          before shipping
        </Tile>
        <Tile
          name="Refunds"
          value={formatCents(figures.refundedCents)}
          compared={changeWords(changes.refunded, before)}
        >
          {figures.refunds === 1 ? "1 refund" : `${figures.refunds.toLocaleString("en-US")} refunds`} went
          through
        </Tile>
        {hasDisputes && (
          <Tile name="Chargebacks" value={formatCents(figures.chargedBackCents)} compared={null}>
            {figures.chargebacks === 1
              ? "1 dispute lost"
              : `${figures.chargebacks.toLocaleString("en-US")} disputes lost`}
            ; fees {formatCents(figures.disputeFeeCents)}
          </Tile>
        )}
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
      <dd>
        <span
          className={`block type-display leading-tight lining-nums wrap-anywhere ${value.length > 9 ? "text-[1.125rem] md:text-[1.25rem] 2xl:text-[1.75rem]" : "text-[clamp(1.375rem,1rem+1.5vw,2rem)]"}`}
        >
          {value}
        </span>
        <span className="block text-caption text-ink-muted">{children}</span>
        {compared && <span className="mt-1 block text-caption">{compared}</span>}
      </dd>
    </Card>
  );
}
