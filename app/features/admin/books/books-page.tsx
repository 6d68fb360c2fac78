import CalendarDays from "lucide-react/icons/calendar-days";
import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import Download from "lucide-react/icons/download";
import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import type { Books } from "../../../../domain/books/books.ts";
import { bookFiles } from "../../../../domain/books/exports.ts";
import { countText, monthRange, periodName, salesStatement } from "../../../../domain/books/statement.ts";
import type { SalesFigures } from "../../../../domain/overview/overview.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { AdminPage } from "../kit/admin-page.tsx";
import { signedCents } from "../kit/rows/sum-row.tsx";
import { BalanceCard, TaxTable } from "./book-tables.tsx";
import { ExportFile } from "./export-file.tsx";

/** The books of a period for the accountant: one archive of everything, figures, tax and the provider's balance. */
export function BooksPage({ books, problem }: { books: Books; problem: string | null }) {
  const { figures, tax, balance, payouts } = books;
  return (
    <AdminPage title="Accountant">
      <PeriodChoice books={books} problem={problem} />
      <div className="stack items-start gap-4 xl:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)] xl:gap-5">
        <div className="grid gap-4 max-xl:contents">
          <Statement figures={figures} postageCents={books.postageCents} />
          <TaxTable tax={tax} />
          <SingleFiles books={books} />
        </div>
        <div className="grid gap-4 max-xl:contents">
          <ArchiveCard books={books} />
          <BalanceCard balance={balance} payouts={payouts} />
        </div>
      </div>
    </AdminPage>
  );
}

/** Everything in one file, for the accountant. */
function ArchiveCard({ books: { from, to, figures, tax, payouts, invoices } }: { books: Books }) {
  const contents: [name: string, count: number][] = [
    ["Cover page", 1],
    ["Orders", figures.orders],
    ["PDF documents", invoices],
    ["Refunds", figures.refunds],
    ["Tax places", tax.length],
    ["Payouts", payouts.count],
  ];
  return (
    <section
      aria-labelledby="archive"
      className="on-dark rounded-md bg-forest-800 text-ink-on-dark max-xl:-order-1"
    >
      <div className="p-4 md:p-5">
        <h2 id="archive" className="card-title">
          {periodName({ from, to })} for your accountant
        </h2>
        <p className="mt-1.5 mb-4 text-small text-ink-on-dark-muted">
          One ZIP with every file, and a cover page that lists them and these sums.
        </p>
        <a
          href={`/api/admin/books.zip?from=${from}&to=${to}`}
          download
          className={buttonClass({ variant: "on-dark", block: true })}
        >
          <Icon glyph={Download} size="small" /> Download ZIP
        </a>
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-1.5 border-t border-cream/15 p-4 text-small text-ink-on-dark-muted md:px-5">
        {contents.map(([name, count]) => (
          <div key={name} className="flex items-baseline justify-between gap-2">
            <dt>{name}</dt>
            <dd className="tabular-nums">{count.toLocaleString("en-US")}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The same files one by one. */
function SingleFiles({ books: { from, to, invoices } }: { books: Books }) {
  return (
    <Card className="px-4 max-xl:order-1 *:border-b-0 md:px-5">
      <Disclosure title="Single files">
        <ul className="-mr-8 divide-y divide-line text-ink">
          {bookFiles.map((file) => (
            <ExportFile key={`${file} ${from} ${to}`} file={file} from={from} to={to} />
          ))}
          {invoices > 0 && (
            <li className="grid grid-cols-[1fr_auto] items-center gap-x-4 py-3">
              <div>
                <p className="font-medium">Invoices and credit notes</p>
                <p className="text-small text-ink-muted">{countText(invoices, "document")} as PDF.</p>
              </div>
              <a
                href={`/api/admin/invoices.zip?from=${from}&to=${to}`}
                download
                className={buttonClass({ variant: "secondary", size: "small" })}
              >
                <Icon glyph={Download} size="small" /> PDFs
              </a>
            </li>
          )}
        </ul>
      </Disclosure>
    </Card>
  );
}

/** The period's name, with links to the months before and after it; the choice of other periods is collapsed. */
function PeriodChoice({ books, problem }: { books: Books; problem: string | null }) {
  const { from, to, today, timeZone } = books;
  const name = periodName({ from, to });
  const previousMonth = monthRange(from, -1);
  const nextMonth = monthRange(to, 1);
  const isMonth = name === periodName(monthRange(from));
  return (
    <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
      <div className="flex flex-wrap items-center gap-2">
        <MonthLink month={previousMonth}>
          <Icon glyph={ChevronLeft} />
        </MonthLink>
        <h2
          className="min-w-[min(9.5rem,39vw)] px-1 text-center type-display text-[1.5rem] leading-tight lining-nums"
          title={`Days of ${timeZone.replaceAll("_", " ")}`}
        >
          {name}
        </h2>
        {nextMonth.from <= today && (
          <MonthLink month={nextMonth}>
            <Icon glyph={ChevronRight} />
          </MonthLink>
        )}
      </div>
      <details open={!isMonth || problem !== null} className="max-w-full open:basis-full">
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-1.5 text-ui font-medium text-link xl:justify-end [&::-webkit-details-marker]:hidden">
          <Icon glyph={CalendarDays} size="small" /> Quarter, year or other days
        </summary>
        <Card className="mt-2 p-4">
          <ul className="-mt-2 flex flex-wrap gap-x-5" aria-label="Periods">
            {periodPresets(today).map(({ label, ...preset }) => (
              <li key={label}>
                <Link
                  to={booksUrl(preset)}
                  preventScrollReset
                  state={{ keepsFocus: true }}
                  aria-current={from === preset.from && to === preset.to ? "true" : undefined}
                  className="inline-flex min-h-11 items-center text-ui font-medium text-ink-muted no-underline hover:text-ink aria-[current=true]:text-ink aria-[current=true]:underline"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
          <Form
            key={`${from} ${to}`}
            action="/admin/books"
            className="mt-2 stack items-start gap-3 [&_input]:min-w-0 sm:grid-cols-[12rem_12rem_auto] sm:justify-start"
            preventScrollReset
          >
            <Field label="First day" name="from" type="date" required defaultValue={from} />
            <Field
              label="Last day"
              name="to"
              type="date"
              required
              defaultValue={to}
              error={problem ?? undefined}
            />
            <PanelButton type="submit" className="min-h-12.5! sm:mt-6.5">
              Show
            </PanelButton>
          </Form>
        </Card>
      </details>
    </div>
  );
}

type Days = { from: string; to: string };

function booksUrl({ from, to }: Days): string {
  return `/admin/books?from=${from}&to=${to}`;
}

function MonthLink({ month, children }: { month: Days; children: ReactNode }) {
  return (
    <Link
      to={booksUrl(month)}
      preventScrollReset
      aria-label={periodName(month)}
      className="inline-grid size-11 shrink-0 place-items-center rounded-sm border border-line-strong bg-surface hover:bg-cream-soft"
    >
      {children}
    </Link>
  );
}

function periodPresets(today: string): (Days & { label: string })[] {
  const year = Number(today.slice(0, 4));
  const monthsToQuarterStart = -((Number(today.slice(5, 7)) - 1) % 3);
  const quarterFrom = (months: number) => ({
    from: monthRange(today, monthsToQuarterStart + months).from,
    to: monthRange(today, monthsToQuarterStart + months + 2).to,
  });
  return [
    { label: "This month", ...monthRange(today) },
    { label: "Last month", ...monthRange(today, -1) },
    { label: "This quarter", ...quarterFrom(0) },
    { label: "Last quarter", ...quarterFrom(-3) },
    { label: "This year", from: `${year}-01-01`, to: `${year}-12-31` },
    { label: "Last year", from: `${year - 1}-01-01`, to: `${year - 1}-12-31` },
  ];
}

/** The calculation of net sales from gross sales. The signs are in a separate column, so that the figures line up. */
function Statement({ figures, postageCents }: { figures: SalesFigures; postageCents: number }) {
  const lines = salesStatement(figures);
  return (
    <Card className="p-[min(1rem,4.1vw)] md:p-5">
      <h2 id="adds-up" className="card-title">
        How it adds up
      </h2>
      <table aria-labelledby="adds-up" className="mt-1 w-full text-ui">
        <tbody>
          {lines.map(({ sign, name, cents, note }, index) => {
            const isNet = index === lines.length - 1;
            return (
              <tr
                key={name}
                className={`*:py-2 *:align-baseline ${
                  isNet
                    ? "font-semibold *:border-t-3 *:border-double *:border-ink"
                    : sign === "="
                      ? "font-semibold *:border-t *:border-line-strong"
                      : index > 0
                        ? "*:border-t *:border-line"
                        : ""
                }`}
              >
                <th scope="row" className={`text-left ${sign === "=" ? "font-semibold" : "font-normal"}`}>
                  <span className="grid grid-cols-[min(1.5rem,6.2vw)_minmax(0,1fr)] items-baseline wrap-anywhere">
                    <span>{sign || "\u00a0"}</span>
                    <span>{name}</span>
                    {note && (
                      <span className="col-start-2 text-caption font-normal text-ink-muted">{note}</span>
                    )}
                  </span>
                </th>
                <td
                  className={`pl-[min(1rem,4.1vw)] text-right whitespace-nowrap lining-nums tabular-nums ${
                    isNet ? "type-display text-[min(1.75rem,8.5vw)] leading-none font-normal" : ""
                  }`}
                >
                  {signedCents(cents)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="mt-2 text-caption text-ink-muted">
        Orders count on the day they were paid, refunds and chargebacks on their own day. The provider’s fees{" "}
        {postageCents === 0
          ? "are not in the net."
          : `are not in the net, nor are the labels you bought: ${formatCents(postageCents)} against ${formatCents(figures.shippingCents)} that buyers paid for shipping.`}
      </p>
    </Card>
  );
}
