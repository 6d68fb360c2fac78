import type { Overview } from "../../../../domain/overview/overview.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Card } from "../../../ui/card.tsx";
import { signedCents } from "../kit/sum-row.tsx";

/** The calculation from gross goods to net sales, by which the figures above add up. */
export function Statement({ figures }: { figures: Overview["figures"] }) {
  const { refundedGoodsCents, refundedShippingCents, refundedTaxCents, chargebacks, disputeFeeCents } =
    figures;
  const lines: StatementLine[] = [
    { name: "Gross sales", cents: figures.grossCents },
    { name: "Discounts", cents: -figures.discountCents },
    { name: "Shipping", cents: figures.shippingCents },
    { name: "Tax", cents: figures.taxCents },
    { name: "Received", cents: figures.receivedCents, isSum: true },
    { name: "Refunds of goods", cents: -refundedGoodsCents },
    { name: "Refunds of shipping", cents: -refundedShippingCents },
    { name: "Refunds of tax", cents: -refundedTaxCents },
    { name: "Chargebacks", cents: -figures.chargedBackCents },
    { name: "Net", cents: figures.netCents, isSum: true },
  ];
  return (
    <Card className="p-4 md:p-5">
      <h2 className="text-h3">How it adds up</h2>
      <dl className="mt-2 grid gap-x-10 md:grid-flow-col md:grid-cols-2 md:grid-rows-5">
        {lines.map(({ name, cents, isSum = false }) => (
          <div
            key={name}
            className={`flex items-baseline justify-between gap-4 py-1.5 ${isSum ? "border-t border-line font-semibold" : ""}`}
          >
            <dt>{name}</dt>
            <dd className="whitespace-nowrap tabular-nums">{signedCents(cents)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-caption text-ink-muted">
        Sales, discounts and shipping are before tax. Orders count on the day they were paid, refunds and
        chargebacks on their own day.
        {(chargebacks > 0 || disputeFeeCents > 0) &&
          ` ${chargebacks === 1 ? "1 dispute was" : `${chargebacks.toLocaleString("en-US")} disputes were`} lost; the provider’s fees for disputes, ${formatCents(disputeFeeCents)}, are not in the net.`}
      </p>
    </Card>
  );
}

type StatementLine = { name: string; cents: number; isSum?: boolean };
