import Check from "lucide-react/icons/check";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router";
import { addressLines } from "../../../../domain/address/address-format.ts";
import type { ProductImage } from "../../../../domain/catalog/product.ts";
import { discountRow } from "../../../../domain/discounts/discount.ts";
import { combinedNote } from "../../../../domain/discounts/discount-terms.ts";
import { firstName } from "../../../../domain/orders/first-name.ts";
import type { Order, OrderItem } from "../../../../domain/orders/order.ts";
import { dispatchTime } from "../../../../domain/settings/facts.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { arrivalDates, arrivalText } from "../../../../domain/shipping/arrival.ts";
import { deliveryDays, type ShippingPolicy } from "../../../../domain/shipping/shipping-policy.ts";
import { Badge } from "../../../ui/badge.tsx";
import { ButtonLink } from "../../../ui/button.tsx";
import { LinkArrow } from "../../../ui/link-arrow.tsx";
import { Picture } from "../../../ui/picture.tsx";
import type { UsageStep } from "../../catalog/usage-text.ts";
import { OrderItems } from "../../orders/order-items.tsx";
import { useTotalText } from "../use-total-text.ts";

/** Picture, size and usage of the order's first product. */
export type BoughtProduct = { picture: ProductImage | undefined; size: string; usage: UsageStep[] };

/** The page after a purchase: arrival, items, receipt, and how to use the product. */
export function SuccessDetails({
  order,
  policy,
  boughtProduct,
  children,
}: {
  order: Order;
  policy: ShippingPolicy;
  /** Null if the product is no longer sold. */
  boughtProduct: BoughtProduct | null;
  /** Requests to the buyer, such as to subscribe to the newsletter, below the order. */
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const [recipient, ...address] = addressLines(order);
  const hasSeveralItems = order.items.length > 1;
  const goods = (
    <section
      key="goods"
      aria-labelledby="ordered"
      className="lg:col-start-2 lg:row-span-full lg:row-start-1 lg:self-start"
    >
      <h2 id="ordered" className="sr-only">
        Your order
      </h2>
      <Items items={order.items} boughtProduct={boughtProduct} />
    </section>
  );
  const button = (
    <div key="button" className="lg:mt-8">
      <ButtonLink to={`/orders/${order.id}`} className="w-full sm:w-64">
        View order
      </ButtonLink>
    </div>
  );
  return (
    <>
      <div className="wrap">
        <div className="grid gap-6 pt-[clamp(1.75rem,1.2rem+2.6vw,4rem)] pb-10 *:min-w-0 lg:grid-cols-[minmax(0,7fr)_minmax(0,4.6fr)] lg:grid-rows-[auto_auto_auto_1fr] lg:gap-x-[clamp(3rem,6vw,6rem)] lg:gap-y-0 lg:pb-16">
          <div className="type-display text-loud text-balance">
            <h1 ref={heading} tabIndex={-1} className="text-loud">
              Thank you for your order!
            </h1>
            {order.arrival && (
              <p className="mt-[.1em] text-copper-700 lining-nums">
                {greeting(order)} <span className="whitespace-nowrap">{arrivalDates(order.arrival)}</span>
              </p>
            )}
          </div>
          <address className="wrap-anywhere text-ink-muted not-italic lg:mt-7">
            <b className="font-medium text-ink">{recipient}</b>
            {address.map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
          </address>
          {/* A list of several lines may be long, so the button is above it. */}
          {hasSeveralItems ? [button, goods] : [goods, button]}
          <Receipt order={order} />
        </div>
        <NextSteps order={order} policy={policy} />
        <p className="flex flex-wrap gap-x-8 text-ui max-sm:justify-between max-sm:gap-x-3">
          <QuietLink to="/">Continue Shopping</QuietLink>
          <QuietLink to="/account/orders">View My Orders</QuietLink>
          <QuietLink to="/contact">Contact Us</QuietLink>
        </p>
        <div className="mt-6 grid max-w-144 gap-3 empty:hidden">{children}</div>
      </div>
      <div className="mt-[clamp(2.5rem,2rem+2vw,4rem)] bg-cream-soft">
        {boughtProduct && boughtProduct.usage.length > 0 && <HowToUse steps={boughtProduct.usage} />}
      </div>
    </>
  );
}

/** Greets the buyer by name, except for a gift, whose customer name is the recipient's. */
function greeting({ customerName, gift }: Order): string {
  const name = gift ? "" : firstName(customerName);
  return name ? `${name}, it arrives` : "It arrives";
}

/** A single product with a large picture, several products as a list. */
function Items({ items, boughtProduct }: { items: OrderItem[]; boughtProduct: BoughtProduct | null }) {
  const [item] = items;
  if (!item || items.length > 1 || item.bundles.length > 0 || !boughtProduct?.picture)
    return <OrderItems items={items} />;
  return (
    <div className="grid grid-cols-[88px_minmax(0,1fr)_auto] items-start gap-x-4 lg:grid-cols-[minmax(0,1fr)_auto] lg:gap-x-6 lg:gap-y-4">
      <Picture
        image={boughtProduct.picture}
        alt=""
        sizes="(min-width: 64rem) 29rem, 88px"
        className="h-27.5 w-22 object-cover lg:col-span-full lg:aspect-4/5 lg:h-auto lg:w-full"
      />
      <p className="font-medium text-balance wrap-anywhere">
        <span className="tabular-nums">{item.quantity} ×</span> {item.name}
        {boughtProduct.size && (
          <span className="block text-small font-normal text-ink-muted">{boughtProduct.size}</span>
        )}
      </p>
      <span className="tabular-nums">{formatCents(item.total)}</span>
    </div>
  );
}

function Receipt({ order }: { order: Order }) {
  const totalText = useTotalText();
  const discount = discountRow(order.discountCode, order.totals.discount);
  const note = combinedNote(order);
  return (
    <section aria-labelledby="receipt" className="mt-3.5 max-w-120 lg:mt-12">
      <h2 id="receipt" className="text-h3">
        Receipt
      </h2>
      <p className="mt-2 text-small wrap-anywhere text-ink-muted">
        Your payment was successful. You will receive an email confirmation at {order.email} shortly.
      </p>
      <dl className="mt-4 divide-y divide-line border-t border-line text-ui lg:border-b">
        <Fact name="Order ID">{`#${order.number}`}</Fact>
        {discount && <Fact name={discount[0]}>{discount[1]}</Fact>}
        <Fact name="Total Amount">{totalText(order.totals.total)}</Fact>
        <Fact name="Status">
          <Badge tone="green" glyph={Check}>
            Paid
          </Badge>
        </Fact>
      </dl>
      {note && <p className="mt-3 text-small text-ink-muted">{note}</p>}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-12 items-center justify-between gap-6 py-2">
      <dt className="wrap-anywhere text-ink-muted">{name}</dt>
      <dd className="shrink-0 tabular-nums">{children}</dd>
    </div>
  );
}

function NextSteps({ order, policy }: { order: Order; policy: ShippingPolicy }) {
  const option = policy.zones
    .flatMap(({ options }) => options)
    .find(({ id }) => id === order.shippingOption.id);
  const onTheWay = option && `Then ${deliveryDays(option)} on the way.`;
  const steps = [
    { title: "Confirmation email", note: "You’ll get it within a few minutes." },
    {
      title: `Shipped within ${dispatchTime}`,
      note: order.arrival ? `${arrivalText(order.arrival)}.` : onTheWay,
    },
    { title: "Tracking information", note: "Sent by email once your order has shipped." },
  ];
  return (
    <section
      aria-labelledby="next"
      className="border-t border-line pt-[clamp(2rem,1.5rem+2vw,3.25rem)] pb-[clamp(1.5rem,1.2rem+1.5vw,2.5rem)]"
    >
      <h2 id="next" className="text-h3">
        What happens next?
      </h2>
      <ol className="mt-6 grid gap-5 lg:grid-cols-3 lg:gap-[clamp(2rem,4vw,4.5rem)]">
        {steps.map(({ title, note }, index) => (
          <li key={title} className="grid grid-cols-[2rem_1fr] items-baseline">
            <span
              aria-hidden="true"
              className="font-display text-xl leading-[1.3] text-copper-700 lining-nums"
            >
              {index + 1}
            </span>
            <div>
              <b className="font-medium">{title}</b>
              {note && <p className="mt-0.5 text-ui text-ink-muted">{note}</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function QuietLink({ to, children }: { to: string; children: string }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center underline decoration-gold-500 underline-offset-[.28em] hover:decoration-current"
    >
      {children}
    </Link>
  );
}

function HowToUse({ steps }: { steps: UsageStep[] }) {
  return (
    <section
      aria-labelledby="use"
      className="wrap grid gap-8 py-[clamp(2.5rem,2rem+2.5vw,4.5rem)] lg:grid-cols-[5fr_6fr] lg:gap-[clamp(3rem,7vw,7rem)]"
    >
      <div>
        <h2 id="use">How to use it</h2>
        <p className="mt-3.5 max-w-104 text-lead text-ink-muted">
          Try a drop on the inside of your arm first, and{" "}
          <span className="whitespace-nowrap">wait a day.</span>
        </p>
      </div>
      <div>
        <ul className="divide-y divide-sand border-y border-sand">
          {steps.map(({ title, text, dose }) => (
            <li
              key={`${title}${text}`}
              className={`grid gap-x-8 gap-y-1 py-5 ${title ? "md:grid-cols-[7rem_1fr]" : ""}`}
            >
              {title && <h3 className="text-xl leading-[1.3]">{title}</h3>}
              <p className="text-ink-muted">
                {text}
                {dose && <span className="mt-1 block text-small font-medium text-ink">{dose}</span>}
              </p>
            </li>
          ))}
        </ul>
        <p className="mt-4">
          <LinkArrow to="/how-to-use">Routines and mixing ideas</LinkArrow>
        </p>
      </div>
    </section>
  );
}
