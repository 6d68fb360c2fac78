import { Link, useLocation } from "react-router";

/**
 * The pages of one tab, as Inbox and Sent of Messages. The longest matching prefix is current: an inbox at `/messages`
 * is current at `/messages/7`, but not at `/messages/sent`, which is a separate page.
 */
export function SubNav({ label, pages }: { label: string; pages: { to: string; label: string }[] }) {
  const { pathname } = useLocation();
  const [current] = pages
    .filter(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
    .sort((a, b) => b.to.length - a.to.length);
  return (
    <nav aria-label={label} className="mb-5 overflow-x-auto border-b border-line [scrollbar-width:none]">
      <ul className="flex gap-5">
        {pages.map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              aria-current={to === current?.to ? "page" : undefined}
              className="flex min-h-11 min-w-11 items-center justify-center border-b-2 border-transparent text-ui font-medium whitespace-nowrap text-ink-muted no-underline -outline-offset-2! hover:text-ink aria-[current=page]:border-forest-800 aria-[current=page]:text-ink"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
