import { statementOf } from "../../../../domain/books/statement.ts";
import type { SalesFigures } from "../../../../domain/overview/overview.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Card } from "../../../ui/card.tsx";
import { signedCents } from "../kit/sum-row.tsx";

/** The calculation from gross sales to the net. The signs are in a separate column, so that the figures line up. */
export function Statement({ figures, postageCents }: { figures: SalesFigures; postageCents: number }) {
  const lines = statementOf(figures);
  return (
    <Card className="p-4 md:p-5">
      <h2 id="adds-up" className="font-sans text-[1.0625rem] font-semibold tracking-normal">
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
                  <span className="grid grid-cols-[1.5rem_minmax(0,1fr)] items-baseline">
                    <span>{sign || "\u00a0"}</span>
                    <span>{name}</span>
                    {note && (
                      <span className="col-start-2 text-caption font-normal text-ink-muted">{note}</span>
                    )}
                  </span>
                </th>
                <td
                  className={`pl-4 text-right whitespace-nowrap lining-nums tabular-nums ${
                    isNet ? "type-display text-[1.75rem] leading-none font-normal" : ""
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
