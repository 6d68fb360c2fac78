import { useId } from "react";
import { Form, Link } from "react-router";
import type { Books } from "../../../../domain/books/books.ts";
import { bookFiles } from "../../../../domain/books/exports.ts";
import { countryName } from "../../../../domain/shared/country.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { addDays } from "../../../../domain/shared/zoned-days.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Field } from "../../../ui/field.tsx";
import { AdminPage } from "../kit/admin-page.tsx";
import { type Column, DataTable } from "../kit/list/data-table.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { signedCents } from "../kit/sum-row.tsx";
import { dayWords } from "../overview/period-words.ts";
import { Statement } from "../overview/statement.tsx";
import { ExportFile } from "./export-file.tsx";

/** The books of a period for the accountant: figures, tax, the provider's balance, documents and files. */
export function BooksPage({ books, problem }: { books: Books; problem: string | null }) {
  const { from, to, figures, tax, balance, invoices } = books;
  return (
    <AdminPage title="Accountant">
      <div className="grid gap-4 md:gap-5">
        <PeriodForm books={books} problem={problem} />
        <p className="text-small text-ink-muted">
          {dayWords(from, true)} to {dayWords(to, true)}, days of {books.timeZone.replaceAll("_", " ")}.
        </p>
        <Statement figures={figures} />
        <div className="grid items-start gap-4 md:gap-5 xl:grid-cols-2">
          <TaxTable tax={tax} />
          <BalanceCard balance={balance} />
        </div>
        <Card className="p-5 md:p-6">
          <h2 className="text-h3">Files</h2>
          <ul className="mt-2 divide-y divide-line">
            {bookFiles.map((file) => (
              <ExportFile key={`${file} ${from} ${to}`} file={file} from={from} to={to} />
            ))}
            <li className="grid gap-x-4 gap-y-1 py-3 sm:grid-cols-[1fr_auto] sm:items-center">
              <div>
                <p className="font-medium">Invoices and credit notes</p>
                <p className="text-small text-ink-muted">
                  {invoices === 0
                    ? "None was issued in this time."
                    : `${invoices.toLocaleString("en-US")} ${invoices === 1 ? "document" : "documents"} as PDF.`}
                </p>
              </div>
              {invoices > 0 && (
                <ButtonLink
                  variant="secondary"
                  size="small"
                  to={`/api/admin/invoices.zip?from=${from}&to=${to}`}
                  reloadDocument
                  download
                >
                  ZIP
                </ButtonLink>
              )}
            </li>
          </ul>
        </Card>
      </div>
    </AdminPage>
  );
}

function PeriodForm({ books, problem }: { books: Books; problem: string | null }) {
  const id = useId();
  return (
    <Card className="p-4 md:p-5">
      <ul className="flex flex-wrap gap-x-5" aria-label="Periods">
        {presetsOf(books.today).map(({ label, from, to }) => (
          <li key={label}>
            <Link
              to={`/admin/books?from=${from}&to=${to}`}
              preventScrollReset
              state={{ keepsFocus: true }}
              aria-current={from === books.from && to === books.to ? "true" : undefined}
              className="inline-flex min-h-11 items-center text-ui font-medium text-ink-muted no-underline hover:text-ink aria-[current=true]:text-ink aria-[current=true]:underline"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
      <Form
        key={`${books.from} ${books.to}`}
        id={id}
        action="/admin/books"
        className="mt-2 grid items-start gap-4 min-[380px]:grid-cols-2 min-[560px]:grid-cols-[1fr_1fr_auto]"
        preventScrollReset
      >
        <Field label="First day" name="from" type="date" required defaultValue={books.from} />
        <Field
          label="Last day"
          name="to"
          type="date"
          required
          defaultValue={books.to}
          error={problem ?? undefined}
        />
        <Button
          type="submit"
          className="min-[380px]:max-[560px]:col-span-2 min-[560px]:mt-6.5 min-[560px]:min-h-12.5!"
        >
          Show
        </Button>
      </Form>
    </Card>
  );
}

function presetsOf(today: string): { label: string; from: string; to: string }[] {
  const month = `${today.slice(0, 7)}-01`;
  const lastDay = addDays(month, -1);
  const year = Number(today.slice(0, 4));
  return [
    { label: "This month", from: month, to: today },
    { label: "Last month", from: `${lastDay.slice(0, 7)}-01`, to: lastDay },
    { label: "This year", from: `${year}-01-01`, to: today },
    { label: "Last year", from: `${year - 1}-01-01`, to: `${year - 1}-12-31` },
  ];
}

type TaxRow = Books["tax"][number];

function TaxTable({ tax }: { tax: readonly TaxRow[] }) {
  return (
    <section aria-labelledby="tax-by-place" className="min-w-0">
      <h2 id="tax-by-place" className="mb-3 text-h3">
        Tax by place
      </h2>
      <DataTable
        caption="Tax by country and state, net of refunds"
        columns={taxColumns}
        rows={[...tax]}
        rowKey={({ country, state }) => `${country} ${state}`}
        empty={
          <p className="rounded-md border border-line bg-surface p-5 text-ink-muted">
            Nothing was sold in this time.
          </p>
        }
      />
    </section>
  );
}

const taxColumns: Column<TaxRow>[] = [
  {
    key: "place",
    header: "Place",
    cell: ({ country, state }) =>
      country === null ? "Not known" : [state, countryName(country) ?? country].filter(Boolean).join(", "),
  },
  {
    key: "sold",
    header: "Sales less refunds",
    align: "right",
    cell: ({ soldCents, soldBackCents }) => signedCents(soldCents - soldBackCents),
  },
  { key: "tax", header: "Tax", align: "right", cell: ({ taxCents }) => formatCents(taxCents) },
  { key: "back", header: "Refunded", align: "right", cell: ({ taxBackCents }) => signedCents(-taxBackCents) },
  {
    key: "net",
    header: "Tax owed",
    align: "right",
    cell: ({ taxCents, taxBackCents }) => <b>{signedCents(taxCents - taxBackCents)}</b>,
  },
];

function BalanceCard({ balance }: { balance: Books["balance"] }) {
  const { chargesCents, refundsCents, disputesCents, feesCents, payoutsCents, otherCents } = balance;
  const change = chargesCents - refundsCents - disputesCents - feesCents - payoutsCents + otherCents;
  const lines: [name: string, cents: number][] = [
    ["Payments", chargesCents],
    ["Refunds", -refundsCents],
    ["Disputes", -disputesCents],
    ["Fees", -feesCents],
    ...(otherCents === 0 ? [] : [["Other movements", otherCents] as [string, number]]),
    ["Payouts to your bank", -payoutsCents],
  ];
  return (
    <Card className="p-5 md:p-6">
      <h2 className="text-h3">At your payment provider</h2>
      {balance.readUntil === null ? (
        <p className="mt-2 text-ink-muted">
          Fees and payouts are read every hour, once there was a payment and the provider’s keys allow it.
        </p>
      ) : (
        <>
          <dl className="mt-2">
            {lines.map(([name, cents]) => (
              <div key={name} className="flex items-baseline justify-between gap-4 py-1.5">
                <dt>{name}</dt>
                <dd className="whitespace-nowrap tabular-nums">{signedCents(cents)}</dd>
              </div>
            ))}
            <div className="flex items-baseline justify-between gap-4 border-t border-line py-1.5 font-semibold">
              <dt>Change of the balance</dt>
              <dd className="whitespace-nowrap tabular-nums">{signedCents(change)}</dd>
            </div>
          </dl>
          <p className="mt-2 text-caption text-ink-muted">
            By the day on which the provider moved it. Read until{" "}
            <ShortDay iso={balance.readUntil} withTime />.
          </p>
        </>
      )}
    </Card>
  );
}
