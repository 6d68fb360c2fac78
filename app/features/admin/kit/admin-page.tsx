import ArrowLeft from "lucide-react/icons/arrow-left";
import RotateCw from "lucide-react/icons/rotate-cw";
import { type ReactNode, useEffect, useId } from "react";
import { isRouteErrorResponse, Link, useLocation, useRevalidator, useRouteError } from "react-router";
import { restoreFocus } from "../../../ui/browser/focus.ts";
import { useCurrentInView } from "../../../ui/browser/use-current-in-view.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { GoLiveSteps } from "../go-live/steps.tsx";
import { useMayOpen } from "../rights.ts";
import { useMenuPath } from "../shell/admin-nav.tsx";
import { type AdminPageLink, adminTabs, isWithin } from "../shell/tabs.ts";
import { PanelButton } from "./action-button.tsx";

/** Class of the link above a heading that leads back to the list. */
export const backClass =
  "inline-flex min-h-11 items-center gap-1.5 text-small text-ink-muted no-underline hover:text-ink";

/**
 * A page of the panel: its heading, its actions, the tabs of its menu entry, and its content. With tabs, the heading is the
 * menu entry's name, and the selected tab names the page. `back`: the parent page, which shows the tabs in place of this one.
 */
export function AdminPage({
  title,
  actions,
  menu,
  back,
  children,
}: {
  title: ReactNode;
  actions?: ReactNode;
  /** A menu of actions, which stays beside the heading, however long the heading is. */
  menu?: ReactNode;
  back?: { to: string; label: string };
  children: ReactNode;
}) {
  const { pathname } = useLocation();
  const mayOpen = useMayOpen();
  const tab = back ? undefined : adminTabs.find((adminTab) => isWithin(adminTab, pathname));
  const pages = tab?.pages.filter(({ to }) => mayOpen(to)) ?? [];
  const heading = pages.length > 1 && tab ? (tab.name ?? tab.label) : title;
  return (
    <>
      <GoLiveSteps />
      {back && (
        <Link to={back.to} className={`${backClass} -mt-2 mb-1`}>
          <Icon glyph={ArrowLeft} size="small" /> {back.label}
        </Link>
      )}
      <div className={`mb-5 flex items-center justify-between gap-x-6 gap-y-3 ${menu ? "" : "flex-wrap"}`}>
        <h1
          // Pages without `back` may have tabs. This height keeps heading and tabs in place if only some of the pages have buttons.
          className={`min-w-0 content-center text-[clamp(1.75rem,1.5rem+1vw,2.25rem)] ${back ? "" : "min-h-11"}`}
        >
          {heading}
        </h1>
        {menu}
        {actions && (
          <div className="flex max-w-full flex-wrap items-center gap-2 print:hidden">{actions}</div>
        )}
      </div>
      {tab && pages.length > 1 && <PageTabs label={tab.label} pages={pages} />}
      {heading !== title && <h2 className="sr-only">{title}</h2>}
      {children}
    </>
  );
}

/**
 * Links to the pages of the current menu entry, such as Inbox and Sent of Messages. The longest
 * matching prefix is current: the inbox at `/messages` is current at `/messages/7`, but not at `/messages/sent`.
 */
function PageTabs({ label, pages }: { label: string; pages: AdminPageLink[] }) {
  const pathname = useMenuPath();
  const list = useCurrentInView<HTMLUListElement>(pathname);
  const [current] = pages
    .filter(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
    .sort((a, b) => b.to.length - a.to.length);
  return (
    <nav aria-label={label} className="mb-6 -mx-(--gutter) border-b border-line lg:mx-0">
      <ul
        ref={list}
        // The first label is aligned with the heading; the padding before it belongs to the link.
        className="relative flex gap-2 overflow-x-auto px-[calc(var(--gutter)-.375rem)] [scrollbar-width:none] sm:gap-3 lg:-mx-1.5 lg:px-0"
      >
        {pages.map(({ to, label: name }) => (
          <li key={to} className="shrink-0">
            <Link
              to={to}
              aria-current={to === current?.to ? "page" : undefined}
              className="flex min-h-11 min-w-11 items-center justify-center border-b-2 px-1.5 border-transparent text-ui font-medium whitespace-nowrap text-ink-muted no-underline -outline-offset-2! hover:text-ink aria-[current=page]:border-copper-600 aria-[current=page]:text-ink"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Makes a route's `ErrorBoundary`. `page`: the tab's h1; `title`: what failed. */
export function problemPage(page: string, title: string) {
  return () => <AdminProblem page={page} title={title} />;
}

/**
 * Shown by a tab's `ErrorBoundary`: the tab's h1, `title` as the bold cause ("Failed to load Stripe orders"), the
 * server's message, and Retry, which reloads only the data.
 */
export function AdminProblem({ page, title }: { page: string; title: string }) {
  const error = useRouteError();
  const { pathname } = useLocation();
  const status = isRouteErrorResponse(error) ? error.status : 0;
  const refusalTitle = refusals[status];
  const entry = adminTabs.find((adminTab) => isWithin(adminTab, pathname));
  // On a missing record's page; entries with several pages have tabs that lead back.
  const listPath = status === 404 && entry?.pages.length === 1 ? entry.pages[0].to : null;
  // Retry disappears with the problem, so the focus moves to the page's heading.
  useEffect(() => () => void setTimeout(() => restoreFocus(null)), []);
  return (
    <AdminPage title={page} {...(entry && listPath && { back: { to: listPath, label: entry.label } })}>
      <Banner title={refusalTitle ?? title} tone={status === 403 ? "warning" : "danger"}>
        <span className="block">{errorMessage(error)}</span>
        {!refusalTitle && <RetryButton />}
      </Banner>
    </AdminPage>
  );
}

/** Errors for which a retry would not help. */
const refusals: Partial<Record<number, string>> = {
  403: "This page is not for your role",
  404: "There is nothing at this address",
};

function errorMessage(error: unknown): string | null {
  if (!isRouteErrorResponse(error)) return "Please check your connection and try again.";
  const data: unknown = error.data;
  if (typeof data === "object" && data !== null && "message" in data && typeof data.message === "string")
    return data.message;
  return error.status === 404 ? "Check the address, or choose a page from the menu." : null;
}

/** Reloads only the page's data; shown below a problem's text. */
function RetryButton() {
  const { revalidate, state } = useRevalidator();
  return (
    <div className="mt-2.5">
      <PanelButton busy={state === "loading"} busyText="Retrying..." onClick={() => void revalidate()}>
        <Icon glyph={RotateCw} size="small" /> Retry
      </PanelButton>
    </div>
  );
}

/** A section of a page: heading, description and controls; or with `isRow`, a row of a card, with its heading on the left. */
export function PageSection({
  title,
  lead,
  isRow = false,
  children,
}: {
  title: string;
  lead?: ReactNode;
  isRow?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={`stack items-start gap-x-8 gap-y-5 p-4 sm:p-6 ${isRow ? "lg:grid-cols-[15.5rem_minmax(0,1fr)]" : "rounded-md border border-line bg-surface"}`}
    >
      <div>
        <h2 id={id} className="card-title wrap-anywhere">
          {title}
        </h2>
        {lead && <p className="mt-1.5 text-small text-ink-muted">{lead}</p>}
      </div>
      {isRow ? <div className="stack min-w-0 gap-5">{children}</div> : children}
    </section>
  );
}
