import Plus from "lucide-react/icons/plus";
import { useLocation } from "react-router";
import logo from "../../assets/brand/logo-light.svg";
import { givingSentence, socialProfiles } from "../../domain/settings/facts.ts";
import type { ShopSettings } from "../../domain/settings/settings.ts";
import { hasShippingNote, ShippingNote } from "../features/shipping/shipping-note.tsx";
import type { loader } from "../root.tsx";
import { Icon } from "../ui/icon.tsx";
import { PageLink } from "../ui/page-link.tsx";

export type FrameData = Awaited<ReturnType<typeof loader>>;

export function Footer({ frame }: { frame: FrameData }) {
  const { pathname } = useLocation();
  const products = frame.products.map(({ name, slug }) => ({ to: `/product/${slug}`, label: name }));
  return (
    <footer className="on-dark bg-forest-800 pt-[clamp(2.5rem,1.25rem+4.75vw,6rem)] pb-6 md:pb-8 text-ink-on-dark print:hidden">
      <div className="wrap">
        <div className="grid gap-7 md:gap-10 lg:grid-cols-[5fr_7fr]">
          <div>
            <img
              src={logo}
              width={173}
              height={34}
              alt={frame.brandName}
              loading="lazy"
              className="h-8.5 w-auto forced-color-adjust-none forced-colors:bg-forest-800"
            />
            <p className="mt-4 max-w-100 md:mt-5 max-md:text-small text-ink-on-dark-muted">
              Pure batana oil, pressed from palm fruit the traditional way in Honduras.{" "}
              {givingSentence(frame.givingPercent)}
            </p>
            <FooterContact contact={frame.contact} social={frame.social} />
            {/* Not on /newsletter and /unsubscribe. The expression is short, because the scripts of the product's page are at their size limit. */}
            {frame.newsletter && !/^.(news|unsub)/.test(pathname) && (
              <SignUpForm terms={frame.newsletter} welcome={frame.welcome} />
            )}
          </div>
          <FooterMenu
            groups={frame.menu.footer.map(({ title, links }, index) => ({
              title,
              links: index === 0 ? [...products, ...links] : links,
            }))}
          />
        </div>
        <div className="mt-4 flex flex-wrap items-center justify-between gap-x-8 gap-y-1 md:mt-12 md:border-t md:border-line-on-dark md:pt-4 text-small text-ink-on-dark-muted">
          <span>
            © {frame.year} {frame.brandName}. All rights reserved.
          </span>
          <ul aria-label="Legal" className="flex flex-wrap gap-x-6">
            {frame.menu.legal.map(({ to, label }) => (
              <li key={to}>
                <FooterLink to={to}>{label}</FooterLink>
              </li>
            ))}
          </ul>
          {hasShippingNote(frame.shippingNotes) && <ShippingNote notes={frame.shippingNotes} />}
        </div>
      </div>
    </footer>
  );
}

/** A plain form, which works from the first paint and without JavaScript. */
function SignUpForm({ terms, welcome }: { terms: string; welcome: string | null }) {
  return (
    <form method="post" action="/newsletter" className="mt-6 max-w-100">
      <label htmlFor="news-email" className="text-small font-medium text-copper-300">
        Newsletter
      </label>
      <div className="mt-1.5 flex gap-2">
        <input
          id="news-email"
          // Not of the type "email", because the page's own form may have a field of that type; the server checks the
          // address anyway.
          type="text"
          inputMode="email"
          name="email"
          required
          aria-describedby="news-terms"
          placeholder="you@example.com"
          maxLength={254}
          autoComplete="email"
          className="min-h-12 w-full rounded-sm border border-forest-400 bg-transparent px-3.5"
        />
        <button
          type="submit"
          className="min-h-12 shrink-0 rounded-sm bg-cream px-4 font-medium text-forest-900"
        >
          Sign Up
        </button>
      </div>
      <p id="news-terms" className="mt-1.5 text-caption text-balance text-ink-on-dark-muted">
        {welcome && <b className="block">{welcome}</b>}
        {terms}
      </p>
    </form>
  );
}

type LinkGroup = { title: string; links: { to: string; label: string }[] };

/** Columns of links; on phones groups that unfold, of which the group with the contact link is open. */
function FooterMenu({ groups }: { groups: LinkGroup[] }) {
  return (
    <nav aria-label="Footer" className="w-full md:max-w-144 lg:justify-self-end">
      <div className="border-t border-line-on-dark md:hidden">
        {groups.map(({ title, links }) => (
          <details
            key={title}
            open={links.some(({ to }) => to.startsWith("/contact"))}
            className="disclosure group border-b border-line-on-dark"
          >
            <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between font-medium text-copper-300 [&::-webkit-details-marker]:hidden">
              {title}
              <Icon
                glyph={Plus}
                className="transition-transform duration-(--dur-3) ease-out group-open:rotate-45"
              />
            </summary>
            <LinkList links={links} className="grid grid-cols-2 gap-x-6 pb-2" />
          </details>
        ))}
      </div>
      <div className="grid grid-cols-3 gap-x-6 max-md:hidden">
        {groups.map(({ title, links }) => (
          <div key={title}>
            <h2 className="mb-2 font-sans text-small leading-[1.4] font-medium tracking-normal text-copper-300">
              {title}
            </h2>
            <LinkList links={links} />
          </div>
        ))}
      </div>
    </nav>
  );
}

function LinkList({ links, className = "" }: Pick<LinkGroup, "links"> & { className?: string }) {
  return (
    <ul className={className}>
      {links.map(({ to, label }) => (
        <li key={to}>
          <FooterLink to={to}>{label}</FooterLink>
        </li>
      ))}
    </ul>
  );
}

function FooterLink({ to, children }: { to: string; children: string }) {
  return (
    <PageLink
      to={to}
      className="inline-flex min-h-11 min-w-11 items-center wrap-anywhere no-underline underline-offset-[.25em] hover:underline"
    >
      {children}
    </PageLink>
  );
}

/** The contact details and profiles that the owner has set; renders nothing if there are none. */
function FooterContact({ contact, social }: Pick<ShopSettings, "contact" | "social">) {
  const links = [
    ...(contact.email ? [{ href: `mailto:${contact.email}`, label: contact.email }] : []),
    ...(contact.phone
      ? [{ href: `tel:${contact.phone.replaceAll(/[^+\d]/g, "")}`, label: contact.phone }]
      : []),
    ...socialProfiles(social).map(({ name, url }) => ({ href: url, label: name })),
  ];
  if (links.length === 0) return null;
  return (
    <ul className="mt-5 flex flex-wrap gap-x-6">
      {links.map(({ href, label }) => (
        <li key={href}>
          <a
            href={href}
            rel="noopener"
            className="inline-flex min-h-11 min-w-11 items-center wrap-anywhere no-underline underline-offset-[.25em] hover:underline"
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
