import { simpleSubject } from "../../domain/contact/contact.ts";
import { ContactForm } from "../features/contact/contact-form.tsx";
import { sendContactForm } from "../features/contact/use-contact-form.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { apiContext } from "../shop-context.ts";
import type { Route } from "./+types/contact-simple";

export const meta: Route.MetaFunction = (args) =>
  // Search engines should list the contact page, which has the same form and more.
  privatePageMeta(args, "Contact Us");

export function action({ request, context }: Route.ActionArgs) {
  return sendContactForm(request, context.get(apiContext), simpleSubject);
}

export default function SimpleContactPage({ actionData }: Route.ComponentProps) {
  return (
    <div className="wrap max-w-[calc(var(--container-text)+2*var(--gutter))]">
      <div className="page-head">
        <h1>Contact Us</h1>
      </div>
      <div className="pb-(--section-y)">
        <ContactForm simple outcome={actionData} />
      </div>
    </div>
  );
}
