import type { ReactNode } from "react";
import { Link } from "react-router";
import { monthRange, periodName } from "../../domain/books/statement.ts";
import { grains, type Overview } from "../../domain/overview/overview.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { findOption, readPeriod } from "../features/admin/overview/period-query.ts";
import { PeriodSwitch } from "../features/admin/overview/period-switch.tsx";
import { formatDate } from "../features/admin/overview/period-text.ts";
import { SalesCard } from "../features/admin/overview/sales-card.tsx";
import { Tiles } from "../features/admin/overview/tiles.tsx";
import { ToDoList } from "../features/admin/overview/to-do-list.tsx";
import { useMayOpen } from "../features/admin/rights.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import type { Route } from "./+types/admin-overview";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Overview");

export const loader = adminLoader(async ({ request }: Route.LoaderArgs, read) => {
  const { query: period, params, problem } = readPeriod(request);
  const query = { ...period, by: findOption(grains, params.get("by")) };
  const [overview, toDo] = await Promise.all([
    read("GET /api/admin/overview", { query }),
    read("GET /api/admin/to-do"),
  ]);
  return {
    overview: overview.data,
    toDo: toDo.data,
    /** Time at which the data was read, ISO 8601. */
    now: new Date().toISOString(),
    /** Why the period in the URL is invalid; the default period is shown instead. */
    problem,
  };
});

/** The panel's first page: open tasks and sales figures. */
export default function OverviewTab({ loaderData }: Route.ComponentProps) {
  const { overview, toDo, now, problem } = loaderData;
  const { hasSold, attention, today } = overview;
  return (
    <AdminPage
      title="Overview"
      actions={<span className="text-small text-ink-muted max-lg:hidden">{formatDate(today, true)}</span>}
    >
      <div className="grid gap-6">
        <div className={`grid gap-6 ${hasSold ? "xl:grid-cols-[minmax(0,1.12fr)_minmax(0,1fr)]" : ""}`}>
          <ToDoList toDo={toDo} issues={attention} now={now} />
          {hasSold && (
            <section aria-labelledby="figures" className="grid grid-rows-[auto_1fr]">
              <PeriodSwitch id="figures" path="/admin" period={overview} problem={problem} />
              <Tiles overview={overview} />
            </section>
          )}
        </div>
        {hasSold ? <SalesCard overview={overview} /> : <FirstSteps />}
        {hasSold && <Facts overview={overview} />}
      </div>
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Overview", "Failed to load the overview");

const firstSteps = [
  { to: "/admin/products", label: "Check your product", why: "Its price, texts, pictures and stock" },
  {
    to: "/admin/settings",
    label: "Set shipping, tax and contact",
    why: "Every page and every order uses them",
  },
  {
    to: "/admin/notifications",
    label: "Choose your notifications",
    why: "By text and email, when an order comes in",
  },
];

/** Shown instead of the figures until something has been sold. */
function FirstSteps() {
  const mayOpen = useMayOpen();
  const steps = firstSteps.filter(({ to }) => mayOpen(to));
  return (
    <Card className="p-[clamp(1.25rem,1rem+2vw,2.5rem)]">
      <h2 className="text-h3">Nothing sold yet{steps.length > 0 && ": what to do first"}</h2>
      <p className="mt-2 max-w-150 text-ink-muted">
        Your sales, orders and donations appear here with the first paid order.
      </p>
      <ol className="mt-4 grid gap-1 max-sm:gap-3">
        {steps.map(({ to, label, why }, index) => (
          <li key={to} className="flex flex-wrap items-center gap-x-2">
            <Link to={to} className="link inline-flex min-h-11 items-center max-sm:-mb-2.5">
              {index + 1}. {label}
            </Link>
            <span className="text-small text-ink-muted max-sm:basis-full">{why}</span>
          </li>
        ))}
      </ol>
      {mayOpen("/admin/go-live") && (
        <ButtonLink to="/admin/go-live" size="small" className="mt-4">
          Run the go-live check
        </ButtonLink>
      )}
    </Card>
  );
}

/** Short facts below the tiles: donations, conversion from visit to order, sources, rating, and last month's books. */
function Facts({ overview }: { overview: Overview }) {
  const mayOpen = useMayOpen();
  const { from, to, today, donated, rating, figures, topSources } = overview;
  const { productViews, checkouts, paid } = figures.conversion;
  const { totalCents, sentCents, toSendCents, aheadCents } = donated;
  const count = (number: number) => number.toLocaleString("en-US");
  const [first, ...others] = topSources;
  return (
    <ul className="grid grid-cols-2 gap-x-6 gap-y-2 border-t border-line pt-2 text-small xl:auto-cols-fr xl:grid-flow-col xl:grid-cols-none">
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
      {first && (
        <Fact name="Most buyers came from" to={`/admin/sources?from=${from}&to=${to}`} value={first.name}>
          {count(first.orders)} {first.orders === 1 ? "order" : "orders"}
          {others.map(({ name, orders }) => `, ${name} ${count(orders)}`)}
        </Fact>
      )}
      <Fact
        name="Rating"
        to={mayOpen("/admin/reviews") ? "/admin/reviews" : null}
        value={rating.average === null ? "No reviews yet" : rating.average.toFixed(1)}
      >
        {rating.count > 0 && `${count(rating.count)} ${rating.count === 1 ? "review" : "reviews"}`}
      </Fact>
      {mayOpen("/admin/books") && (
        <Fact name="For your accountant" to="/admin/books" value={periodName(monthRange(today, -1))}>
          All files in one ZIP
        </Fact>
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
