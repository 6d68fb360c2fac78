import type { ReactNode } from "react";
import type { Books } from "../../../../domain/books/books.ts";
import { placeName } from "../../../../domain/shared/country.ts";
import { Card } from "../../../ui/card.tsx";
import { signedCents } from "../kit/rows/sum-row.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { formatDate } from "../overview/period-text.ts";

/** Tax by country and state, with the total. */
export function TaxTable({ tax }: { tax: Books["tax"] }) {
  const sum = (cents: (row: Books["tax"][number]) => number) =>
    tax.reduce((total, row) => total + cents(row), 0);
  // Without any tax, only the sales of each place are worth reading.
  const hasTax = tax.some(({ taxCents, taxBackCents }) => taxCents !== 0 || taxBackCents !== 0);
  return (
    <Card className="p-4 md:p-5">
      <h2 id="tax-by-place" className="card-title">
        Tax by place
      </h2>
      {tax.length === 0 ? (
        <p className="mt-1 text-ui text-ink-muted">Nothing was sold in this period.</p>
      ) : (
        <div className="overflow-x-auto">
          {!hasTax && <p className="mt-1 text-ui text-ink-muted">No tax was charged in this period.</p>}
          <table
            aria-labelledby="tax-by-place"
            className="mt-1 w-full text-ui max-sm:text-small [&_td]:pl-3 [&_td]:text-right [&_td]:whitespace-nowrap [&_td]:tabular-nums [&_th:not(:first-child)]:pl-3 [&_th:not(:first-child)]:text-right"
          >
            <thead className="text-caption whitespace-nowrap text-ink-muted">
              <tr className="*:py-2 *:font-semibold">
                <th scope="col" className="text-left">
                  Place
                </th>
                <th scope="col" className={hasTax ? "max-sm:hidden" : ""}>
                  Sales less refunds
                </th>
                {hasTax && (
                  <>
                    <th scope="col">Tax</th>
                    <th scope="col">Refunded</th>
                    <th scope="col">Owed</th>
                  </>
                )}
              </tr>
            </thead>
            <tbody>
              {tax.map(({ country, state, soldCents, soldBackCents, taxCents, taxBackCents }) => (
                <TaxRow
                  key={`${country} ${state}`}
                  place={[state, placeName(country)].filter(Boolean).join(", ")}
                  cents={[soldCents - soldBackCents, taxCents, -taxBackCents]}
                  hasTax={hasTax}
                />
              ))}
              {tax.length > 1 && (
                <TaxRow
                  place="Total"
                  cents={[
                    sum(({ soldCents, soldBackCents }) => soldCents - soldBackCents),
                    sum(({ taxCents }) => taxCents),
                    -sum(({ taxBackCents }) => taxBackCents),
                  ]}
                  hasTax={hasTax}
                  isTotal
                />
              )}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

/** `cents`: sales, tax, and refunded tax (zero or negative). */
function TaxRow({
  place,
  cents: [sales, tax, taxRefunded],
  hasTax,
  isTotal = false,
}: {
  place: string;
  cents: [number, number, number];
  /** Whether to show the tax columns. */
  hasTax: boolean;
  isTotal?: boolean;
}) {
  return (
    <tr
      className={`*:border-t *:py-2 *:align-baseline ${isTotal ? "font-semibold *:border-line-strong" : "*:border-line"}`}
    >
      <th scope="row" className={`text-left wrap-anywhere ${isTotal ? "font-semibold" : "font-normal"}`}>
        {place}
      </th>
      <td className={hasTax ? "max-sm:hidden" : ""}>{signedCents(sales)}</td>
      {hasTax && (
        <>
          <td>{signedCents(tax)}</td>
          <td>{signedCents(taxRefunded)}</td>
          <td>{signedCents(tax + taxRefunded)}</td>
        </>
      )}
    </tr>
  );
}

/** Movements of the balance at the payment provider and its payouts to the bank, with the time of the last reading. */
export function BalanceCard({ balance, payouts }: Pick<Books, "balance" | "payouts">) {
  const { chargesCents, refundsCents, disputesCents, feesCents, payoutsCents, otherCents } = balance;
  const balanceChangeCents =
    chargesCents - refundsCents - disputesCents - feesCents - payoutsCents + otherCents;
  const earlierCount = payouts.count - payouts.latest.length;
  return (
    <Card>
      <div className="p-4 md:p-5">
        <h2 className="card-title">At your payment provider</h2>
        {balance.readUntil === null ? (
          <p className="mt-1 text-ui text-ink-muted">
            Fees and payouts are read every hour after the first payment, if the provider’s keys allow it.
          </p>
        ) : (
          <>
            <p className="mt-0.5 mb-2 text-small text-ink-muted">
              Read <ShortDay iso={balance.readUntil} withTime />
            </p>
            <dl>
              <Line name="Payments" cents={chargesCents} />
              <Line name="Refunds" cents={-refundsCents} />
              <Line name="Disputes" cents={-disputesCents} />
              <Line name="Fees" cents={-feesCents} />
              {otherCents !== 0 && <Line name="Other movements" cents={otherCents} />}
              <Line name="Payouts" cents={-payoutsCents} />
              <Line name="Change in the balance" cents={balanceChangeCents} isTotal />
            </dl>
          </>
        )}
      </div>
      {payouts.count > 0 && (
        <div className="border-t border-line p-4 md:p-5">
          <h2 className="card-title">Payouts to your bank</h2>
          <dl className="mt-1">
            {payouts.latest.map(({ id, on, cents }) => (
              <Line key={id} name={formatDate(on)} cents={cents} />
            ))}
            {earlierCount > 0 && (
              <Line
                name={`${earlierCount.toLocaleString("en-US")} earlier`}
                cents={payoutsCents - payouts.latest.reduce((sum, { cents }) => sum + cents, 0)}
              />
            )}
            <Line name="Total" cents={payoutsCents} isTotal />
          </dl>
        </div>
      )}
    </Card>
  );
}

function Line({ name, cents, isTotal = false }: { name: ReactNode; cents: number; isTotal?: boolean }) {
  return (
    <div
      className={`flex items-baseline justify-between gap-4 py-1.5 text-ui ${isTotal ? "mt-1.5 border-t border-line-strong pt-2.5 font-semibold" : ""}`}
    >
      <dt>{name}</dt>
      <dd className="whitespace-nowrap tabular-nums">{signedCents(cents)}</dd>
    </div>
  );
}
