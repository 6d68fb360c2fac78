import Link2Off from "lucide-react/icons/link-2-off";
import MailCheck from "lucide-react/icons/mail-check";
import { useState } from "react";
import { useNavigate } from "react-router";
import { callApi } from "../features/api.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { shopContext } from "../shop-context.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import type { Route } from "./+types/orders-find";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Find my order");

export function headers() {
  return { "Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer" };
}

/** Looking at the page uses nothing up: mail scanners open links too. The button does. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  return { token, isUsable: await context.get(shopContext).isLookupUsable(token) };
}

export default function FindOrdersPage({ loaderData: { token, isUsable } }: Route.ComponentProps) {
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [isUsedUp, setUsedUp] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const use = async () => {
    setBusy(true);
    setFailure(null);
    const answer = await callApi("POST", "/api/orders/find/use", { body: { token } });
    if (answer.ok) return navigate("/orders", { replace: true });
    setBusy(false);
    const { status, message } = answer.problem;
    if (status >= 400 && status < 500 && status !== 429) setUsedUp(true);
    else setFailure(message);
  };

  if (!isUsable || isUsedUp) {
    return (
      <EmptyState
        glyph={Link2Off}
        heading="h1"
        title="This link can’t be used any more"
        action={<ButtonLink to="/orders">Send me a new link</ButtonLink>}
      >
        Links work once, within one hour. If you have used yours in this browser already, your orders are
        under My Orders.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      glyph={MailCheck}
      heading="h1"
      title="Your orders are ready"
      action={
        <Button busy={isBusy} busyText="Opening..." onClick={use}>
          Show my orders
        </Button>
      }
    >
      <p>This adds the orders of your email address to this browser. The link works once.</p>
      {failure && <Banner className="mt-4 text-left">{failure}</Banner>}
    </EmptyState>
  );
}
