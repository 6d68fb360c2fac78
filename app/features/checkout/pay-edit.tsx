import Lock from "lucide-react/icons/lock";
import { Form } from "react-router";
import { editRows, type PayableEdit } from "../../../domain/orders/order-edit.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Time } from "../../ui/time.tsx";
import { OrderImage } from "../orders/order-items.tsx";

/** An order edit and the button that opens its payment. */
export function PayEdit({
  edit,
  isBusy,
  problem,
}: {
  edit: PayableEdit;
  isBusy: boolean;
  /** Why the payment could not be opened; null if no attempt has failed. */
  problem: string | null;
}) {
  const { status, orderNumber, difference, expiresAt, isExchange = false } = edit;
  return (
    <div className="mx-auto grid max-w-144 gap-6 py-[clamp(1.5rem,1rem+2vw,3rem)]">
      <h1 className="text-[clamp(2rem,1.6rem+1.6vw,3rem)]">
        {status === "applied" || status === "processing"
          ? "Thank you"
          : isExchange
            ? "Your exchange"
            : `Order #${orderNumber}`}
      </h1>
      {status === "applied" && (
        <Banner
          tone="success"
          title={isExchange ? `Order #${orderNumber} is paid.` : `It’s part of order #${orderNumber} now.`}
        >
          {isExchange
            ? "We pack it now. Please send back what you exchange."
            : difference > 0
              ? "It’s paid, and ships with the rest."
              : "It ships with the rest."}
        </Banner>
      )}
      {status === "processing" && (
        <Banner tone="success" title="Your payment is being processed.">
          We’ll write to you as soon as it has gone through.
        </Banner>
      )}
      {(status === "withdrawn" || status === "expired") && (
        <Banner tone="warning" title="This can’t be paid now.">
          {status === "expired" ? "The link has expired." : "We’ve withdrawn it."} Your order stays as it was.
          Please write to us if you still want the {isExchange ? "exchange" : "change"}.
        </Banner>
      )}
      {problem && <Banner title="The payment was not opened.">{problem}</Banner>}
      <Panel className="grid gap-5">
        <EditSums edit={edit} />
      </Panel>
      {status === "waiting" && (
        <Form method="post">
          <input type="hidden" name={isExchange ? "exchange" : "change"} value="1" />
          <Button type="submit" block busy={isBusy} busyText="Opening the payment...">
            <Icon glyph={Lock} size="small" /> Pay {formatCents(difference)}
          </Button>
          <p className="mt-3 text-center text-small text-balance text-ink-muted">
            {expiresAt && (
              <span className="block">
                We’re holding it for you until <Time iso={expiresAt} />.
              </span>
            )}{" "}
            Something not right? Reply to our email before you pay.
          </p>
        </Form>
      )}
    </div>
  );
}

/** The lines that an order edit adds and removes, and its sums. */
export function EditSums({ edit }: { edit: PayableEdit }) {
  const { status, added, difference, taxIncluded, note, isExchange = false } = edit;
  const { removed, shipping, tax, includedTax } = editRows(edit);
  return (
    <>
      {added.length > 0 && (
        <section>
          <h2 className="font-sans text-small font-semibold tracking-normal">
            {isExchange ? "You get" : "Added to your order"}
          </h2>
          <PayLines lines={added.map((line) => ({ ...line, price: line.unitPrice }))} />
        </section>
      )}
      {removed.length > 0 && (
        <section>
          <h2 className="font-sans text-small font-semibold tracking-normal">
            {isExchange ? "You send back" : "Removed from your order"}
          </h2>
          <ul className="divide-y divide-line">
            {removed.map(({ productId, name, quantity, total }) => (
              <li key={productId} className="flex justify-between gap-4 py-3 text-ui">
                <span className="min-w-0 wrap-anywhere">
                  {quantity} × {name}
                </span>
                <span className="whitespace-nowrap tabular-nums">−{formatCents(total)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <dl className="grid gap-3 border-t border-line pt-4 text-ui tabular-nums">
        {shipping > 0 && <Row name="Shipping" cents={shipping} />}
        {tax !== 0 && <Row name="Tax" cents={tax} />}
        <div className="flex items-baseline justify-between gap-4 text-[1.0625rem] font-semibold">
          <dt>
            {status === "applied" ? "Paid" : "To pay"}
            {includedTax > 0 && (
              <span className="block text-small font-normal text-ink-muted">
                Includes {formatCents(includedTax)} {taxIncluded}
              </span>
            )}
          </dt>
          <dd className="type-display text-[1.75rem] leading-none font-normal lining-nums">
            {formatCents(Math.max(0, difference))}
          </dd>
        </div>
      </dl>
      {note && (
        <p className="border-t border-line pt-4 text-small whitespace-pre-line wrap-anywhere">{note}</p>
      )}
    </>
  );
}

function Row({ name, cents }: { name: string; cents: number }) {
  return (
    <div className="flex justify-between gap-4">
      <dt>{name}</dt>
      <dd className="whitespace-nowrap">{cents < 0 ? `−${formatCents(-cents)}` : formatCents(cents)}</dd>
    </div>
  );
}

type PayLine = {
  productId: number;
  name: string;
  quantity: number;
  price: number;
  total: number;
  image: string | null;
};

/** The lines to be paid. Prices in cents. */
export function PayLines({ lines }: { lines: readonly PayLine[] }) {
  return (
    <ul className="divide-y divide-line">
      {lines.map(({ productId, name, quantity, price, total, image }) => (
        <li key={productId} className="grid grid-cols-[60px_1fr_auto] items-center gap-4 py-4 text-ui">
          <OrderImage url={image} />
          <span className="min-w-0 text-balance wrap-anywhere">
            <span className="font-medium">
              {quantity} × {name}
            </span>
            {quantity > 1 && <UnitPrice price={price} saving={quantity * price - total} />}
          </span>
          <span className="font-semibold tabular-nums">{formatCents(total)}</span>
        </li>
      ))}
    </ul>
  );
}

/** "$29.95 each, saving $4.95": the unit price, and how much less the total is than the units cost separately. In cents. */
function UnitPrice({ price, saving }: { price: number; saving: number }) {
  return (
    <span className="block text-small text-ink-muted tabular-nums">
      <span className="whitespace-nowrap">{formatCents(price)} each</span>
      {saving > 0 && (
        <>
          , <span className="whitespace-nowrap">saving {formatCents(saving)}</span>
        </>
      )}
    </span>
  );
}
