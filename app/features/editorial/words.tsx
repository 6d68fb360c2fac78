import type { ComponentProps, ElementType, ReactNode } from "react";
import { Link } from "react-router";
import { Fact, Given, StripeOnly } from "./facts-context.tsx";
import { ContactLink, ContactWays, DeliveryOptions, PaymentProvider, Returns } from "./policy-facts.tsx";

const proseClass =
  "text-[1.0625rem] leading-[1.7] text-pretty [&>*+*]:mt-[1.1em] [&>h2]:mt-[1.8em] [&>h2+*]:mt-[.7em] [&>h2:first-child]:mt-0 [&>h2]:text-h3 [&>*+dl]:mt-10 [&_ol]:list-decimal [&_ul]:list-disc [&_ol]:pl-5 [&_ul]:pl-5 [&_li+li]:mt-2";

const dropCap =
  "[&>p:first-child]:first-letter:mr-[.2em] [&>p:first-child]:first-letter:font-display [&>p:first-child]:first-letter:font-[360] [&>p:first-child]:first-letter:text-copper-700 [&>p:first-child]:first-letter:[initial-letter:3]";

/** Two columns side by side, where there is room: a heading or quote, and what belongs to it. */
function Split({ tone, tight, children }: { tone?: "cream"; tight?: boolean; children: ReactNode }) {
  return (
    <section className={`section ${tone === "cream" ? "bg-cream-soft" : ""} ${tight ? "pt-0" : ""}`}>
      <div className="wrap grid gap-12 lg:grid-cols-[5fr_6fr] lg:items-start lg:gap-[clamp(3rem,7vw,7rem)]">
        {children}
      </div>
    </section>
  );
}

/** What stands below each other in one column. */
function Aside({ children }: { children: ReactNode }) {
  return <div className="grid gap-10">{children}</div>;
}

/** `id`: where links to what stands under this heading lead. */
function Head({ id, title, children }: { id?: string; title: string; children?: ReactNode }) {
  return (
    <div className="grid gap-4">
      <h2 id={id}>{title}</h2>
      {children && <p className="text-lead text-pretty text-ink-muted">{children}</p>}
    </div>
  );
}

/** A sentence in large type. Its own words may come as a paragraph, which cannot stand within one. */
function Pull({ children }: { children: ReactNode }) {
  return (
    <div className="font-display text-quote font-[340] tracking-[-.015em] text-balance [&>p]:contents">
      {children}
    </div>
  );
}

export function Prose({ drop = false, children }: { drop?: boolean; children: ReactNode }) {
  return <div className={`${proseClass} ${drop ? dropCap : ""}`}>{children}</div>;
}

/** Names and what is to be said of them. */
function Terms({ children }: { children: ReactNode }) {
  return <dl className="border-b border-line text-base">{children}</dl>;
}

function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-1 border-t border-line py-4.5 md:grid-cols-[10rem_1fr] md:gap-8">
      <dt className="font-medium">{name}</dt>
      <dd className="text-ink-muted">{children}</dd>
    </div>
  );
}

/** Slanted, not the display face's italic: its swashes make a species hard to read. */
function Latin({ children }: { children: ReactNode }) {
  return <i lang="la">{children}</i>;
}

/** Leads to the list of works at the page's end, whose heading has the id `sources`. */
function Source({ n }: { n: string }) {
  return (
    <sup className="ml-0.5 leading-none">
      <a href="#sources" className="link px-1 py-2" aria-label={`Source ${n}`}>
        {n}
      </a>
    </sup>
  );
}

function Small({ children }: { children: ReactNode }) {
  return <p className="text-small text-ink-muted">{children}</p>;
}

function Anchor({ href = "", children }: ComponentProps<"a">) {
  if (href.startsWith("/")) {
    return (
      <Link to={href} className="link">
        {children}
      </Link>
    );
  }
  return (
    <a href={href} className="link" rel="noopener">
      {children}
    </a>
  );
}

/** What the names in content/*.mdx stand for. A page adds those that are its own. */
export const words: Record<string, ElementType> = {
  a: Anchor,
  A: Anchor,
  Aside,
  ContactLink,
  ContactWays,
  DeliveryOptions,
  Fact,
  Given,
  Head,
  Latin,
  PaymentProvider,
  Prose,
  Pull,
  Returns,
  Small,
  Source,
  Split,
  StripeOnly,
  Term,
  Terms,
};
