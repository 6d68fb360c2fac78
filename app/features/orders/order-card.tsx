import { Link } from "react-router";
import type { OrderSummary } from "../../../domain/orders/order.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { Card } from "../../ui/card.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { LinkArrow } from "../../ui/link-arrow.tsx";
import { Time } from "../../ui/time.tsx";
import { useTotalText } from "../checkout/use-total-text.ts";
import { BuyAgain } from "./buy-again.tsx";
import { OrderBadge } from "./order-badge.tsx";
import { OrderImage } from "./order-items.tsx";

/** One order in the list of a shopper's orders. */
export function OrderCard({
  order: { id, number, status, payment, createdAt, cancelledAt, isExchanged, total, toPay, items },
  heading: Heading = "h2",
}: {
  order: OrderSummary;
  heading?: "h2" | "h3";
}) {
  const totalText = useTotalText();
  // A long order is shown in full on its own page.
  const firstItems = items.length > 4 ? items.slice(0, 3) : items;
  return (
    <Card className="grid gap-4 p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 *:whitespace-normal">
        <Heading className="text-h3 lining-nums">{`Order #${number}`}</Heading>
        <OrderBadge
          status={status}
          payment={payment}
          isCancelled={cancelledAt !== null}
          isExchanged={isExchanged}
        />
      </div>
      <ul className="grid gap-3">
        {firstItems.map(({ productId, name, quantity, image }) => (
          <li key={productId} className="grid grid-cols-[60px_1fr] items-center gap-4 text-ui">
            <OrderImage url={image} />
            <span className="text-balance wrap-anywhere">
              {name}
              <span className="block text-small text-ink-muted">Quantity {quantity}</span>
            </span>
          </li>
        ))}
        {firstItems.length < items.length && (
          <li className="text-small text-ink-muted">and {items.length - firstItems.length} more</li>
        )}
      </ul>
      {toPay !== null && (
        <Banner tone="warning" title={`Waiting for your payment of ${formatCents(toPay)}.`}>
          <Link className="link" to={`/orders/${id}`}>
            Pay for what was added<span className="sr-only"> to order {number}</span>
          </Link>
        </Banner>
      )}
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <dl className="flex flex-wrap gap-x-10 gap-y-2 text-ui tabular-nums **:whitespace-normal">
          <div>
            <dt className="text-caption text-ink-muted">Order Date</dt>
            <dd>
              <Time iso={createdAt} />
            </dd>
          </div>
          <div>
            <dt className="text-caption text-ink-muted">Total</dt>
            <dd>{totalText(Math.round(total * 100))}</dd>
          </div>
        </dl>
        <div className="flex flex-wrap items-baseline gap-x-5 gap-y-2 text-small">
          <LinkArrow to={`/orders/${id}`}>
            View order<span className="sr-only"> {number}</span>
          </LinkArrow>
          {payment === "paid" && <BuyAgain order={{ id, number }} />}
        </div>
      </div>
    </Card>
  );
}
