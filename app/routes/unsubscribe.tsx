import Link2Off from "lucide-react/icons/link-2-off";
import MailCheck from "lucide-react/icons/mail-check";
import MailX from "lucide-react/icons/mail-x";
import { data } from "react-router";
import { privatePageMeta, tokenPageHeaders } from "../seo/page-meta.ts";
import { apiContext, shopContext } from "../shop-context.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import type { Route } from "./+types/unsubscribe";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Unsubscribe");

export const headers = tokenPageHeaders;

/** Opening the page changes nothing, because mail scanners open links too; pressing the button does. */
export function loader({ request, context }: Route.LoaderArgs) {
  return { kind: context.get(shopContext).unsubscribeKind(readToken(request)) };
}

/** Handles the button and the requests of mail programs (RFC 8058), with any body. */
export async function action({ request, context }: Route.ActionArgs) {
  const response = await context
    .get(apiContext)
    .call("POST /api/unsubscribe", { body: { token: readToken(request) } });
  if (response.ok) return data({ isDone: true, failure: null });
  const { status, message } = response.problem;
  return data({ isDone: false, failure: message }, { status });
}

const emailKindTexts = {
  review_request: "emails that ask for a review",
  cart_reminder: "emails about a cart you left",
  stock_alert: "emails about products that are back in stock",
  newsletter: "newsletters",
  refill_reminder: "refill reminders",
};

export default function UnsubscribePage({ loaderData: { kind }, actionData }: Route.ComponentProps) {
  if (kind === null) {
    return (
      <EmptyState
        glyph={Link2Off}
        title="This link can’t be used"
        action={<ButtonLink to="/contact">Write to us</ButtonLink>}
      >
        Part of the link is missing. Please open it from the email itself, or write to us and we’ll
        unsubscribe you.
      </EmptyState>
    );
  }
  if (actionData?.isDone) {
    return (
      <EmptyState
        glyph={MailCheck}
        title="You’re unsubscribed"
        action={<ButtonLink to="/">Continue Shopping</ButtonLink>}
      >
        We won’t send you any more {emailKindTexts[kind]}. You’ll still get emails about your orders.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      glyph={MailX}
      title="Unsubscribe"
      action={
        // A plain form works the same without JavaScript.
        <form method="post">
          <Button type="submit">Unsubscribe</Button>
        </form>
      }
    >
      <p>This stops {emailKindTexts[kind]}. You’ll still get emails about your orders.</p>
      {actionData?.failure && <Banner className="mt-4 text-left">{actionData.failure}</Banner>}
    </EmptyState>
  );
}

function readToken(request: Request): string {
  return new URL(request.url).searchParams.get("token") ?? "";
}
