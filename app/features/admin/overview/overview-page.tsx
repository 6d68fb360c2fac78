import { useId } from "react";
import { Form, Link, useSearchParams } from "react-router";
import type { Overview } from "../../../../domain/overview/overview.ts";
import type { ToDo } from "../../../../domain/overview/to-do.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Field } from "../../../ui/field.tsx";
import { IssueList } from "../issues/issue-list.tsx";
import { AdminPage } from "../kit/admin-page.tsx";
import { useMayOpen } from "../rights.ts";
import { DonationsSent } from "../sales/donation-summary.tsx";
import { ConversionCard, DonationsCard, LatestMessage, WaitingToShip } from "./cards.tsx";
import { SalesCard } from "./sales-card.tsx";
import { Tiles } from "./tiles.tsx";
import { ToDoList } from "./to-do-list.tsx";

export type OverviewPageData = {
  overview: Overview;
  toDo: ToDo;
  /** Time at which the data was read, ISO 8601. */
  now: string;
  /** Why the period in the address is invalid; the default period is shown instead. */
  problem: string | null;
};

/** The panel's first page: open work, then the sales figures. */
export function OverviewPage({ overview, toDo, now, problem }: OverviewPageData) {
  const { hasSold, attention } = overview;
  const mayOpen = useMayOpen();
  return (
    <AdminPage title="Overview" actions={hasSold && <PeriodSwitch overview={overview} problem={problem} />}>
      <div className="grid gap-4 md:gap-5">
        <ToDoList toDo={toDo} now={now} />
        {attention.length > 0 && (
          <section aria-labelledby="attention" className="scroll-mt-4">
            <h2 id="attention" className="mb-3 text-h3">
              Needs attention
            </h2>
            <IssueList issues={attention} />
          </section>
        )}
        {hasSold ? (
          <>
            <Tiles overview={overview} />
            <div className="grid gap-4 md:gap-5 xl:grid-cols-[2fr_1fr]">
              <SalesCard overview={overview} />
              <DonationsCard overview={overview} />
            </div>
          </>
        ) : (
          <FirstSteps />
        )}
        <div className="grid items-start gap-4 md:gap-5 xl:grid-cols-[2fr_1fr]">
          <div className="grid min-w-0 gap-4 md:gap-5">
            {hasSold && <WaitingToShip waiting={overview.waitingToShip} />}
            <ConversionCard overview={overview} />
          </div>
          <div className="grid gap-4 md:gap-5">
            {mayOpen("/admin/messages") && <LatestMessage message={overview.latestMessage} />}
            <DonationsSent donations={overview.donated.latest} />
          </div>
        </div>
      </div>
    </AdminPage>
  );
}

const firstSteps = [
  { to: "/admin/products", label: "Look over your product", why: "its price, words, pictures and stock" },
  {
    to: "/admin/settings",
    label: "Set shipping, tax and contact",
    why: "every page and every order follows them",
  },
  {
    to: "/admin/notifications",
    label: "Choose how you are told",
    why: "by text and email, when an order comes in",
  },
];

/** First steps, shown in place of the figures until something is sold. */
function FirstSteps() {
  const mayOpen = useMayOpen();
  const steps = firstSteps.filter(({ to }) => mayOpen(to));
  return (
    <Card className="p-[clamp(1.25rem,1rem+2vw,2.5rem)]">
      <h2 className="text-h3">Nothing sold yet{steps.length > 0 && ": what to do first"}</h2>
      <p className="mt-2 max-w-150 text-ink-muted">
        Your sales, orders and donations appear here with the first paid order.
      </p>
      <ol className="mt-4 grid gap-1">
        {steps.map(({ to, label, why }, index) => (
          <li key={to} className="flex flex-wrap items-center gap-x-2">
            <Link to={to} className="link inline-flex min-h-11 items-center">
              {index + 1}. {label}
            </Link>
            <span className="text-small text-ink-muted">{why}</span>
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

const namedPeriods = [
  ["7d", "7 days"],
  [null, "30 days"],
  ["12m", "12 months"],
] as const;

/** Chooses the period: three presets or any dates. `problem`: why the period in the address is invalid. */
function PeriodSwitch({ overview, problem }: { overview: Overview; problem: string | null }) {
  const [search] = useSearchParams();
  const id = useId();
  const isOwn = search.has("from") || search.has("to");
  return (
    <div className="flex flex-wrap items-center gap-x-4 sm:justify-end">
      <nav aria-label="Period" className="max-w-full overflow-x-auto rounded-sm [scrollbar-width:none]">
        <ul className="inline-flex gap-0.5 rounded-sm bg-cream p-0.75">
          {namedPeriods.map(([value, label]) => (
            <li key={label}>
              <Link
                to={value === null ? "/admin" : `/admin?period=${value}`}
                preventScrollReset
                state={{ keepsFocus: true }}
                aria-current={!isOwn && search.get("period") === value ? "true" : undefined}
                className="flex min-h-11 items-center rounded-[3px] px-3.5 text-small font-medium whitespace-nowrap no-underline -outline-offset-2! aria-[current=true]:bg-surface aria-[current=true]:shadow-header forced-colors:aria-[current=true]:underline"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <details open={isOwn || problem !== null} className="text-small open:basis-full">
        <summary className="link flex min-h-11 cursor-pointer list-none items-center sm:justify-end [&::-webkit-details-marker]:hidden">
          Other days
        </summary>
        <Form
          method="get"
          action="/admin"
          preventScrollReset
          className="grid grid-cols-2 items-start gap-2.5 pt-1 sm:grid-cols-[10rem_10rem_auto]"
        >
          <Field
            key={overview.from}
            id={`${id}-from`}
            name="from"
            type="date"
            label="First day"
            required
            defaultValue={search.get("from") ?? overview.from}
            max={overview.today}
            error={problem}
          />
          <Field
            key={`${overview.to}-to`}
            id={`${id}-to`}
            name="to"
            type="date"
            label="Last day"
            required
            defaultValue={search.get("to") ?? overview.to}
            max={overview.today}
          />
          <Button type="submit" size="small" variant="secondary" className="min-h-12.5! sm:mt-6.5">
            Show
          </Button>
        </Form>
      </details>
    </div>
  );
}
