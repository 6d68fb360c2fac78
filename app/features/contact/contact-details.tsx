import type { LucideIcon } from "lucide-react";
import Globe from "lucide-react/icons/globe";
import Mail from "lucide-react/icons/mail";
import MapPin from "lucide-react/icons/map-pin";
import Package from "lucide-react/icons/package";
import Phone from "lucide-react/icons/phone";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Answer } from "../../../domain/content/blocks.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { Disclosure } from "../../ui/disclosure.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Blocks } from "../content/words.tsx";

const networks = [
  ["instagram", "Instagram"],
  ["facebook", "Facebook"],
  ["tiktok", "TikTok"],
  ["x", "X"],
] as const;

/** A link large enough to tap that does not increase the line height. */
const linkClass = "link -my-2 inline-flex min-h-11 items-center";

/** The contact details and profiles that the owner has set, and a link to the shopper's order. */
export function ContactDetails({ contact, social }: Pick<ShopSettings, "contact" | "social">) {
  const { email, location, phone } = contact;
  const profiles = networks.flatMap(([key, name]) => {
    const address = social[key];
    return address ? [{ name, address }] : [];
  });
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
            {profiles.map(({ name, address }) => (
              <li key={name}>
                <a className="inline-flex min-h-11 min-w-11 items-center link" href={address} rel="noopener">
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

/** Questions that open separately, the first one open at once; works without JavaScript. */
export function Faq({ heading, answers }: { heading: string; answers: readonly Answer[] }) {
  return (
    <section aria-labelledby="faq" className="section bg-cream-soft">
      <div className={`wrap ${contactColumns}`}>
        <h2 id="faq">{heading}</h2>
        <div className="border-t border-line">
          {answers.map(({ question, blocks }, index) => (
            <Disclosure key={question} title={question} look="question" isOpen={index === 0}>
              <div className="grid gap-3 [&_ol]:list-decimal [&_ol]:pl-5 [&_ul]:list-disc [&_ul]:pl-5">
                <Blocks blocks={blocks} />
              </div>
            </Disclosure>
          ))}
        </div>
      </div>
    </section>
  );
}

/** Two columns of the contact page, stacked below 1024 px. */
export const contactColumns =
  "grid gap-12 *:min-w-0 lg:grid-cols-[5fr_6fr] lg:items-start lg:gap-[clamp(3rem,7vw,7rem)]";
