import {
  capitalized,
  type MoneyCheckDetail,
  moneyCheckTotals,
} from "../../../../domain/money-check/money-check.ts";
import { signedCents } from "./signed-cents.ts";

/** Both sides of the books, and what lies between them, to the cent. */
export function CheckSums({ check }: { check: MoneyCheckDetail }) {
  const { provider, booked } = moneyCheckTotals(check);
  return (
    <div className="overflow-x-auto rounded-md border border-line bg-surface">
      <table className="w-full text-ui tabular-nums max-sm:text-small">
        <caption className="sr-only">Sums at the payment provider and in the orders</caption>
        <thead>
          <tr className="bg-cream-soft text-caption text-ink-muted">
            <th scope="col" className="px-3 py-3 text-left font-semibold sm:px-4">
              <span className="sr-only">What</span>
            </th>
            {[capitalized(check.providerName), "Your orders", "Difference"].map((name) => (
              <th
                key={name}
                scope="col"
                className="px-1.5 py-3 text-right font-semibold max-sm:last:pr-3 sm:px-4"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Sum term="Paid in" provider={check.providerIn} booked={check.bookedIn} />
          <Sum term="Given back" provider={check.providerRefunded} booked={check.bookedRefunded} />
          {check.providerChargedBack + check.bookedChargedBack > 0 && (
            <Sum term="Charged back" provider={check.providerChargedBack} booked={check.bookedChargedBack} />
          )}
          {check.providerFees + check.bookedFees > 0 && (
            <Sum term="Dispute fees" provider={check.providerFees} booked={check.bookedFees} />
          )}
          <Sum term="Left" provider={provider} booked={booked} isTotal />
        </tbody>
      </table>
      {check.held > 0 && (
        <p className="border-t border-line px-3 py-3 text-small text-ink-muted sm:px-4">
          {signedCents(check.held)} of what is left is withheld by {check.providerName} until open disputes
          are decided. It is no difference.
        </p>
      )}
    </div>
  );
}

function Sum({
  term,
  provider,
  booked,
  isTotal = false,
}: {
  term: string;
  provider: number;
  booked: number;
  isTotal?: boolean;
}) {
  const difference = provider - booked;
  const cell = "px-1.5 py-3 text-right max-sm:last:pr-3 sm:px-4";
  return (
    <tr className={`border-t border-line ${isTotal ? "font-semibold" : ""}`}>
      <th scope="row" className="px-3 py-3 text-left font-[inherit] sm:px-4">
        {term}
      </th>
      <td className={cell}>{signedCents(provider)}</td>
      <td className={cell}>{signedCents(booked)}</td>
      <td className={`${cell} ${difference === 0 ? "text-success" : "text-danger"}`}>
        {signedCents(difference)}
      </td>
    </tr>
  );
}
