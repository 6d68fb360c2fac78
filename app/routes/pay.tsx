import Lock from "lucide-react/icons/lock";
import { data, Form, isRouteErrorResponse, redirect, useNavigation } from "react-router";
import type { Payable } from "../../domain/drafts/draft.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { CheckoutFrame } from "../features/checkout/checkout-frame.tsx";
import { PayEdit, PayLines } from "../features/checkout/pay-edit.tsx";
import { TotalsList } from "../features/checkout/totals-list.tsx";
import { formEntries } from "../features/form-entries.ts";
import { privatePageMeta, tokenPageHeaders } from "../seo/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { apiContext } from "../shop-context.ts";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/card.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/pay";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Pay your order");

export const headers = tokenPageHeaders;

/** Opening the page places no order, because mail scanners open links too; pressing the button does. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const api = context.get(apiContext);
  const token = readToken(request);
  const draft = await api.call("GET /api/pay/:id", { params, query: { token } });
  if (draft.ok) return { draft: draft.body.data, edit: null };
  if (draft.problem.status === 404) {
    const done = new URL(request.url).searchParams.get("done") ?? "";
    const edit = await api.call("GET /api/pay-change/:id", { params, query: { token, done } });
    if (edit.ok) return { draft: null, edit: edit.body.data };
    const exchange = await api.call("GET /api/pay-exchange/:id", { params, query: { token, done } });
    if (exchange.ok) return { draft: null, edit: exchange.body.data };
  }
  throw data({ message: draft.problem.message }, { status: draft.problem.status });
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const entry = await formEntries(request);
  const api = context.get(apiContext);
  const token = readToken(request);
  const response =
    entry("exchange") !== ""
      ? await api.call("POST /api/pay-exchange/:id", { params, body: { token } })
      : entry("change") !== ""
        ? await api.call("POST /api/pay-change/:id", { params, body: { token } })
        : await api.call("POST /api/pay/:id", { params, body: { token, total: Number(entry("total")) } });
  return response.ok ? redirect(response.body.data.url) : { message: response.problem.message };
}

function readToken(request: Request): string {
  return new URL(request.url).searchParams.get("token") ?? "";
}

export default function PayPage({ loaderData: { draft, edit }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const problem = actionData?.message ?? null;
  if (draft) return <PayDraft draft={draft} isBusy={isBusy} refusal={problem} />;
  return (
    <CheckoutFrame>
      <PayEdit edit={edit} isBusy={isBusy} problem={problem} />
    </CheckoutFrame>
  );
}

function PayDraft({ draft, isBusy, refusal }: { draft: Payable; isBusy: boolean; refusal: string | null }) {
  const { status, quote, addressLines, shippingOption, canBePaid } = draft;
  const isPaid = status === "paid" || status === "processing";
  const problem = status === "expired" ? expiredText : canBePaid ? null : changedText;
  return (
    <CheckoutFrame>
      <div className="mx-auto grid max-w-144 gap-6 py-[clamp(1.5rem,1rem+2vw,3rem)]">
        <h1 className="text-[clamp(2rem,1.6rem+1.6vw,3rem)]">{isPaid ? "Thank you" : "Your order"}</h1>
        {isPaid && (
          <Banner
            tone="success"
            title={status === "paid" ? "This order is paid." : "Your payment is being processed."}
          >
            {status === "paid"
              ? "We’ve emailed you the confirmation."
              : "We’ll email you the confirmation as soon as it has gone through."}
          </Banner>
        )}
        {refusal && <Banner title="The payment was not opened.">{refusal}</Banner>}
        {!isPaid && problem && (
          <Banner tone="warning" title="This can’t be paid now.">
            {problem}
          </Banner>
        )}
        <Panel className="grid gap-5">
          <div className="-mt-4 border-b border-line">
            <PayLines lines={quote.items} />
          </div>
          <TotalsList totals={quote.totals} />
          <div className="border-t border-line pt-4 text-small">
            <h2 className="font-sans text-small font-semibold tracking-normal">Ships to</h2>
            <address className="mt-1 wrap-anywhere text-ink-muted not-italic">
              {addressLines.map((line, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines may be equal, and are never reordered
                <span key={index} className="block">
                  {line}
                </span>
              ))}
            </address>
            {shippingOption && <p className="mt-1 text-ink-muted">{shippingOption} shipping</p>}
          </div>
        </Panel>
        {!isPaid && !problem && (
          <Form method="post">
            <input type="hidden" name="total" value={quote.totals.total} />
            <Button type="submit" block busy={isBusy} busyText="Opening the payment...">
              <Icon glyph={Lock} size="small" /> Pay {formatCents(quote.totals.total)}
            </Button>
            <p className="mt-3 text-center text-small text-balance text-ink-muted">
              Something not right? Reply to our email before you pay.
            </p>
          </Form>
        )}
      </div>
    </CheckoutFrame>
  );
}

const expiredText = "The link has expired. Please ask us for a new one.";
const changedText =
  "Something in this order is no longer available as it was. Write to us, and we’ll change it for you.";

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <CheckoutFrame>
      <div className="wrap">
        <PageProblem isMissing={isRouteErrorResponse(error) && error.status === 404} />
      </div>
    </CheckoutFrame>
  );
}
