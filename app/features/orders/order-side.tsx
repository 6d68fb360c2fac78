import { addressLines } from "../../../domain/address/address-format.ts";
import { type Order, paidBackCents } from "../../../domain/orders/order.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { Panel } from "../../ui/card.tsx";
import { Time } from "../../ui/time.tsx";
import { TotalsList } from "../checkout/totals-list.tsx";
import { GiftNote } from "./gift-note.tsx";

const refundStates = { pending: "On its way", succeeded: "Refunded", failed: "Didn’t go through" };

/** Amounts, refunds and address of an order. */
export function OrderSide({ order: { totals, refunds, ...order } }: { order: Order }) {
  return (
    <div className="grid gap-4">
      <Panel>
        <h2 className="mb-5 text-h3">Order Summary</h2>
        <TotalsList
          totals={totals}
          discountCode={order.discountCode}
          refunded={paidBackCents(totals)}
          exchanged={totals.exchanged ?? 0}
          chargedBack={{ name: "Returned by your bank", cents: totals.chargedBack }}
        />
        {order.paidWith && <p className="mt-4 text-small text-ink-muted">Paid with {order.paidWith}.</p>}
      </Panel>
      {refunds.length > 0 && (
        <Panel>
          <h2 className="text-h3">Refunds</h2>
          <ul className="mt-3 grid gap-3 text-ui">
            {refunds.map(({ id, amount, status, createdAt, tooLate }) => (
              <li key={id} className="flex justify-between gap-4">
                <span>
                  <Time iso={createdAt} />
                  <span className="block text-small text-ink-muted">{refundStates[status]}</span>
                  {tooLate && (
                    <span className="block text-small text-ink-muted">
                      A payment for a change that could no longer be made
                    </span>
                  )}
                </span>
                <span className="tabular-nums">{formatCents(amount)}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Panel>
        <h2 className="text-h3">Shipping Address</h2>
        <address className="mt-3 wrap-anywhere text-ink-muted not-italic">
          {addressLines(order).map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </address>
        <p className="mt-3 text-small wrap-anywhere text-ink-muted">
          {order.shippingOption.name} shipping. Contact: {order.email}
          {order.phone && `, ${order.phone}`}
        </p>
        {order.gift && (
          <div className="mt-4 border-t border-line pt-4">
            <h3 className="font-sans text-ui font-semibold tracking-normal">A gift</h3>
            <p className="mt-1 text-small text-ink-muted">The slip in the package shows no prices.</p>
            <GiftNote gift={order.gift} className="mt-3" />
          </div>
        )}
      </Panel>
    </div>
  );
}
