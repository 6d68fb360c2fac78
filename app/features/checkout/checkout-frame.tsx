import Check from "lucide-react/icons/check";
import type { ReactNode } from "react";
import { Link, useRouteLoaderData } from "react-router";
import logo from "../../../assets/brand/logo.svg";
import type { loader } from "../../root.tsx";
import { Icon } from "../../ui/icon.tsx";

/** Links that open in new tabs, so that the form keeps its entries. */
const policies = [
  ["/shipping-policy", "Shipping"],
  ["/returns-policy", "Returns"],
  ["/privacy", "Privacy"],
  ["/terms", "Terms"],
  ["/contact", "Help"],
] as const;

/** Short header and footer of the payment pages; `back` is their only link away in this tab. */
export function CheckoutFrame({
  back,
  summary,
  children,
}: {
  back?: ReactNode;
  /** A full-width strip below the header. */
  summary?: ReactNode;
  children: ReactNode;
}) {
  const frame = useRouteLoaderData<typeof loader>("root");
  return (
    <>
      <header className="shadow-header">
        <div className="wrap flex min-h-(--header-h) items-center justify-between gap-4">
          <Link to="/" aria-label="Palmira, home" className="inline-flex min-h-11 items-center">
            <img
              src={logo}
              width={168}
              height={33}
              alt="Palmira"
              className="h-7.5 w-auto forced-color-adjust-none max-[22rem]:h-6 forced-colors:bg-paper md:h-8.25"
            />
          </Link>
          {back}
        </div>
      </header>
      {summary}
      <main id="main" tabIndex={-1} className="wrap min-h-[calc(100svh-16rem)] outline-none">
        {children}
      </main>
      {frame && (
        <footer className="wrap">
          <div className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2 border-t border-line pt-6 pb-10 text-small text-ink-muted">
            <p>
              © {frame.year} {frame.brandName}. All rights reserved.
            </p>
            <nav aria-label="Policies and help">
              <ul className="flex flex-wrap gap-x-5">
                {policies.map(([path, name]) => (
                  <li key={path}>
                    <a
                      href={path}
                      target="_blank"
                      rel="noopener"
                      className="-mx-2 inline-flex min-h-11 items-center px-2 underline decoration-line-strong underline-offset-[.25em] hover:text-ink"
                    >
                      {name}
                      <span className="sr-only"> (opens in a new tab)</span>
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          </div>
        </footer>
      )}
    </>
  );
}

export function CheckoutHead({ step }: { step: number }) {
  return (
    <div className="grid gap-4 pt-[clamp(1.5rem,1rem+2vw,3rem)] pb-9">
      <h1 tabIndex={-1} className="text-[clamp(2rem,1.6rem+1.6vw,3rem)]">
        Checkout
      </h1>
      <Stepper current={step} />
    </div>
  );
}

const steps = ["Shipping", "Payment"];

/** The steps of checkout; `current` counts from 1. */
function Stepper({ current }: { current: number }) {
  return (
    <ol aria-label="Checkout progress" className="flex flex-wrap items-center gap-x-5 gap-y-2 text-small">
      {steps.map((name, index) => {
        const isDone = index + 1 < current;
        const isCurrent = index + 1 === current;
        const circleClass = isDone
          ? "border-success bg-success text-white"
          : isCurrent
            ? "border-forest-800 bg-forest-800 text-paper"
            : "border-line-strong";
        return (
          <li
            key={name}
            aria-current={isCurrent ? "step" : undefined}
            className={`flex items-center gap-2.5 not-first:before:mr-2.5 not-first:before:h-px not-first:before:w-[clamp(1rem,4vw,2.75rem)] not-first:before:bg-line-strong ${
              isCurrent ? "font-semibold" : isDone ? "" : "text-ink-muted"
            }`}
          >
            <span
              className={`grid size-6.5 place-items-center rounded-full border text-caption font-semibold lining-nums ${circleClass}`}
            >
              {isDone ? <Icon glyph={Check} size="small" /> : index + 1}
            </span>
            {name}
            {isDone && <span className="sr-only">, done</span>}
          </li>
        );
      })}
    </ol>
  );
}
