import type { LucideIcon } from "lucide-react";
import Globe from "lucide-react/icons/globe";
import Mail from "lucide-react/icons/mail";
import MapPin from "lucide-react/icons/map-pin";
import Package from "lucide-react/icons/package";
import Phone from "lucide-react/icons/phone";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { type Answer, listAnswers } from "../../domain/content/blocks.ts";
import { socialProfiles } from "../../domain/settings/facts.ts";
import type { ShopSettings } from "../../domain/settings/settings.ts";
import { ContactForm } from "../features/contact/contact-form.tsx";
import { sendContactForm } from "../features/contact/use-contact-form.ts";
import { Blocks } from "../features/content/blocks.tsx";
import { shopPicture } from "../features/content/shop-picture.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { apiContext, shopContext } from "../shop-context.ts";
import { Disclosure } from "../ui/disclosure.tsx";
import { Icon } from "../ui/icon.tsx";
import { LinkArrow } from "../ui/link-arrow.tsx";
import { Picture } from "../ui/picture.tsx";
import type { Route } from "./+types/contact";

const picture = shopPicture(
  "letter.jpg",
  "A green envelope sealed with a drop in wax, a pencil beside it and the bottle behind",
);

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
  return { contact, social, heading: head.title, answers: listAnswers(blocks) };
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
        <div className={`pb-(--section-y) lg:grid-rows-[auto_1fr] lg:gap-y-7! ${contactColumns}`}>
          <div className="grid content-start gap-7">
            <ContactDetails contact={contact} social={social} />
          </div>
          <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
            <ContactForm outcome={actionData} />
          </div>
          <div className="aspect-4/3 overflow-hidden bg-cream">
            <Picture
              image={picture}
              sizes="(min-width: 64rem) 33rem, calc(100vw - 2.5rem)"
              className="size-full object-cover"
            />
          </div>
        </div>
      </div>
      <Faq heading={heading} answers={answers} />
    </>
  );
}

/** A link large enough to tap that does not increase the line height. */
const linkClass = "link -my-2 inline-flex min-h-11 items-center";

/** The contact details and profiles that the owner has set, and a link to the shopper's order. */
function ContactDetails({ contact, social }: Pick<ShopSettings, "contact" | "social">) {
  const { email, location, phone } = contact;
  const profiles = socialProfiles(social);
  return (
    <>
      {email && (
        <ContactLine glyph={Mail} label="Email">
          <a className={`${linkClass} break-all`} href={`mailto:${email}`}>
            {email}
          </a>
        </ContactLine>
      )}
      {location && (
        <ContactLine glyph={MapPin} label="Location">
          {location}
        </ContactLine>
      )}
      {phone && (
        <ContactLine glyph={Phone} label="Phone">
          <a className={linkClass} href={`tel:${phone.replaceAll(/[^+\d]/g, "")}`}>
            {phone}
          </a>
        </ContactLine>
      )}
      <ContactLine glyph={Package} label="Your order">
        <Link className={linkClass} to="/orders">
          Find it with your email address
        </Link>
      </ContactLine>
      {profiles.length > 0 && (
        <ContactLine glyph={Globe} label="Follow us">
          <ul className="flex flex-wrap gap-x-5">
            {profiles.map(({ name, url }) => (
              <li key={name}>
                <a className="inline-flex min-h-11 min-w-11 items-center link" href={url} rel="noopener">
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </ContactLine>
      )}
    </>
  );
}

function ContactLine({ glyph, label, children }: { glyph: LucideIcon; label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[24px_1fr] items-start gap-x-4">
      <Icon glyph={glyph} className="mt-[3px] text-copper-700" />
      <div>
        <p className="text-small text-ink-muted">{label}</p>
        <div>{children}</div>
      </div>
    </div>
  );
}

/** Questions that open separately; the first is open initially. Works without JavaScript. */
function Faq({ heading, answers }: { heading: string; answers: readonly Answer[] }) {
  return (
    <section aria-labelledby="faq" className="section bg-cream-soft">
      <div className={`wrap ${contactColumns}`}>
        <h2 id="faq">{heading}</h2>
        <div>
          <div className="border-t border-line">
            {answers.map(({ question, blocks }, index) => (
              <Disclosure key={question} title={question} variant="question" isOpen={index === 0}>
                <div className="grid gap-3 [&_ol]:list-decimal [&_ol]:pl-5 [&_ul]:list-disc [&_ul]:pl-5">
                  <Blocks blocks={blocks} />
                </div>
              </Disclosure>
            ))}
          </div>
          <p className="mt-6">
            <LinkArrow to="/faq">All questions</LinkArrow>
          </p>
        </div>
      </div>
    </section>
  );
}

/** Two columns of the contact page, stacked below 1024 px. */
const contactColumns =
  "grid gap-12 *:min-w-0 lg:grid-cols-[5fr_6fr] lg:items-start lg:gap-[clamp(3rem,7vw,7rem)]";
