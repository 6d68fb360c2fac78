import type { ReactNode } from "react";
import { Link } from "react-router";
import { monthOf, periodName } from "../../../../domain/books/statement.ts";
import type { Overview } from "../../../../domain/overview/overview.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { useMayOpen } from "../rights.ts";

/** Figures below the tiles: donations, conversion from visit to order, rating, and the books. */
export function Facts({ overview }: { overview: Overview }) {
  const mayOpen = useMayOpen();
  const { from, to, today, donated, rating, figures } = overview;
  const { productViews, checkouts, paid } = figures.conversion;
  const { totalCents, sentCents, toSendCents, aheadCents } = donated;
  const count = (number: number) => number.toLocaleString("en-US");
  return (
    <ul className="grid grid-cols-2 gap-x-6 gap-y-2 border-t border-line pt-2 text-small xl:grid-cols-5">
      <Fact name="Set aside so far" to="/admin/donations" value={formatCents(totalCents)}>
        {formatCents(sentCents)} sent,{" "}
        {aheadCents > 0
          ? `${formatCents(aheadCents)} of it in advance`
          : `${formatCents(toSendCents)} still to send`}
      </Fact>
      <Fact
        name="From visit to order"
        value={`${count(productViews)} ${productViews === 1 ? "visit" : "visits"}`}
      >
        {count(checkouts)} {checkouts === 1 ? "order" : "orders"} placed
        {productViews > 0 && ` (${Math.round((checkouts / productViews) * 1000) / 10}%)`}, {count(paid)} paid
      </Fact>
      <Fact
        name="Rating"
        to={mayOpen("/admin/reviews") ? "/admin/reviews" : null}
        value={rating.average === null ? "–" : rating.average.toFixed(1)}
      >
        {rating.count === 0
          ? "No reviews yet"
          : `${count(rating.count)} ${rating.count === 1 ? "review" : "reviews"}`}
      </Fact>
      {mayOpen("/admin/books") && (
        <>
          <Fact name="How it adds up" to={`/admin/books?from=${from}&to=${to}`} value="Line by line">
            From gross sales to net
          </Fact>
          <Fact name="For your accountant" to="/admin/books" value={periodName(monthOf(today, -1))}>
            All files in one ZIP
          </Fact>
        </>
      )}
    </ul>
  );
}

function Fact({
  name,
  value,
  to = null,
  children,
}: {
  name: string;
  value: string;
  to?: string | null;
  children: ReactNode;
}) {
  const lines = (
    <>
      <span className="block text-ink-muted">{name}</span>{" "}
      <span
        className={`block font-medium ${to === null ? "" : "text-link underline decoration-1 underline-offset-4"}`}
      >
        {value}
      </span>{" "}
      <span className="block text-ink-muted">{children}</span>
    </>
  );
  return (
    <li>
      {to === null ? (
        <div className="py-1.5">{lines}</div>
      ) : (
        <Link to={to} className="block py-1.5 no-underline">
          {lines}
        </Link>
      )}
    </li>
  );
}
