import Package from "lucide-react/icons/package";
import RotateCw from "lucide-react/icons/rotate-cw";
import { requestLinkByForm } from "../features/account/link-request-action.ts";
import { TwoColumns } from "../features/checkout/two-columns.tsx";
import { FindOrder, findCalls } from "../features/orders/find-order.tsx";
import { OrderCard } from "../features/orders/order-card.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { apiContext, shopContext, viewerContext } from "../shop-context.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { Icon } from "../ui/icon.tsx";
import { LinkArrow } from "../ui/link-arrow.tsx";
import type { Route } from "./+types/orders";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "My Orders");

export function headers() {
  return { "Cache-Control": "private, no-store" };
}

export async function loader({ request, context }: Route.LoaderArgs) {
  return {
    orders: await context.get(shopContext).ordersOf(context.get(viewerContext)),
    isLinkSent: new URL(request.url).searchParams.get("find") === "sent",
  };
}

export function action({ request, context }: Route.ActionArgs) {
  return requestLinkByForm(request, context.get(apiContext), findCalls, () => "/orders?find=sent#find");
}

export default function OrdersPage({ loaderData, actionData }: Route.ComponentProps) {
  const { orders, isLinkSent } = loaderData;
  const sent = { email: "", problem: null, failure: null, sent: "orders" };
  return (
    <div className="wrap">
      <Head />
      <TwoColumns className="pb-(--section-y)">
        {orders.length === 0 ? (
          <EmptyState
            boxed
            glyph={Package}
            title="You haven't placed any orders yet."
            action={<ButtonLink to="/">Start Shopping</ButtonLink>}
          />
        ) : (
          <div className="grid gap-4">
            {orders.map((order) => (
              <OrderCard key={order.id} order={order} />
            ))}
          </div>
        )}
        <FindOrder outcome={isLinkSent ? sent : actionData} />
      </TwoColumns>
    </div>
  );
}

export function ErrorBoundary(_: Route.ErrorBoundaryProps) {
  return (
    <div className="wrap pb-(--section-y)">
      <Head />
      <Banner
        title="There was an error loading your orders. Please try again later."
        className="max-w-(--container-form)"
      >
        <div className="mt-3">
          <Button size="small" variant="secondary" onClick={() => window.location.reload()}>
            <Icon glyph={RotateCw} size="small" /> Retry
          </Button>
        </div>
      </Banner>
    </div>
  );
}

function Head() {
  return (
    <div className="page-head">
      <LinkArrow to="/account" back>
        Back to Account
      </LinkArrow>
      <h1 className="mt-2">My Orders</h1>
      <p className="mt-3 text-ink-muted">Orders placed from this browser.</p>
    </div>
  );
}
