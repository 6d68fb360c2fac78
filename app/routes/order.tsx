import Printer from "lucide-react/icons/printer";
import SearchX from "lucide-react/icons/search-x";
import { data, isRouteErrorResponse, redirect } from "react-router";
import type { Order } from "../../domain/orders/order.ts";
import { type Giving, givingComputation, givingNote } from "../../domain/sales/giving.ts";
import { TwoColumns } from "../features/checkout/two-columns.tsx";
import { BuyAgain } from "../features/orders/buy-again.tsx";
import { EditToPay } from "../features/orders/edit-to-pay.tsx";
import { OrderActions } from "../features/orders/order-actions.tsx";
import { OrderBadge } from "../features/orders/order-badge.tsx";
import { OrderItems } from "../features/orders/order-items.tsx";
import { OrderNotices, UnpaidNotice } from "../features/orders/order-notices.tsx";
import { OrderProgress, PrintedParcels } from "../features/orders/order-progress.tsx";
import { OrderInvoices, OrderSide } from "../features/orders/order-side.tsx";
import { RefillBox } from "../features/orders/stay-in-touch.tsx";
import type { ReviewedProduct } from "../features/reviews/write/write-review.tsx";
import { privatePageMeta, tokenPageHeaders } from "../seo/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { apiContext, shopContext, viewerContext } from "../shop-context.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { Icon } from "../ui/icon.tsx";
import { LinkArrow } from "../ui/link-arrow.tsx";
import { TextButton } from "../ui/text-button.tsx";
import { Time } from "../ui/time.tsx";
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
  const [{ shipping, tax, returns, brandName, seller }, giving, products] = await Promise.all([
    shop.settings(),
    shop.giving(),
    shop.productNames(),
  ]);
  const refill = await shop.refillChoice(order);
  const api = context.get(apiContext);
  const ofOrder = { params: { id: order.id }, query: { token } };
  const [issued, edit] =
    order.paidAt === null
      ? [null, null]
      : await Promise.all([
          api.call("GET /api/orders/:id/invoices", ofOrder),
          api.call("GET /api/orders/:id/change", ofOrder),
        ]);
  const hasAddressLookup = shop.addressLookup !== null;
  return {
    hasAddressLookup,
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
    invoices: issued?.ok ? issued.body.data : [],
    giving,
    products,
    today: new Date().toISOString().slice(0, 10),
  };
}

/** Opens the payment of a waiting order edit. */
export async function action({ params, request, context }: Route.ActionArgs) {
  const token = new URL(request.url).searchParams.get("token");
  const changeId = String((await request.formData()).get("change"));
  const answer = await context.get(apiContext).call("POST /api/orders/:id/change/:changeId/pay", {
    params: { id: params.id, changeId },
    body: { token },
  });
  return answer.ok ? redirect(answer.body.data.url) : { message: answer.problem.message };
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
    giving,
    products,
    hasAddressLookup,
  } = loaderData;
  return (
    <div className="wrap">
      <div className="page-head">
        {/* Printed pages have no header, so the receipt names the shop. */}
        <p className="hidden type-display text-h3 print:block">
          {brandName}
          {order.paidAt && (
            <>
              {" "}
              receipt, paid <Time iso={order.paidAt} />
            </>
          )}
        </p>
        {(seller.legalName || seller.address) && (
          <p className="mt-1 hidden text-small whitespace-pre-line print:block">
            {[seller.legalName, seller.address].filter(Boolean).join("\n")}
          </p>
        )}
        <div className="print:hidden">
          <LinkArrow to="/orders" back>
            My Orders
          </LinkArrow>
        </div>
        <div className="mt-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <h1 className="lining-nums">Order #{order.number}</h1>
          <OrderBadge
            status={order.status}
            payment={order.payment}
            isCancelled={order.cancelledAt !== null}
            size="large"
          />
        </div>
        <div className="mt-1 flex flex-wrap items-center justify-between gap-x-4">
          <p className="text-ink-muted">
            Placed <Time iso={order.createdAt} />
          </p>
          {order.paidAt && (
            <TextButton className="print:hidden noscript:hidden" onClick={() => window.print()}>
              <Icon glyph={Printer} size="small" /> Print receipt
            </TextButton>
          )}
        </div>
        <UnpaidNotice order={order} />
        {edit && <EditToPay edit={edit} problem={actionData?.message ?? null} />}
        <OrderNotices order={order} />
        {order.needsAttention && (
          <Banner tone="warning" title="Needs attention." className="mt-5 print:hidden">
            {order.needsAttention}
          </Banner>
        )}
      </div>
      <TwoColumns className="pb-(--section-y)">
        <div className="grid gap-10">
          <section aria-labelledby="progress" className="print:hidden">
            <h2 id="progress" className="mb-4.5 text-h3">
              Progress
            </h2>
            <OrderProgress
              order={order}
              policy={shipping}
              waitsUntil={edit?.status === "waiting" ? edit.expiresAt : null}
              today={loaderData.today}
            />
          </section>
          <section aria-labelledby="items">
            <h2 id="items" className="mb-4.5 text-h3">
              Items
            </h2>
            <OrderItems items={order.items} />
            <PrintedParcels shipments={order.shipments} />
            <ReviewLinks order={order} products={products} />
            {order.paidAt && <BuyAgain order={order} token={token} className="mt-5 print:hidden" />}
            {refill && (
              <div className="mt-5">
                <RefillBox orderId={order.id} token={token} refill={refill} />
              </div>
            )}
          </section>
        </div>
        <div className="grid content-start gap-4">
          <OrderSide order={order} />
          {order.paidAt && (
            <OrderInvoices
              orderId={order.id}
              token={token}
              invoices={loaderData.invoices}
              canRequest={Boolean(seller.legalName && seller.address)}
            />
          )}
          {order.paidAt && <GivingNote order={order} giving={giving} />}
          <OrderActions order={order} returns={returns} policies={{ shipping, tax, hasAddressLookup }} />
        </div>
      </TwoColumns>
    </div>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) return <PageProblem />;
  return (
    <EmptyState
      glyph={SearchX}
      heading="h1"
      title="We couldn’t find this order"
      action={<ButtonLink to="/orders">Go to My Orders</ButtonLink>}
    >
      Orders open only in the browser that placed them, or from the link in the confirmation email. On My
      Orders you can ask for a new link.
    </EmptyState>
  );
}

/** The amount that the order gives, for its receipt. `giving`: totals of all orders so far. */
function GivingNote({ order, giving }: { order: Order; giving: Giving }) {
  const note = givingNote(order, giving);
  if (note === null) return null;
  return (
    <div className="grid gap-1.5 text-ink-muted">
      <p className="text-small">{note}</p>
      <p className="text-caption">{givingComputation}</p>
    </div>
  );
}

/**
 * Links to review the products that have shipped and are still sold; none for refunded orders, nor for gifts, which another
 * person uses.
 */
function ReviewLinks({ order, products }: { order: Order; products: readonly ReviewedProduct[] }) {
  const { fulfilment, status, gift, items } = order;
  if (fulfilment === null || status === "refunded" || gift !== null) return null;
  const bought = products.filter(({ id }) => items.some(({ productId }) => productId === id));
  return bought.map(({ id, slug, name }) => (
    <div key={id} className="mt-3 print:hidden">
      <LinkArrow to={`/reviews/new?product=${slug}`}>
        Write a review{bought.length > 1 ? ` of ${name}` : <span className="sr-only"> of {name}</span>}
      </LinkArrow>
    </div>
  ));
}
