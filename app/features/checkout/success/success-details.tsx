import Check from "lucide-react/icons/check";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router";
import { discountRow } from "../../../../domain/discounts/discount.ts";
import type { Order } from "../../../../domain/orders/order.ts";
import { dispatchTime } from "../../../../domain/settings/facts.ts";
import { arrivalText } from "../../../../domain/shipping/arrival.ts";
import { deliveryDays, type ShippingPolicy } from "../../../../domain/shipping/shipping-policy.ts";
import { Badge } from "../../../ui/badge.tsx";
import { ButtonLink } from "../../../ui/button.tsx";
import { Panel } from "../../../ui/card.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { OrderItems } from "../../orders/order-items.tsx";
import { Timeline } from "../../orders/timeline.tsx";
import { TwoColumns } from "../two-columns.tsx";
import { useTotalText } from "../use-total-text.ts";

export function SuccessDetails({
  order,
  policy,
  children,
}: {
  order: Order;
  policy: ShippingPolicy;
  /** Optional requests to the buyer, below the order. */
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const totalText = useTotalText();
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const option = policy.zones
    .flatMap(({ options }) => options)
    .find(({ id }) => id === order.shippingOption.id);
  const discount = discountRow(order.discountCode, order.totals.discount);
  return (
    <TwoColumns className="py-[clamp(2.5rem,2rem+4vw,6rem)]">
      <div className="grid gap-7">
        <div className="grid gap-6.5">
          <span className="grid size-14 place-items-center rounded-full bg-success-bg text-success">
            <Icon glyph={Check} size="large" />
          </span>
          <h1 ref={heading} tabIndex={-1}>
            Thank you for your order!
          </h1>
          <p className="text-lead wrap-anywhere text-ink-muted">
            Your payment was successful. You will receive an email confirmation at {order.email} shortly.
          </p>
        </div>
        <dl className="max-w-144 divide-y divide-line border-y border-line">
          <Fact name="Order ID">#{order.number}</Fact>
          {discount && <Fact name={discount[0]}>{discount[1]}</Fact>}
          <Fact name="Total Amount">{totalText(order.totals.total)}</Fact>
          <Fact name="Status">
            <Badge tone="green" glyph={Check}>
              Paid
            </Badge>
          </Fact>
        </dl>
        <section aria-labelledby="ordered" className="max-w-144">
          <h2 id="ordered" className="mb-4.5 text-h3">
            Your order
          </h2>
          <OrderItems items={order.items} />
        </section>
        <div className="grid gap-2.5 sm:flex sm:flex-wrap sm:gap-3">
          <ButtonLink to="/">Continue Shopping</ButtonLink>
          <ButtonLink to="/orders" variant="secondary">
            View My Orders
          </ButtonLink>
        </div>
        <div className="grid max-w-144 gap-3 empty:hidden">{children}</div>
        <p className="text-small text-ink-muted">
          A question about your order?{" "}
          <Link to="/contact" className="link">
            Contact us
          </Link>
        </p>
      </div>
      <Panel>
        <h2 className="mb-6 text-h3">What happens next?</h2>
        <Timeline
          entries={[
            {
              id: "confirmation",
              title: "Confirmation email",
              note: "You’ll get it within a few minutes.",
              state: "now",
            },
            {
              id: "shipping",
              title: `Shipped within ${dispatchTime}`,
              note: order.arrival
                ? `${arrivalText(order.arrival)}.`
                : option && `Then ${deliveryDays(option)} on the way.`,
              state: "open",
            },
            {
              id: "tracking",
              title: "Tracking information",
              note: "Sent by email once your order has shipped.",
              state: "open",
            },
          ]}
        />
      </Panel>
    </TwoColumns>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="grid gap-1 py-4.5 md:grid-cols-[10rem_1fr] md:gap-8">
      <dt className="font-medium wrap-anywhere">{name}</dt>
      <dd className="text-ink-muted tabular-nums">{children}</dd>
    </div>
  );
}
