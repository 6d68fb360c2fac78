import ArrowUpRight from "lucide-react/icons/arrow-up-right";
import SearchX from "lucide-react/icons/search-x";
import type { ReactNode } from "react";
import { data, isRouteErrorResponse, redirect } from "react-router";
import { isExchanged, type Order } from "../../domain/orders/order.ts";
import { isGoingBack, isOpen } from "../../domain/orders/order-return.ts";
import { givingNote } from "../../domain/sales/giving.ts";
import { returnsSentence } from "../../domain/settings/facts.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import { formEntries } from "../features/form-entries.ts";
import { BuyAgain } from "../features/orders/buy-again.tsx";
import { EditOutcome, EditToPay } from "../features/orders/edit-to-pay.tsx";
import { OrderActions } from "../features/orders/order-actions.tsx";
import { OrderBadge } from "../features/orders/order-badge.tsx";
import { OrderItems } from "../features/orders/order-items.tsx";
import { OrderHeadline, UnpaidNotice } from "../features/orders/order-notices.tsx";
import { OrderProgress, onlyTrackingUrl, PrintedParcels } from "../features/orders/order-progress.tsx";
import { OrderAddress, OrderInvoices, OrderTotals, PrintedHead } from "../features/orders/order-side.tsx";
import { RefillBox } from "../features/orders/stay-in-touch.tsx";
import type { ReviewedProduct } from "../features/reviews/write/write-review.tsx";
import { privatePageMeta, tokenPageHeaders } from "../seo/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { apiContext, shopContext, viewerContext } from "../shop-context.ts";
import { ButtonLink, buttonClass } from "../ui/button.tsx";
import { Disclosure } from "../ui/disclosure.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { Icon } from "../ui/icon.tsx";
import { LinkArrow } from "../ui/link-arrow.tsx";
import { PageLink } from "../ui/page-link.tsx";
import { TextButton } from "../ui/text-button.tsx";
import type { Route } from "./+types/order";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, args.loaderData ? `Order #${args.loaderData.order.number}` : "Order not found");

export const headers = tokenPageHeaders;

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const token = new URL(request.url).searchParams.get("token");
  const order = isOrderId(params.id)
    ? await shop.orderFor(context.get(viewerContext), params.id, token)
    : null;
  if (!order) throw data(null, { status: 404 });
  const [{ shipping, tax, returns, brandName, seller }, products] = await Promise.all([
    shop.settings(),
    shop.productNames(),
  ]);
  const refill = await shop.refillChoice(order);
  const api = context.get(apiContext);
  const orderInput = { params: { id: order.id }, query: { token } };
  const [invoices, edit] =
    order.paidAt === null
      ? [null, null]
      : await Promise.all([
          api.call("GET /api/orders/:id/invoices", orderInput),
          api.call("GET /api/orders/:id/change", orderInput),
        ]);
  const timeZone = await shop.timeZone();
  return {
    hasAddressLookup: shop.addressLookup !== null,
    order,
    token,
    refill,
    shipping,
    tax,
    returns,
    brandName,
    seller,
    // Admins see order edits in the panel.
    edit: edit?.ok ? edit.body.data : null,
    invoices: invoices?.ok ? invoices.body.data : [],
    products,
    today: dateIn(timeZone, new Date()),
    shipDay: dateIn(timeZone, order.fulfilment ? new Date(order.fulfilment.shippedAt) : new Date()),
  };
}

/** Opens the payment of a waiting order edit. */
export async function action({ params, request, context }: Route.ActionArgs) {
  const token = new URL(request.url).searchParams.get("token");
  const response = await context.get(apiContext).call("POST /api/orders/:id/change/:changeId/pay", {
    params: { id: params.id, changeId: (await formEntries(request))("change") },
    body: { token },
  });
  return response.ok ? redirect(response.body.data.url) : { message: response.problem.message };
}

function isOrderId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

export default function OrderPage({ loaderData, actionData }: Route.ComponentProps) {
  const {
    order,
    token,
    edit,
    refill,
    shipping,
    tax,
    returns,
    brandName,
    seller,
    products,
    hasAddressLookup,
    today,
    shipDay,
  } = loaderData;
  const isWaiting = edit?.status === "waiting";
  const head = (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-2.5">
      <h1 className="text-h3 lining-nums">{`Order #${order.number}`}</h1>
      <OrderBadge
        status={order.status}
        payment={order.payment}
        isCancelled={order.cancelledAt !== null}
        isExchanged={isExchanged(order)}
      />
    </div>
  );
  const buyAgain = order.paidAt && order.cancelledAt === null && (
    <span className="print:hidden">
      <BuyAgain order={order} token={token} />
    </span>
  );
  const paidOrder = (
    <>
      <section aria-labelledby="items" className="min-w-0">
        <h2 id="items" className="mb-4 text-h3">
          Items
        </h2>
        {order.replacements.map(({ id, number }) => (
          <p key={id} className="mb-4 text-ink-muted">
            {token === null ? (
              <PageLink to={`/orders/${id}`} className="-my-3 inline-flex min-h-11 items-center link">
                Order #{number}
              </PageLink>
            ) : (
              `Order #${number}`
            )}{" "}
            replaces items of this order. There is nothing to pay.
          </p>
        ))}
        <OrderItems
          items={order.items}
          isFree={order.replaces !== null}
          renderLinks={(productId) => (
            <>
              {order.items.length === 1 && buyAgain}
              <ReviewLink order={order} products={products} productId={productId} />
            </>
          )}
        />
        <PrintedParcels shipments={order.shipments} />
        <div className="items-start justify-between sm:flex">
          {order.items.length > 1 && buyAgain}
          {!order.replaces && <OrderTotals order={order} />}
        </div>
        {refill && (refill.isWanted || !isGoingBack(order)) && (
          <div className="mt-8">
            <RefillBox orderId={order.id} token={token} refill={refill} />
          </div>
        )}
      </section>
      <div className="grid gap-9 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-start lg:rounded-md lg:bg-cream-soft lg:p-8">
        <OrderAddress order={order} />
        <section aria-labelledby="progress" className="border-t border-line pt-7 print:hidden">
          <h2 id="progress" className="mb-4.5 text-h3">
            Progress
          </h2>
          <OrderProgress
            order={order}
            policy={shipping}
            waitsUntil={isWaiting ? edit.expiresAt : null}
            shipDay={shipDay}
          />
        </section>
      </div>
    </>
  );
  const actions = (
    <OrderActions order={order} returns={returns} policies={{ shipping, tax, hasAddressLookup }}>
      <NextStep order={order} token={token} products={products} />
    </OrderActions>
  );
  const canBeReturnedLater =
    order.fulfilment === null &&
    order.cancelledAt === null &&
    order.status !== "refunded" &&
    !order.returns.some(({ status }) => status !== "declined");
  const records = order.paidAt && (
    <div className="order-records">
      <Note
        title="For your records"
        className={`print:hidden ${loaderData.invoices.length === 0 ? "noscript:hidden" : ""}`}
      >
        {/* The links are taller than their text, so they move up: their text is then as close to the title as in the other notes. */}
        <div className="-mt-2.5">
          <OrderInvoices
            orderId={order.id}
            token={token}
            invoices={loaderData.invoices}
            canRequest={Boolean(seller.legalName && seller.address)}
          />
          <TextButton className="noscript:hidden" onClick={() => window.print()}>
            Print receipt
          </TextButton>
        </div>
      </Note>
      {(order.actions.returnUntil !== null || canBeReturnedLater) && (
        <Note title="Returns">
          <p>{returnsSentence(returns)}</p>
        </Note>
      )}
      <GivingNote order={order} />
    </div>
  );
  return (
    <div className="wrap">
      <PrintedHead order={order} brandName={brandName} seller={seller} />
      <div className="pt-[clamp(.75rem,.4rem+1.6vw,2rem)] print:hidden">
        <LinkArrow to="/orders" back>
          My Orders
        </LinkArrow>
      </div>
      {isWaiting ? (
        <>
          {head}
          <EditToPay edit={edit} problem={actionData?.message ?? null} />
          <div className="mb-(--section-y) border-t border-line print:[&_::details-content]:[content-visibility:visible]">
            <Disclosure
              title={
                <span className="min-w-0">
                  Your paid order
                  <span className="ml-4 font-normal text-ink-muted max-lg:hidden">
                    {order.items.map(({ quantity, name }) => `${quantity} × ${name}`).join(", ")}
                    {order.shipping && `, to ${order.shipping.city}`}
                  </span>
                </span>
              }
            >
              <div className="order-columns pt-2 text-ink">
                {paidOrder}
                {actions}
              </div>
              {records}
            </Disclosure>
          </div>
        </>
      ) : (
        <>
          <div className="order-columns">
            <header className="min-w-0">
              {head}
              <UnpaidNotice order={order} />
              {edit && <EditOutcome status={edit.status} />}
              <OrderHeadline order={order} today={today} shipDay={shipDay} token={token} />
              {order.needsAttention && (
                <Banner tone="warning" title="Needs attention." className="mt-5 print:hidden">
                  {order.needsAttention}
                </Banner>
              )}
              {actions}
            </header>
            {paidOrder}
          </div>
          {records}
        </>
      )}
    </div>
  );
}

/**
 * The most useful button at this time: the parcel's tracking, a review once it has arrived, or buying a cancelled order
 * again.
 */
function NextStep({
  order,
  token,
  products,
}: {
  order: Order;
  token: string | null;
  products: readonly ReviewedProduct[];
}) {
  const trackingUrl = onlyTrackingUrl(order);
  const [product, ...others] = findReviewableProducts(order, products);
  if (order.cancelledAt !== null)
    return <BuyAgain order={order} token={token} className={buttonClass({ variant: "secondary" })} />;
  if (trackingUrl)
    return (
      <a href={trackingUrl} target="_blank" rel="noreferrer" className={buttonClass({})}>
        Track package <Icon glyph={ArrowUpRight} size="small" />
        <span className="sr-only">(opens a new tab)</span>
      </a>
    );
  const trackedShipments = order.shipments.filter(
    ({ trackingUrl, deliveredAt }) => trackingUrl !== null && deliveredAt === null,
  );
  if (trackedShipments.length > 0 && order.status !== "refunded" && !isGoingBack(order))
    return (
      <a href="#progress" className={buttonClass({})}>
        Track packages
      </a>
    );
  if (!order.fulfilment?.deliveredAt || !product || others.length > 0) return null;
  return <ButtonLink to={reviewPath(product)}>Write a review</ButtonLink>;
}

function Note({
  title,
  className = "",
  children,
}: {
  title: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section className={className}>
      <h2 className="font-sans text-small font-medium tracking-normal">{title}</h2>
      {children}
    </section>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) return <PageProblem />;
  return (
    <EmptyState
      glyph={SearchX}
      title="We couldn’t find this order"
      action={<ButtonLink to="/orders">Go to My Orders</ButtonLink>}
    >
      Orders open only in the browser that placed them, or from the link in our latest email about them. On My
      Orders you can ask for a new link.
    </EmptyState>
  );
}

/** The amount that the shop donates from the order, for its receipt. */
function GivingNote({ order }: { order: Order }) {
  const note = givingNote(order);
  if (note === null) return null;
  return (
    <Note title="What this order gives">
      <p>{note}</p>
      <PageLink to="/story#giving" className="inline-flex min-h-11 items-center link print:hidden">
        How we count
      </PageLink>
    </Note>
  );
}

/**
 * A link to review a product. A delivered order with a single product does not need it: the button above the order
 * leads there.
 */
function ReviewLink({
  order,
  products,
  productId,
}: {
  order: Order;
  products: readonly ReviewedProduct[];
  productId: number;
}) {
  const reviewableProducts = findReviewableProducts(order, products);
  const product = reviewableProducts.find(({ id }) => id === productId);
  if (!product || (reviewableProducts.length === 1 && order.fulfilment?.deliveredAt)) return null;
  return (
    <PageLink to={reviewPath(product)} className="inline-flex min-h-11 items-center link">
      Write a review<span className="sr-only"> of {product.name}</span>
    </PageLink>
  );
}

/**
 * The order's products that have shipped and are still sold. None for refunded orders, for orders with an open return,
 * and for gifts, which another person uses.
 */
function findReviewableProducts(order: Order, products: readonly ReviewedProduct[]): ReviewedProduct[] {
  const { fulfilment, status, gift, items, returns } = order;
  if (fulfilment === null || status === "refunded" || gift !== null || returns.some(isOpen)) return [];
  return products.filter(({ id }) => items.some(({ productId }) => productId === id));
}

function reviewPath({ slug }: ReviewedProduct): string {
  return `/reviews/new?product=${slug}`;
}
