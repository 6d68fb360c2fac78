import type { ReactNode } from "react";
import { Link, useRouteLoaderData } from "react-router";
import logo from "../../../assets/brand/logo.svg";
import type { loader } from "../../root.tsx";

/** Short header and footer of the pages where money is paid: nothing there leads away but `back`. */
export function CheckoutFrame({
  back,
  summary,
  children,
}: {
  back?: ReactNode;
  /** A strip right under the header, outside the page's width. */
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
      <main id="main" tabIndex={-1} className="wrap outline-none">
        {children}
      </main>
      {frame && (
        <footer className="wrap">
          <p className="border-t border-line pt-6 pb-10 text-small text-ink-muted">
            © {frame.year} {frame.brandName}. All rights reserved.
          </p>
        </footer>
      )}
    </>
  );
}
