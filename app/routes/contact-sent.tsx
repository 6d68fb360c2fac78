import MailCheck from "lucide-react/icons/mail-check";
import { privatePageMeta } from "../seo/page-meta.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import type { Route } from "./+types/contact-sent";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Message sent");

/** Page after the contact form was sent without JavaScript. */
export function loader({ request }: Route.LoaderArgs) {
  const reference = new URL(request.url).searchParams.get("reference") ?? "";
  return { reference: /^M-\d{1,9}$/.test(reference) ? reference : null };
}

export default function ContactSentPage({ loaderData: { reference } }: Route.ComponentProps) {
  return (
    <EmptyState
      glyph={MailCheck}
      title="Message sent"
      action={<ButtonLink to="/">Continue Shopping</ButtonLink>}
    >
      {reference && <p>Your reference is {reference}.</p>}
      <p>We answer by email.</p>
    </EmptyState>
  );
}
