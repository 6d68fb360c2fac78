import type { ReactNode } from "react";
import { Link } from "react-router";
import { monthOf, periodName } from "../../../../domain/books/statement.ts";
import type { Overview } from "../../../../domain/overview/overview.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { useMayOpen } from "../rights.ts";
import { withinWords } from "./period-words.ts";

/** What is worth a line but no tile: the way from visit to order, giving, rating, and the books. */
export function Facts({ overview }: { overview: Overview }) {
  const mayOpen = useMayOpen();
  const { from, to, today, donated, rating, figures } = overview;
  const { productViews, checkouts, paid } = figures.conversion;
  const { totalCents, sentCents, toSendCents, aheadCents } = donated;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 border-t border-line pt-4 text-small xl:grid-cols-4">
      <Fact name="Set aside so far" to="/admin/donations" value={formatCents(totalCents)}>
        {formatCents(sentCents)} sent,{" "}
        {aheadCents > 0
          ? `${formatCents(aheadCents)} of it ahead`
          : `${formatCents(toSendCents)} still to send`}
      </Fact>
      <Fact
        name="From visit to order"
        value={`${productViews.toLocaleString("en-US")} ${productViews === 1 ? "visit" : "visits"}`}
      >
        {checkouts.toLocaleString("en-US")} {checkouts === 1 ? "order" : "orders"} placed
        {productViews > 0 && ` (${Math.round((checkouts / productViews) * 1000) / 10}%)`},{" "}
        {paid.toLocaleString("en-US")} of them paid, {withinWords(overview)}
      </Fact>
      <Fact
        name="Rating"
        {...(mayOpen("/admin/reviews") && { to: "/admin/reviews" })}
        value={rating.average === null ? "No reviews yet" : rating.average.toFixed(1)}
      >
        {rating.count > 0 &&
          `of ${rating.count.toLocaleString("en-US")} ${rating.count === 1 ? "review" : "reviews"}`}
      </Fact>
      {mayOpen("/admin/books") && (
        <Fact name="Books" to={`/admin/books?from=${from}&to=${to}`} value="How it adds up">
          <Link to="/admin/books" className="link inline-flex min-h-6 items-center">
            {periodName(monthOf(today, -1))} for your accountant
          </Link>
        </Fact>
      )}
    </dl>
  );
}

function Fact({
  name,
  value,
  to,
  children,
}: {
  name: string;
  value: string;
  to?: string;
  children: ReactNode;
}) {
  return (
    <div>
      <dt className="text-ink-muted">{name}</dt>
      <dd>
        {to === undefined ? (
          <span className="font-medium">{value}</span>
        ) : (
          <Link to={to} className="link inline-flex min-h-6 items-center font-medium">
            {value}
          </Link>
        )}
        <span className="block text-ink-muted">{children}</span>
      </dd>
    </div>
  );
}
