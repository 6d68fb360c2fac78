import { NavLink } from "react-router";

/** The pages of one tab, as Inbox and Sent of Messages. `end`: current at this very address alone. */
export function SubNav({
  label,
  pages,
}: {
  label: string;
  pages: { to: string; label: string; end?: boolean }[];
}) {
  return (
    <nav aria-label={label} className="mb-5 overflow-x-auto border-b border-line [scrollbar-width:none]">
      <ul className="flex gap-5">
        {pages.map(({ to, label, end = false }) => (
          <li key={to}>
            <NavLink
              to={to}
              end={end}
              className="flex min-h-11 items-center border-b-2 border-transparent text-ui font-medium whitespace-nowrap text-ink-muted no-underline -outline-offset-2! hover:text-ink aria-[current=page]:border-forest-800 aria-[current=page]:text-ink"
            >
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
