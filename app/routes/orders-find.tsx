import Link2Off from "lucide-react/icons/link-2-off";
import MailCheck from "lucide-react/icons/mail-check";
import { type FormEvent, useState } from "react";
import { data, redirect, useNavigate } from "react-router";
import { callApi } from "../features/api.ts";
import { formEntries } from "../features/form-entries.ts";
import { privatePageMeta, tokenPageHeaders } from "../seo/page-meta.ts";
import { apiContext, shopContext } from "../shop-context.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import type { Route } from "./+types/orders-find";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Find my order");

export const headers = tokenPageHeaders;

/** The link is redeemed by the button, not by opening the page, because mail scanners open links too. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  return { token, isUsable: await context.get(shopContext).isLookupUsable(token) };
}

/** Handles the button without JavaScript. */
export async function action({ request, context }: Route.ActionArgs) {
  const entry = await formEntries(request);
  const response = await context.get(apiContext).call(redeemCall, { body: { token: entry("token") } });
  if (response.ok) return redirect("/orders", 303);
  const { status, message } = response.problem;
  return data({ failure: message }, { status });
}

const redeemCall = "POST /api/orders/find/use";

export default function FindOrdersPage({
  loaderData: { token, isUsable },
  actionData,
}: Route.ComponentProps) {
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [isUsedUp, setUsedUp] = useState(false);
  const [failure, setFailure] = useState(actionData?.failure ?? null);

  const redeemLink = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    const response = await callApi(redeemCall, { body: { token } });
    if (response.ok) return navigate("/orders", { replace: true });
    setBusy(false);
    const { status, message } = response.problem;
    if (status >= 400 && status < 500 && status !== 429) setUsedUp(true);
    else setFailure(message);
  };

  if (!isUsable || isUsedUp) {
    return (
      <EmptyState
        glyph={Link2Off}
        title="This link no longer works"
        action={<ButtonLink to="/orders#find">Send me a new link</ButtonLink>}
      >
        Links work once, for one hour. If you have used yours in this browser already, your orders are under
        My Orders.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      glyph={MailCheck}
      title="Your orders are ready"
      action={
        <form method="post" onSubmit={redeemLink}>
          <input type="hidden" name="token" value={token} />
          <Button type="submit" busy={isBusy} busyText="Opening...">
            Show my orders
          </Button>
        </form>
      }
    >
      <p>This adds the orders placed with your email address to this browser. The link works once.</p>
      {failure && <Banner className="mt-4 text-left">{failure}</Banner>}
    </EmptyState>
  );
}
