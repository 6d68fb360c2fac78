import { AccountLinks } from "../features/account/account-links.tsx";
import { Addresses } from "../features/account/addresses.tsx";
import { askByForm } from "../features/account/ask-action.ts";
import { dataCalls } from "../features/account/data-calls.ts";
import { YourData } from "../features/account/your-data.tsx";
import { OrderCard } from "../features/orders/order-card.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { apiContext, shopContext, viewerContext } from "../shop-context.ts";
import type { Route } from "./+types/account";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Account");

export function headers() {
  return { "Cache-Control": "private, no-store" };
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const account = await context.get(shopContext).account(context.get(viewerContext));
  return { account, sent: new URL(request.url).searchParams.get("sent") };
}

export function action({ request, context }: Route.ActionArgs) {
  const next = (what: string) => `/account?sent=${what}#your-data`;
  return askByForm(request, context.get(apiContext), dataCalls, next);
}

export default function AccountPage({ loaderData: { account, sent }, actionData }: Route.ComponentProps) {
  const outcome = sent && sent in dataCalls ? { email: "", problem: null, failure: null, sent } : actionData;
  return (
    <div className="wrap max-w-[calc(var(--container-text)+2*var(--gutter))]">
      <div className="page-head">
        <h1>Account</h1>
        <p className="mt-3 text-ink-muted">No password needed. Your orders are kept with this browser.</p>
      </div>
      <div className="grid gap-12 pb-(--section-y) *:min-w-0">
        <AccountLinks ordersCount={account?.ordersCount ?? 0} />
        {account && account.latest.length > 0 && (
          <section aria-labelledby="latest">
            <h2 id="latest" className="mb-4 text-h3">
              Latest orders
            </h2>
            <div className="grid gap-4">
              {account.latest.map((order) => (
                <OrderCard key={order.id} order={order} heading="h3" />
              ))}
            </div>
          </section>
        )}
        {account && account.addresses.length > 0 && <Addresses addresses={account.addresses} />}
        <YourData email={account?.email ?? null} outcome={outcome} />
      </div>
    </div>
  );
}
