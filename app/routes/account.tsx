import type { LucideIcon } from "lucide-react";
import ArrowRight from "lucide-react/icons/arrow-right";
import MailCheck from "lucide-react/icons/mail-check";
import MailSearch from "lucide-react/icons/mail-search";
import MapPin from "lucide-react/icons/map-pin";
import MessageCircle from "lucide-react/icons/message-circle";
import Package from "lucide-react/icons/package";
import { Link } from "react-router";
import type { Account } from "../../domain/orders/order.ts";
import {
  dataCalls,
  type LinkRequestOutcome,
  requestLinkByForm,
  useLinkRequest,
} from "../features/account/link-request.ts";
import { TwoColumns } from "../features/checkout/two-columns.tsx";
import { OrderCard } from "../features/orders/order-card.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { apiContext, shopContext, viewerContext } from "../shop-context.ts";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/card.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { EmailField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/account";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Account");

export function headers() {
  return { "Cache-Control": "private, no-store" };
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const account = await context.get(shopContext).account(context.get(viewerContext));
  return { account, sentCall: new URL(request.url).searchParams.get("sent") };
}

export function action({ request, context }: Route.ActionArgs) {
  const nextPath = (callName: string) => `/account?sent=${callName}#your-data`;
  return requestLinkByForm(request, context.get(apiContext), dataCalls, nextPath);
}

export default function AccountPage({ loaderData: { account, sentCall }, actionData }: Route.ComponentProps) {
  const outcome =
    sentCall && sentCall in dataCalls ? { email: "", problem: null, failure: null, sentCall } : actionData;
  return (
    <div className="wrap">
      <div className="page-head">
        <h1>Account</h1>
        <p className="mt-3 text-ink-muted">No password needed. Your orders are kept with this browser.</p>
      </div>
      <TwoColumns className="pb-(--section-y)">
        <div className="grid gap-12 *:min-w-0">
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
        </div>
        <YourData email={account?.email ?? null} outcome={outcome} />
      </TwoColumns>
    </div>
  );
}

/** Links of the account page, as rows between lines. */
function AccountLinks({ ordersCount }: { ordersCount: number }) {
  const orderCount = ordersCount === 1 ? "1 order" : `${ordersCount} orders`;
  return (
    <ul>
      <Row to="/orders" glyph={Package} name="My Orders">
        {ordersCount > 0 ? orderCount : "See, change or return an order"}
      </Row>
      <Row to="/orders#find" glyph={MailSearch} name="Find my order">
        Get a link by email
      </Row>
      <Row to="/contact" glyph={MessageCircle} name="Contact Us">
        Questions about an order or the oil
      </Row>
    </ul>
  );
}

function Row({
  to,
  glyph,
  name,
  children,
}: {
  to: string;
  glyph: LucideIcon;
  name: string;
  children: string;
}) {
  return (
    <li className="border-t border-line last:border-b">
      <Link
        to={to}
        className="group grid min-h-21 grid-cols-[28px_1fr_auto] items-center gap-4 py-3 no-underline"
      >
        <Icon glyph={glyph} />
        <span>
          <span className="block type-display text-h3">{name}</span>
          <span className="text-small text-ink-muted">{children}</span>
        </span>
        <Icon
          glyph={ArrowRight}
          className="transition-transform duration-(--dur-2) ease-out group-hover:translate-x-[3px]"
        />
      </Link>
    </li>
  );
}

function Addresses({ addresses }: { addresses: Account["addresses"] }) {
  return (
    <section aria-labelledby="addresses">
      <h2 id="addresses" className="mb-4 text-h3">
        Addresses used
      </h2>
      <ul className="grid gap-3">
        {addresses.map(({ name, address }) => (
          <li
            key={`${name} ${address}`}
            className="grid grid-cols-[auto_1fr] gap-3 rounded-md border border-line bg-surface p-5 text-ui"
          >
            <Icon glyph={MapPin} className="mt-0.5 text-copper-700" />
            <span className="min-w-0 wrap-break-word">
              {name}
              <span className="block text-small text-ink-muted">{address}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * A form that requests a copy or the deletion of all data stored about an address; the e-mailed link proves who owns
 * the address.
 */
function YourData({ email, outcome }: { email: string | null; outcome: LinkRequestOutcome | undefined }) {
  const { state, request } = useLinkRequest(dataCalls, outcome);
  return (
    <Panel id="your-data">
      <h2 className="text-h3">Your data</h2>
      <p className="mt-2 mb-5 text-small text-ink-muted">
        Get a copy of everything we store about your email address, or have it deleted. We’ll send a link to
        that address first, so that nobody else can ask for it. Nothing is deleted until you confirm.
      </p>
      <div role="status">
        {state.sentCall && (
          <Banner tone="success" glyph={MailCheck} title="Check your inbox." className="mb-5">
            If we store anything about that address, a link{" "}
            {state.sentCall === "deletion" ? "to delete it" : "to your copy"} is on its way. It works once,
            for one hour.
          </Banner>
        )}
      </div>
      <form method="post" noValidate className="grid gap-3.5" onSubmit={request}>
        {state.failure && <Banner>{state.failure}</Banner>}
        <EmailField
          name="email"
          id="data-email"
          placeholder="name@example.com"
          defaultValue={outcome?.email || (email ?? undefined)}
          error={state.problem}
        />
        <div className="grid gap-3 sm:grid-cols-2">
          <Button
            type="submit"
            name="ask"
            value="export"
            variant="secondary"
            busy={state.runningCall === "export"}
            busyText="Sending..."
          >
            Get a copy
          </Button>
          <Button
            type="submit"
            name="ask"
            value="deletion"
            variant="danger-quiet"
            busy={state.runningCall === "deletion"}
            busyText="Sending..."
          >
            Delete my data
          </Button>
        </div>
      </form>
    </Panel>
  );
}
