import MailCheck from "lucide-react/icons/mail-check";
import Package from "lucide-react/icons/package";
import RotateCw from "lucide-react/icons/rotate-cw";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import {
  type LinkRequestOutcome,
  requestLinkByForm,
  useLinkRequest,
} from "../features/account/link-request.ts";
import { TwoColumns } from "../features/checkout/two-columns.tsx";
import { OrderCard } from "../features/orders/order-card.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { apiContext, shopContext, viewerContext } from "../shop-context.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Panel } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { EmailField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { LinkArrow } from "../ui/link-arrow.tsx";
import type { Route } from "./+types/orders";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "My Orders");

export function headers() {
  return { "Cache-Control": "private, no-store" };
}

export async function loader({ request, context }: Route.LoaderArgs) {
  return {
    orders: await context.get(shopContext).listViewerOrders(context.get(viewerContext)),
    isLinkSent: new URL(request.url).searchParams.get("find") === "sent",
  };
}

export function action({ request, context }: Route.ActionArgs) {
  return requestLinkByForm(request, context.get(apiContext), findCalls, () => "/orders?find=sent#find");
}

export default function OrdersPage({ loaderData, actionData }: Route.ComponentProps) {
  const { orders, isLinkSent } = loaderData;
  const sentOutcome: LinkRequestOutcome = { email: "", problem: null, failure: null, sentCall: "orders" };
  return (
    <div className="wrap">
      <Head />
      <TwoColumns className="pb-(--section-y)">
        {orders.length === 0 ? (
          <EmptyState
            boxed
            glyph={Package}
            title="You haven’t placed any orders yet."
            action={<ButtonLink to="/">Start Shopping</ButtonLink>}
          />
        ) : (
          <div className="grid gap-4">
            {orders.map((order) => (
              <OrderCard key={order.id} order={order} />
            ))}
          </div>
        )}
        <FindOrder outcome={isLinkSent ? sentOutcome : actionData} />
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

const findCalls = { orders: "POST /api/orders/find" } as const;

/**
 * Sends a link to the orders of an e-mail address; the response is the same whether or not the address has orders. Without
 * JavaScript the page's action handles the form, and `outcome` is its response.
 */
function FindOrder({ outcome }: { outcome: LinkRequestOutcome | undefined }) {
  const { state, request, reset } = useLinkRequest(findCalls, outcome);
  const panel = useRef<HTMLDivElement>(null);
  const wasSent = useRef(state.sentCall !== null);
  const isSent = state.sentCall !== null;
  // The focused control has been replaced, so the message gets the focus, or the field for another attempt.
  useEffect(() => {
    if (isSent === wasSent.current) return;
    wasSent.current = isSent;
    panel.current?.querySelector<HTMLElement>(isSent ? "[role=status]" : "input")?.focus();
  }, [isSent]);

  return (
    <Panel id="find" ref={panel}>
      <h2 className="text-h3">Find my order</h2>
      <p className="mt-2 mb-5 text-small text-ink-muted">
        Ordered on another device? Enter the email address you used and we’ll send you a link to your orders.
      </p>
      <div role="status" tabIndex={-1} className="outline-none">
        {isSent && (
          <Banner tone="success" glyph={MailCheck} title="Check your inbox.">
            If that address has orders, a link is on its way. It works once, for one hour.
          </Banner>
        )}
      </div>
      {isSent && (
        <p className="mt-3 text-small text-ink-muted">
          Nothing there after a few minutes? Check your spam folder, or{" "}
          {/* The link's URL is for browsers without JavaScript. */}
          <Link
            to="/orders#find"
            className="link"
            onClick={(event) => {
              event.preventDefault();
              reset();
            }}
          >
            try another address
          </Link>
          .
        </p>
      )}
      {!isSent && (
        <form method="post" noValidate className="grid gap-3.5" onSubmit={request}>
          {state.failure && <Banner>{state.failure}</Banner>}
          <EmailField
            name="email"
            id="find-email"
            placeholder="name@example.com"
            defaultValue={outcome?.email}
            error={state.problem}
          />
          <Button
            type="submit"
            variant="secondary"
            block
            busy={state.runningCall !== null}
            busyText="Sending..."
          >
            Send me the link
          </Button>
        </form>
      )}
    </Panel>
  );
}
