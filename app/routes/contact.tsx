import { answersOf } from "../../domain/content/blocks.ts";
import { ContactDetails, contactColumns, Faq } from "../features/contact/contact-details.tsx";
import { ContactForm } from "../features/contact/contact-form.tsx";
import { sendContactForm } from "../features/contact/use-contact-form.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { apiContext, shopContext } from "../shop-context.ts";
import type { Route } from "./+types/contact";

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: "Get in Touch",
    description:
      "Ask about an order, batana oil or how to use it. Common questions about shipping and returns, answered.",
    path: "/contact",
  });

export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const [{ contact, social }, { head, blocks }] = await Promise.all([shop.settings(), shop.content("faq")]);
  return { contact, social, heading: head.title, answers: answersOf(blocks) };
}

export function action({ request, context }: Route.ActionArgs) {
  return sendContactForm(request, context.get(apiContext));
}

export default function ContactPage({ loaderData, actionData }: Route.ComponentProps) {
  const { contact, social, heading, answers } = loaderData;
  return (
    <>
      <div className="wrap">
        <div className="page-head">
          <h1>Get in Touch</h1>
          <p className="mt-4 max-w-144 text-lead text-ink-muted">
            Ask about an order, the oil, or how to use it. We answer by email.
          </p>
        </div>
        <div className={`pb-(--section-y) ${contactColumns}`}>
          <div className="grid gap-7">
            <ContactDetails contact={contact} social={social} />
          </div>
          <ContactForm outcome={actionData} />
        </div>
      </div>
      <Faq heading={heading} answers={answers} />
    </>
  );
}
