import SearchX from "lucide-react/icons/search-x";
import type { FormEvent } from "react";
import { data, isRouteErrorResponse } from "react-router";
import { bundleNote, priceUnits } from "../../domain/catalog/bundles.ts";
import { type BuyAgainItem, buyAgainProblem } from "../../domain/orders/buy-again.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { redirectWithEdits } from "../features/cart/cart-action.ts";
import { buyAgainPath, useBuyAgain } from "../features/orders/buy-again.tsx";
import { OrderImage } from "../features/orders/order-items.tsx";
import { privatePageMeta, tokenPageHeaders } from "../seo/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { apiContext } from "../shop-context.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { LinkArrow } from "../ui/link-arrow.tsx";
import type { Route } from "./+types/order-again";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Buy again");

export const headers = tokenPageHeaders;

/** Opening the page adds nothing to a cart, because mail scanners open links too; pressing the button does. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const token = readToken(request);
  const response = await context
    .get(apiContext)
    .call("GET /api/orders/:id/again", { params, query: { token } });
  if (!response.ok) throw data(null, { status: response.problem.status });
  return { orderId: params.id, token, offer: response.body.data };
}

/** Handles the button without JavaScript. */
export async function action({ params, request, context }: Route.ActionArgs) {
  const response = await context
    .get(apiContext)
    .call("POST /api/orders/:id/again", { params, body: { token: readToken(request) } });
  if (!response.ok) throw data(null, { status: response.problem.status });
  const { items, cart } = response.body.data;
  const edits = items.flatMap(({ productId, quantity }) =>
    quantity > 0 ? [{ kind: "atLeast" as const, productId, quantity }] : [],
  );
  return redirectWithEdits({ request, context }, edits, cart);
}

function readToken(request: Request): string | null {
  return new URL(request.url).searchParams.get("token");
}

export default function BuyAgainPage({ loaderData: { orderId, token, offer } }: Route.ComponentProps) {
  const { isBusy, buyAgain } = useBuyAgain(orderId, token);
  const { number, items, subtotal } = offer;
  const hasAvailableItems = items.some(({ quantity }) => quantity > 0);
  const orderPath = `/orders/${orderId}${token === null ? "" : `?token=${encodeURIComponent(token)}`}`;
  return (
    <div className="wrap max-w-[calc(var(--container-form)+2*var(--gutter))] pb-(--section-y)">
      <div className="page-head">
        <LinkArrow to={orderPath} back>
          Order #{number}
        </LinkArrow>
        <h1 className="mt-2">Buy again</h1>
        <p className="mt-3 text-ink-muted">What you ordered, at today’s prices.</p>
      </div>
      <div className="grid gap-6">
        <ul className="divide-y divide-line border-y border-line">
          {items.map((item) => (
            <Line key={item.productId} item={item} />
          ))}
        </ul>
        {hasAvailableItems ? (
          <>
            <div>
              <div className="flex justify-between gap-4 text-[1.0625rem] font-semibold tabular-nums">
                <span>Subtotal</span>
                <span>{formatCents(subtotal)}</span>
              </div>
              <p className="mt-1 text-small text-ink-muted">Shipping and tax are added at checkout.</p>
            </div>
            <form
              method="post"
              action={buyAgainPath(orderId, token)}
              onSubmit={(event: FormEvent) => {
                event.preventDefault();
                void buyAgain();
              }}
            >
              <Button type="submit" block busy={isBusy} busyText="Adding">
                Add to Cart
              </Button>
            </form>
          </>
        ) : (
          <Banner tone="info" title="None of this is available right now.">
            <p>See what else is in the shop.</p>
            <div className="mt-3">
              <ButtonLink to="/" size="small" variant="secondary">
                Continue Shopping
              </ButtonLink>
            </div>
          </Banner>
        )}
      </div>
    </div>
  );
}

function Line({ item }: { item: BuyAgainItem }) {
  const { name, image, quantity, price, total } = item;
  const problem = buyAgainProblem(item);
  const { bundles, saving } = priceUnits(price, quantity, item.bundles);
  const note = bundleNote(bundles, saving);
  return (
    <li className="grid grid-cols-[60px_1fr_auto] items-center gap-4 py-5 text-ui">
      <OrderImage url={image} />
      <span>
        <span className="font-medium wrap-anywhere">
          {quantity > 0 && `${quantity} × `}
          {name}
        </span>
        {quantity > 1 && (
          <span className="block text-small text-ink-muted tabular-nums">{formatCents(price)} each</span>
        )}
        {note && <span className="block text-small text-success">{note}</span>}
        {problem && <span className="block text-small text-warning">{problem}</span>}
      </span>
      {quantity > 0 && <span className="font-semibold tabular-nums">{formatCents(total)}</span>}
    </li>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) return <PageProblem />;
  return (
    <EmptyState
      glyph={SearchX}
      title="We can’t find this order here"
      action={<ButtonLink to="/orders">My Orders</ButtonLink>}
    >
      Open the link in the email again, or find your orders with your email address.
    </EmptyState>
  );
}
